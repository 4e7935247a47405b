# Devices opened for work.

"""
    Context(selector="auto")

A device opened for work: an in-order queue and a pool of memory.
"""
mutable struct Context <: Handle
    handle::Ptr{LibChord.chord_context}
    Context(selector::AbstractString="auto") =
        own(new(made(Ptr{LibChord.chord_context}, place -> LibChord.chord_context_create(selector, place))))
end
destroyer(::Context) = LibChord.chord_context_destroy

const defaults = Dict{Int,Context}()
"The context that functions work in unless given another: what \"auto\" opens, once in a process."
default_context() = get!(Context, defaults, getpid())

device(context::Context) =
    filled(LibChord.chord_device_info, info -> LibChord.chord_context_get_device(context, info))

"The selectors of all devices; the host is the first."
devices() = [text(filled(LibChord.chord_device_info, place -> LibChord.chord_device_get_info(i - 1, place)).selector)
             for i in 1:made(Int32, LibChord.chord_device_count)]

"Returns when all work queued so far is done."
Base.wait(context::Context) = check(LibChord.chord_context_wait(context))

Base.show(io::IO, context::Context) =
    print(io, context.handle == C_NULL ? "Context, closed" : "Context " * text(device(context).selector))

# The tasks' sequences: in batches, in order, and made of raw inputs.

"""
    Dataset(task, split="train"; data=nothing, length=0, count=0, seed=0)

Labelled sequences of a task. `for (inputs, labels) in batches(data, 40; shuffle=true)` goes through them, and `data[1:8]`
has the first ones; inputs are (length, batch) tokens or (features, length, batch) reals.
"""
mutable struct Dataset <: Handle
    handle::Ptr{LibChord.chord_dataset}
    Dataset(handle::Ptr) = own(new(handle))
end
destroyer(::Dataset) = LibChord.chord_dataset_destroy

function Dataset(task::AbstractString, split::AbstractString="train"; data=nothing, options...)
    texts = (task=String(task), split=String(split), data=data === nothing ? "" : String(data))
    GC.@preserve texts begin
        folder = data === nothing ? Ptr{UInt8}(C_NULL) : pointer(texts.data)
        given = Ref(LibChord.chord_dataset_options(; task=pointer(texts.task), split=pointer(texts.split), data=folder,
                                                   options...))
        return Dataset(made(Ptr{LibChord.chord_dataset}, place -> LibChord.chord_dataset_create(given, place)))
    end
end

info(data::Dataset) =
    filled(LibChord.chord_dataset_info, place -> LibChord.chord_dataset_get_info(data, place))
Base.length(data::Dataset) = Int(info(data).count)
Base.show(io::IO, data::Dataset) = print(io, "Dataset of ", length(data), " sequences")

"Arrays for so many sequences and their labels."
function sequences(about::LibChord.chord_dataset_info, count::Int)
    size = about.features == 0 ? (Int(about.length), count) : (Int(about.features), Int(about.length), count)
    Array{ELEMENTS[about.input_type]}(undef, size), Vector{ELEMENTS[about.label_type]}(undef, count)
end

function Base.getindex(data::Dataset, places::UnitRange)
    x, y = sequences(info(data), length(places))
    check(LibChord.chord_dataset_read(data, first(places) - 1, length(places), x, sizeof(x), y, sizeof(y)))
    x, y
end
Base.lastindex(data::Dataset) = length(data)

mutable struct Batches <: Handle
    handle::Ptr{LibChord.chord_batches}
    about::LibChord.chord_dataset_info
    Batches(handle::Ptr, about) = own(new(handle, about))
end
destroyer(::Batches) = LibChord.chord_batches_destroy

"One pass over a dataset, batch by batch, prepared ahead by a thread of the library's; each batch is yours to keep."
function batches(data::Dataset, batch::Integer; shuffle=false, options...)
    given = Ref(LibChord.chord_batches_options(; batch=batch, shuffle=shuffle, options...))
    call(place) = LibChord.chord_batches_create(data, given, place)
    Batches(made(Ptr{LibChord.chord_batches}, call), info(data))
end

Base.IteratorSize(::Type{Batches}) = Base.SizeUnknown()
function Base.iterate(pass::Batches, state=nothing)
    inputs, labels, count = Ref(C_NULL), Ref(C_NULL), Ref{Int64}(0)
    check(LibChord.chord_batches_next(pass, inputs, labels, count))
    count[] == 0 && return nothing
    x, y = sequences(pass.about, Int(count[]))
    unsafe_copyto!(pointer(x), Ptr{eltype(x)}(inputs[]), length(x))
    unsafe_copyto!(pointer(y), Ptr{eltype(y)}(labels[]), length(y))
    ((x, y), nothing)
end

"""
    Encoder(task; encoding="{}", length=0)

Makes tokens of a task's raw inputs, as its dataset does: `tokens, used = encode(encoder, "[MAX 3 7 ]")`.
"""
mutable struct Encoder <: Handle
    handle::Ptr{LibChord.chord_encoder}
    Encoder(task::AbstractString; encoding="{}", length=0) =
        own(new(made(Ptr{LibChord.chord_encoder}, place -> LibChord.chord_encoder_create(task, encoding, length, place))))
end
destroyer(::Encoder) = LibChord.chord_encoder_destroy

info(encoder::Encoder) =
    filled(LibChord.chord_encoder_info, place -> LibChord.chord_encoder_get_info(encoder, place))

"The tokens of a raw input, text or bytes, and how many positions come before the padding."
function encode(encoder::Encoder, raw)
    bytes, tokens, used = Vector{UInt8}(raw), Vector{Int32}(undef, info(encoder).length), Ref{Int64}(0)
    check(LibChord.chord_encoder_encode(encoder, bytes, length(bytes), tokens, length(tokens), used))
    tokens, Int(used[])
end

"A token for people."
symbol(encoder::Encoder, token::Integer) =
    unsafe_string(made(Ptr{UInt8}, place -> LibChord.chord_encoder_symbol(encoder, token, place)))

Base.show(io::IO, encoder::Encoder) = print(io, "Encoder of ", info(encoder).length, " positions")

# The library itself: found and loaded, its errors, and the handles it gives.

"Loads libchord: what CHORD_LIBRARY names and no other, else where pkg-config says, else the system's."
function load_library()
    named = get(ENV, "CHORD_LIBRARY", "")
    candidates = isempty(named) ? unique([from_pkg_config(), LibChord.libchord]) : [named]
    for candidate in candidates
        Libdl.dlopen(candidate, Libdl.RTLD_NOW; throw_error=false) === nothing || return check_abi()
    end
    error("libchord was not found: tried $(join(candidates, ", ")); set CHORD_LIBRARY to libchord.so, or PKG_CONFIG_PATH " *
          "to the folder of sparsechord.pc")
end

function from_pkg_config()
    try
        folder = strip(read(pipeline(`pkg-config --variable=libdir sparsechord`; stderr=devnull), String))
        return joinpath(folder, LibChord.libchord)
    catch
        return LibChord.libchord
    end
end

function check_abi()
    version = Ref{Int32}(0)
    check(LibChord.chord_abi_version(version))
    version[] == LibChord.CHORD_ABI_VERSION ||
        error("this package is for ABI $(LibChord.CHORD_ABI_VERSION) of libchord, which has $(version[])")
end

"A call that failed: its status, a `CHORD_ERROR_…` of `LibChord`, and what the library says about it."
struct ChordError <: Exception
    status::Int32
    text::String
end
Base.showerror(io::IO, e::ChordError) =
    print(io, unsafe_string(LibChord.chord_status_name(e.status)), ": ", e.text)

check(status::Int32) =
    status == 0 ? nothing : throw(ChordError(status, unsafe_string(LibChord.chord_last_error())))

"What a function of C puts where its last parameter says."
function made(T, call)
    place = Ref{T}(zero_of(T))
    check(call(place))
    place[]
end
zero_of(::Type{T}) where {T} = LibChord.zero_of(T)

"A struct that a function of C fills in."
function filled(T, call)
    place = Ref(T())
    check(call(place))
    place[]
end

"The text in a member of a struct."
text(member::NTuple{N,UInt8}) where {N} = String(collect(Iterators.takewhile(!iszero, member)))

# Handles whose objects nobody has any more. A finaliser may not wait, but destroying may: so it leaves them here, and
# whoever makes the next object destroys them.
const graves = Tuple{Function,Ptr}[]
const graves_lock = Threads.SpinLock()

abstract type Handle end

# Calls are given the object itself, so that it lives until they return.
Base.unsafe_convert(::Type{P}, object::Handle) where {P<:Ptr} = object.handle::P

"Makes an object the owner of a handle: it ends with `close`, or some time after its last use."
own(object::Handle) = (bury(); finalizer(retire, object))

function retire(object::Handle)
    object.handle == C_NULL && return
    if trylock(graves_lock)
        push!(graves, (destroyer(object), object.handle))
        object.handle = C_NULL
        unlock(graves_lock)
    else
        finalizer(retire, object)
    end
    nothing
end

function bury()
    isempty(graves) && return
    collecting = GC.enable(false)  # no finaliser may come while the lock is held
    lock(graves_lock)
    dead = copy(graves)
    empty!(graves)
    unlock(graves_lock)
    GC.enable(collecting)
    for (destroy, handle) in dead
        destroy(handle)
    end
end

"Ends an object now; using it afterwards is an error."
function Base.close(object::Handle)
    handle, object.handle = object.handle, oftype(object.handle, C_NULL)
    check(destroyer(object)(handle))
end

# Arrays in a context's memory.

const Element = Union{Float32,Float64,Int32,Int64}
number_of(::Type{Float32}) = LibChord.CHORD_FLOAT32
number_of(::Type{Float64}) = LibChord.CHORD_FLOAT64
number_of(::Type{Int32}) = LibChord.CHORD_INT32
number_of(::Type{Int64}) = LibChord.CHORD_INT64
const ELEMENTS = Dict(number_of(T) => T for T in (Float32, Float64, Int32, Int64))

# Arrays whose memory the library looks at, until it says that it no longer does.
const lent = Dict{Int,Array}()
const lent_lock = ReentrantLock()
const lent_count = Ref(0)

function give_back(user::Ptr{Cvoid})::Cvoid
    lock(() -> delete!(lent, Int(user)), lent_lock)
    nothing
end

"""
    Tensor(array, context=default_context())

A tensor that is the array's memory, where the device works in the host's, else a copy of it. A Julia array of size
(D, N, B) is a tensor [B, N, D]. `Array(tensor)` gives the values when the work on them is done.
"""
mutable struct Tensor{T<:Element,N} <: Handle
    handle::Ptr{LibChord.chord_tensor}
    size::NTuple{N,Int}
    context::Context
    Tensor{T,N}(handle::Ptr, size, context) where {T,N} = own(new{T,N}(handle, size, context))
end
destroyer(::Tensor) = LibChord.chord_tensor_destroy

const TensorPointer = Ptr{LibChord.chord_tensor}
extents(size) = Int64[reverse(size)...]

function Tensor(array::Array{T,N}, context::Context=default_context()) where {T<:Element,N}
    shape = extents(size(array))
    if device(context).host_readable == 0 || isempty(array)
        create(place) = GC.@preserve array LibChord.chord_tensor_create_from_bytes(context, number_of(T), N, shape,
                                                                                  pointer(array), sizeof(array), place)
        return Tensor{T,N}(made(TensorPointer, create), size(array), context)
    end
    key = lock(lent_lock) do
        lent_count[] += 1
        lent[lent_count[]] = array
        lent_count[]
    end
    release = @cfunction(give_back, Cvoid, (Ptr{Cvoid},))
    wrap(place) = LibChord.chord_tensor_wrap(context, number_of(T), N, shape, C_NULL, pointer(array), release,
                                             Ptr{Cvoid}(key), place)
    try
        return Tensor{T,N}(made(TensorPointer, wrap), size(array), context)
    catch
        give_back(Ptr{Cvoid}(key))
        rethrow()
    end
end

"A new tensor, its values undefined."
function Tensor{T}(::UndefInitializer, size::NTuple{N,Int}, context::Context=default_context()) where {T<:Element,N}
    create(place) = LibChord.chord_tensor_create(context, number_of(T), N, extents(size), place)
    Tensor{T,N}(made(TensorPointer, create), size, context)
end

"The tensor of a handle that C gave."
function Tensor(handle::TensorPointer, context::Context)
    about = filled(LibChord.chord_tensor_info, info -> LibChord.chord_tensor_get_info(handle, info))
    size = reverse(Int.(about.shape[1:about.rank]))
    Tensor{ELEMENTS[about.type_],Int(about.rank)}(handle, size, context)
end

Base.size(tensor::Tensor) = tensor.size
Base.eltype(::Tensor{T}) where {T} = T
Base.length(tensor::Tensor) = prod(tensor.size)

function Base.Array(tensor::Tensor{T,N}) where {T,N}
    values = Array{T,N}(undef, tensor.size)
    check(LibChord.chord_tensor_to_host(tensor, values, sizeof(values)))
    values
end

function Base.copyto!(tensor::Tensor{T,N}, values::Array{T,N}) where {T,N}
    check(LibChord.chord_tensor_from_host(tensor, values, sizeof(values)))
    tensor
end

"""
    mapped(tensor) do array … end

The tensor's memory as an array, to read and to write, when the work queued so far is done, and no longer than the block.
"""
function mapped(f, tensor::Tensor{T,N}) where {T,N}
    about = filled(LibChord.chord_tensor_info, place -> LibChord.chord_tensor_get_info(tensor, place))
    strides = reverse(Int.(about.strides[1:N]))
    strides == Base.size_to_strides(1, tensor.size...) || error("a tensor with gaps between its rows is no array")
    data = made(Ptr{Cvoid}, place -> LibChord.chord_tensor_map(tensor, place))
    try
        return f(unsafe_wrap(Array, Ptr{T}(data), tensor.size))
    finally
        check(LibChord.chord_tensor_unmap(tensor))
    end
end

Base.fill!(tensor::Tensor, value) = (check(LibChord.chord_tensor_fill(tensor, value)); tensor)

Base.show(io::IO, tensor::Tensor{T}) where {T} = print(io, "Tensor{", T, "} ", join(tensor.size, "×"))

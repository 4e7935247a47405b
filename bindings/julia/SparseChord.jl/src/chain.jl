# Patterns, and matrices that are applied and never formed: chains, and what factorisations give.

"""
    Pattern(n; base=2, links=0, symmetric=false)
    Pattern(n, offsets)

Where the non-zeros of a factor are: row i has them at columns (i + o) mod n, counted from 0.
"""
mutable struct Pattern <: Handle
    handle::Ptr{LibChord.chord_pattern}
    context::Context
    Pattern(handle::Ptr, context::Context) = own(new(handle, context))
end
destroyer(::Pattern) = LibChord.chord_pattern_destroy

function Pattern(n::Integer; base=2, links=0, symmetric=false, context=default_context())
    create = symmetric ? LibChord.chord_pattern_create_symmetric : LibChord.chord_pattern_create_chord
    call(place) = create(context, n, base, links, place)
    Pattern(made(Ptr{LibChord.chord_pattern}, call), context)
end

function Pattern(n::Integer, offsets::AbstractVector{<:Integer}; context=default_context())
    given = Vector{Int64}(offsets)
    call(place) = LibChord.chord_pattern_create_custom(context, n, length(given), given, place)
    Pattern(made(Ptr{LibChord.chord_pattern}, call), context)
end

function Base.size(pattern::Pattern)
    n, links = Ref{Int64}(0), Ref{Int64}(0)
    check(LibChord.chord_pattern_get_size(pattern, n, links))
    (n[], links[])
end

function offsets(pattern::Pattern)
    values = Vector{Int64}(undef, size(pattern)[2])
    check(LibChord.chord_pattern_get_offsets(pattern, values, length(values)))
    values
end

Base.show(io::IO, pattern::Pattern) = print(io, "Pattern of ", size(pattern)[1], " rows, ", size(pattern)[2], " links")

"z = the factor `w` times `v`, or, with `accumulate`, added to z; queued."
product!(z::Tensor, pattern::Pattern, w::Tensor, v::Tensor; accumulate=false) =
    (check(LibChord.chord_product(pattern, w, v, z, accumulate)); z)

"An N×N matrix that is applied: `A * v`, `A' * v`, `apply(A, v)`, `rows(A, places)`, `dense(A)`."
abstract type LinearMap <: Handle end

"""
    Chain(weights, pattern=Pattern(n; links); residual=false)

Factors that share a pattern: `chain * v` is W_M ⋯ W_2 W_1 v. Weights are (L, N, M), or (L, N, B, M) with factors of
each sequence's own; an array is looked at, not copied.
"""
mutable struct Chain{T} <: LinearMap
    handle::Ptr{LibChord.chord_chain}
    n::Int
    weights::Tuple{Vararg{Int}}  # their size
    context::Context
    Chain{T}(handle::Ptr, n, weights, context) where {T} = own(new{T}(handle, n, weights, context))
end
destroyer(::Chain) = LibChord.chord_chain_destroy

function Chain(weights::Tensor{T}, pattern::Pattern; residual=false) where {T}
    call(place) = LibChord.chord_chain_create(pattern, weights, residual, place)
    Chain{T}(made(Ptr{LibChord.chord_chain}, call), size(pattern)[1], weights.size, weights.context)
end
function Chain(weights::Array, pattern=nothing; residual=false, context=default_context())
    shared = something(pattern, Some(Pattern(size(weights, 2); links=size(weights, 1), context=context)))
    Chain(Tensor(weights, shared.context), shared; residual=residual)
end

apply!(z::Tensor, chain::Chain, v::Tensor) =
    (check(LibChord.chord_chain_apply(chain, v, z, C_NULL)); z)
apply_transposed!(z::Tensor, chain::Chain, v::Tensor) =
    (check(LibChord.chord_chain_apply_transposed(chain, v, z)); z)
dense!(out::Tensor, chain::Chain) = (check(LibChord.chord_chain_dense(chain, out)); out)

rows!(out::Tensor, chain::Chain, places) =
    (check(LibChord.chord_chain_rows(chain, places, length(places), out)); out)

"""
    gradient(chain, v, g)

The gradients of ⟨g, apply(chain, v)⟩ with respect to the weights and to v; v and g are (D, N) or (D, N, B).
"""
function gradient(chain::Chain{T}, v::Array{T}, g::Array{T}) where {T}
    dw = Tensor{T}(undef, chain.weights, chain.context)
    dv = Tensor{T}(undef, size(v), chain.context)
    x, upstream = Tensor(v, chain.context), Tensor(g, chain.context)
    check(LibChord.chord_chain_gradient(chain, x, C_NULL, upstream, dw, dv, 0))
    Array(dw), Array(dv)
end

"""
    apply(A, v)
    apply_transposed(A, v)

The matrix, or its transpose, times the columns of a batch: an array (D, N) or (D, N, B), in the library's order and
without copies, or a tensor.
"""
apply(map::LinearMap, v::Tensor{T}) where {T} =
    apply!(Tensor{T}(undef, with_rows(v.size, size(map)[1]), map.context), map, v)
apply_transposed(map::LinearMap, v::Tensor{T}) where {T} =
    apply_transposed!(Tensor{T}(undef, with_rows(v.size, size(map)[2]), map.context), map, v)
"The size of a batch (D, N) or (D, N, B) with another N."
with_rows(extents, rows) = (extents[1], rows, extents[3:end]...)
for (name, name!, side) in ((:apply, :apply!, 1), (:apply_transposed, :apply_transposed!, 2))
    @eval function $name(map::LinearMap, v::Array{T}) where {T}
        z = similar(v, with_rows(size(v), size(map)[$side]))
        tensor = Tensor(z, map.context)
        $name!(tensor, map, Tensor(v, map.context))
        device(map.context).host_readable == 0 ? Array(tensor) : (wait(map.context); z)
    end
end

# As in mathematics: v has N rows. A matrix is turned into the library's order and back.
Base.:*(map::LinearMap, v::Vector) = vec(apply(map, reshape(v, 1, :)))
Base.:*(map::LinearMap, v::Matrix) = permutedims(apply(map, permutedims(v)))

struct Transposed{M<:LinearMap}
    of::M
end
Base.adjoint(map::LinearMap) = Transposed(map)
Base.transpose(map::LinearMap) = Transposed(map)
Base.adjoint(map::Transposed) = map.of
Base.transpose(map::Transposed) = map.of
Base.size(map::Transposed) = reverse(size(map.of))
Base.:*(map::Transposed, v::Vector) = vec(apply_transposed(map.of, reshape(v, 1, :)))
Base.:*(map::Transposed, v::Matrix) = permutedims(apply_transposed(map.of, permutedims(v)))

Base.size(map::LinearMap) = (map.n, map.n)
Base.eltype(::Chain{T}) where {T} = T

"The matrix itself."
dense(map::LinearMap) = permutedims(Array(dense!(Tensor{eltype(map)}(undef, reverse(size(map)), map.context), map)))

"Single rows of the matrix, as rows, without forming it."
function rows(map::LinearMap, places)
    wanted = Vector{Int64}(collect(places) .- 1)
    permutedims(Array(rows!(Tensor{eltype(map)}(undef, (size(map)[2], length(wanted)), map.context), map, wanted)))
end

Base.show(io::IO, chain::Chain{T}) where {T} = print(io, "Chain{", T, "} ", chain.n, "×", chain.n)

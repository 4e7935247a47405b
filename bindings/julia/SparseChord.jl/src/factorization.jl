# What a fit gives: factors whose product approximates a matrix.

"X̂ ≈ X as a product of sparse factors: `X̂ * v`, `X̂' * v`, `apply`, `dense`, `weights`, `save`, `info`."
mutable struct Factorization <: LinearMap
    handle::Ptr{LibChord.chord_factorization}
    n::Int
    context::Context
    function Factorization(handle::Ptr, context::Context)
        fitted = own(new(handle, 0, context))
        fitted.n = info(fitted).n
        fitted
    end
end
destroyer(::Factorization) = LibChord.chord_factorization_destroy

"All that is known about a factorisation, a model or a dataset."
info(fitted::Factorization) =
    filled(LibChord.chord_factorization_info, place -> LibChord.chord_factorization_get_info(fitted, place))

function Base.size(fitted::Factorization)
    about = info(fitted)
    (Int(about.rows), Int(about.columns))
end
Base.eltype(fitted::Factorization) = info(fitted).precision == 64 ? Float64 : Float32
apply!(z::Tensor, fitted::Factorization, v::Tensor) =
    (check(LibChord.chord_factorization_apply(fitted, v, z, 0)); z)
apply_transposed!(z::Tensor, fitted::Factorization, v::Tensor) =
    (check(LibChord.chord_factorization_apply(fitted, v, z, 1)); z)
dense!(out::Tensor, fitted::Factorization) =
    (check(LibChord.chord_factorization_dense(fitted, out)); out)

rows!(out::Tensor, fitted::Factorization, places) =
    (check(LibChord.chord_factorization_rows(fitted, places, length(places), out)); out)

"The stored factors as a chain."
function chain(fitted::Factorization)
    handle = made(Ptr{LibChord.chord_chain}, place -> LibChord.chord_factorization_get_chain(fitted, place))
    Chain{eltype(fitted)}(handle, fitted.n, weights(fitted).size, fitted.context)
end

"The stored factors, (L, N, M), in place."
weights(fitted::Factorization) =
    Tensor(made(TensorPointer, place -> LibChord.chord_factorization_get_weights(fitted, place)), fitted.context)

"Writes a safetensors file."
save(fitted::Factorization, path::AbstractString) = check(LibChord.chord_factorization_save(fitted, path))

function Factorization(path::AbstractString; context=default_context())
    call(place) = LibChord.chord_factorization_load(context, path, place)
    Factorization(made(Ptr{LibChord.chord_factorization}, call), context)
end

function Base.show(io::IO, fitted::Factorization)
    about = info(fitted)
    print(io, "Factorization ", about.rows, "×", about.columns, ", ", about.factors, " factors, relative error ",
          about.relative_error)
end

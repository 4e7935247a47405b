# Factors fitted to a matrix.

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
    filled(LibChord.chord_factorization_info, place -> LibChord.chord_factorization_get_info(fitted.handle, place))

Base.eltype(fitted::Factorization) = info(fitted).precision == 64 ? Float64 : Float32
apply!(z::Tensor, fitted::Factorization, v::Tensor) =
    (check(LibChord.chord_factorization_apply(fitted.handle, v.handle, z.handle, 0)); z)
apply_transposed!(z::Tensor, fitted::Factorization, v::Tensor) =
    (check(LibChord.chord_factorization_apply(fitted.handle, v.handle, z.handle, 1)); z)
dense!(out::Tensor, fitted::Factorization) =
    (check(LibChord.chord_factorization_dense(fitted.handle, out.handle)); out)

"The stored factors, (L, N, M), in place."
weights(fitted::Factorization) =
    Tensor(made(TensorPointer, place -> LibChord.chord_factorization_get_weights(fitted.handle, place)), fitted.context)

"Writes a safetensors file."
save(fitted::Factorization, path::AbstractString) = check(LibChord.chord_factorization_save(fitted.handle, path))

function Factorization(path::AbstractString; context=default_context())
    call(place) = LibChord.chord_factorization_load(context.handle, path, place)
    Factorization(made(Ptr{LibChord.chord_factorization}, call), context)
end

function Base.show(io::IO, fitted::Factorization)
    about = info(fitted)
    print(io, "Factorization ", about.n, "×", about.n, ", ", about.factors, " factors, relative error ",
          about.relative_error)
end

mutable struct Callback
    told::Any
    failure::Any
end

function tell(now::Ptr{LibChord.chord_factorize_progress}, user::Ptr{Cvoid})::Int32
    callback = unsafe_pointer_to_objref(user)::Callback
    try
        return callback.told(unsafe_load(now)) === false ? 1 : 0
    catch failure
        callback.failure = failure
        return 1
    end
end

given_matrix(path::AbstractString) =
    made(Ptr{LibChord.chord_matrix}, place -> LibChord.chord_matrix_read(path, place))
function given_matrix(X::AbstractMatrix)
    n, rows = LinearAlgebra.checksquare(X), Matrix{Float64}(permutedims(X))  # row by row
    made(Ptr{LibChord.chord_matrix}, place -> LibChord.chord_matrix_create_dense(n, rows, place))
end

const CONSTRAINTS = (none=0, nonnegative=1, stochastic=2, symmetric=3, semidefinite=4)

"""
    factorize(X; pattern=Pattern(n), constraint=:none, seconds=0, iterations=0, factors=0, seed=0, precision=64, …)
    factorize(X; …) do progress … end

Fits factors to a square matrix, or to that of a file. The block is told now and then (`error`, `best_error`, `relative_error`, `iteration`,
`seconds`) and stops the run by returning `false`; an exception in it, Ctrl-C too, ends the run and goes on here.
"""
function factorize(told, X::Union{AbstractMatrix,AbstractString}; pattern=nothing, constraint::Symbol=:none,
                   context=default_context(), options...)
    matrix = given_matrix(X)
    about = filled(LibChord.chord_matrix_info, place -> LibChord.chord_matrix_get_info(matrix, place))
    shared = something(pattern, Some(Pattern(about.n; context=context)))
    callback = Callback(told, nothing)
    try
        GC.@preserve callback begin
            given = Ref(LibChord.chord_factorize_options(; constraint=CONSTRAINTS[constraint],
                callback=@cfunction(tell, Int32, (Ptr{LibChord.chord_factorize_progress}, Ptr{Cvoid})),
                user=pointer_from_objref(callback), options...))
            call(place) = LibChord.chord_factorize(shared.handle, matrix, given, place)
            fitted = Factorization(made(Ptr{LibChord.chord_factorization}, call), shared.context)
            callback.failure === nothing || throw(callback.failure)
            return fitted
        end
    finally
        LibChord.chord_matrix_destroy(matrix)
    end
end
factorize(X::Union{AbstractMatrix,AbstractString}; options...) = factorize(_ -> nothing, X; options...)

# Fitting factors to a matrix: here and now, or as a job that runs beside.

"A block that a run tells how far it is, and what it threw."
mutable struct Callback
    told::Any
    failure::Any
end

# Ctrl-C may not jump out of C: it is held back while C runs, and let through where the block is called.
function tell(now::Ptr{LibChord.chord_factorize_progress}, user::Ptr{Cvoid})::Int32
    callback = unsafe_pointer_to_objref(user)::Callback
    try
        return reenable_sigint(() -> callback.told(unsafe_load(now))) === false ? 1 : 0
    catch failure
        callback.failure = failure
        return 1
    end
end

given_matrix(path::AbstractString) =
    made(Ptr{LibChord.chord_matrix}, place -> LibChord.chord_matrix_read(path, place))
function given_matrix(X::AbstractMatrix)
    rows = Matrix{Float64}(permutedims(X))  # row by row
    made(Ptr{LibChord.chord_matrix}, place -> LibChord.chord_matrix_create_rectangle(size(X)..., rows, place))
end

function given_matrix(X::SparseArrays.SparseMatrixCSC)
    rows, columns, values = SparseArrays.findnz(X)
    rows, columns = Vector{Int64}(rows .- 1), Vector{Int64}(columns .- 1)
    call(place) = LibChord.chord_matrix_create_sparse_rectangle(size(X)..., length(values), rows, columns,
                                                                Vector{Float64}(values), place)
    made(Ptr{LibChord.chord_matrix}, call)
end

const CONSTRAINTS = (none=0, nonnegative=1, stochastic=2, symmetric=3, semidefinite=4)
const Given = Union{AbstractMatrix,AbstractString}

"What `start(pattern, matrix, options)` makes of a run's arguments as C takes them."
function with_arguments(start, X::Given; pattern=nothing, constraint::Symbol=:none, checkpoint=nothing, resume=nothing,
                        context=default_context(), options...)
    matrix, file = given_matrix(X), String(something(checkpoint, ""))
    try
        n = filled(LibChord.chord_matrix_info, place -> LibChord.chord_matrix_get_info(matrix, place)).n
        shared = something(pattern, Some(Pattern(n; context=context)))
        GC.@preserve file resume begin
            given = LibChord.chord_factorize_options(; constraint=CONSTRAINTS[constraint], options...,
                checkpoint=checkpoint === nothing ? Ptr{UInt8}(C_NULL) : pointer(file),
                resume=resume === nothing ? Ptr{LibChord.chord_factorization}(C_NULL) : resume.handle)
            return start(shared, matrix, Ref(given))
        end
    finally
        LibChord.chord_matrix_destroy(matrix)
    end
end

"""
    factorize(X; pattern=Pattern(n), constraint=:none, seconds=0, iterations=0, factors=0, seed=0, precision=64, …)
    factorize(X; …) do progress … end

Fits factors to a matrix, dense or sparse, or to that of a file. `checkpoint` names a file for the best result so
far, `resume` is a factorisation to go on from, and other options are those of `LibChord.chord_factorize_options`. The
block is told now and then (`error`, `best_error`, `relative_error`, `iteration`, `seconds`) and stops the run by returning
`false`; an exception in it, Ctrl-C too, ends the run and goes on here.
"""
function factorize(told, X::Given; options...)
    callback = Callback(told, nothing)
    call = @cfunction(tell, Int32, (Ptr{LibChord.chord_factorize_progress}, Ptr{Cvoid}))
    user = pointer_from_objref(callback)
    GC.@preserve callback with_arguments(X; callback=call, user=user, options...) do pattern, matrix, given
        run(place) = disable_sigint(() -> LibChord.chord_factorize(pattern, matrix, given, place))
        fitted = Factorization(made(Ptr{LibChord.chord_factorization}, run), pattern.context)
        callback.failure === nothing || throw(callback.failure)
        fitted
    end
end
factorize(X::Given; options...) = factorize(_ -> nothing, X; options...)

"""
    start_factorize(X; …)

Begins what `factorize` does with the same options, in a thread of the library's. `progress(job)` and `isdone(job)` tell how
far it is, `cancel(job)` ends it soon with its best result so far, `wait(job)` waits, and `fetch(job)` gives the result. All
may be called from any task or thread. A job that nobody has any more is cancelled.
"""
mutable struct Job <: Handle
    handle::Ptr{LibChord.chord_job}
    context::Context
    Job(handle::Ptr, context::Context) = own(new(handle, context))
end
destroyer(::Job) = LibChord.chord_job_destroy

start_factorize(X::Given; options...) = with_arguments(X; options...) do pattern, matrix, given
    call(place) = LibChord.chord_factorize_start(pattern, matrix, given, place)
    Job(made(Ptr{LibChord.chord_job}, call), pattern.context)
end

"Whether a job has come to its end, whichever."
isdone(job::Job) = made(Int32, place -> LibChord.chord_job_poll(job, place, C_NULL)) != 0

"Where a job is: `error`, `relative_error`, `iteration`, `seconds`, …; zeros before the first of it."
progress(job::Job) =
    filled(LibChord.chord_factorize_progress, place -> LibChord.chord_job_poll(job, C_NULL, place))

"Asks a job to end soon with its best result so far."
cancel(job::Job) = check(LibChord.chord_job_cancel(job))

"Waits until a job is done, or for so many seconds, and tells whether it is; other tasks run meanwhile, and Ctrl-C ends it."
function Base.wait(job::Job; seconds::Real=Inf)
    until = time() + seconds
    while !isdone(job) && time() < until
        sleep(0.005)
    end
    isdone(job)
end

"Waits for a job's result, or throws what ended it."
function Base.fetch(job::Job)
    wait(job)
    call(place) = LibChord.chord_job_get_factorization(job, place)
    Factorization(made(Ptr{LibChord.chord_factorization}, call), job.context)
end

Base.show(io::IO, job::Job) =
    print(io, "Job, ", isdone(job) ? "done" : "running", ", relative error ", progress(job).relative_error)

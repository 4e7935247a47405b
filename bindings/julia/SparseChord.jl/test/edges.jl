# The edges: Ctrl-C, threads, processes that fork or end, garbage, a hundred thousand objects.

"A process of Julia's own, that runs a program with the package."
child(program; threads=1) =
    withenv(() -> open(`$(Base.julia_cmd()) --startup-file=no -e "using SparseChord; $program"`, "r"),
            "JULIA_NUM_THREADS" => string(threads))

@testset "Ctrl-C" begin
    # Julia 1.5 ends a script at Ctrl-C unless told otherwise; at its prompt it throws InterruptException, as here.
    process = child("""
        Base.exit_on_sigint(false)
        X = rand(64, 64)
        interrupted(work) = try
            println("ready")
            work()
        catch failure
            println(failure isa InterruptException, " ", size(factorize(X; iterations=5))[1])
        end
        interrupted(() -> factorize(X; seconds=60))
        interrupted(() -> factorize(p -> true, X; seconds=60))
        interrupted(() -> fetch(start_factorize(X; seconds=60)))""")
    for _ in 1:3
        @test readline(process) == "ready"
        sleep(0.3)
        kill(process, Base.SIGINT)
        @test readline(process) == "true 64"
    end
    wait(process)
    @test process.exitcode == 0
end

@testset "threads, and a process that ends beside a job" begin
    # Objects are made and forgotten in all threads while the collector runs.
    process = child("""
        function work()
            for _ in 1:300
                chain = Chain(fill(0.2, 5, 16, 2))
                chain * ones(16) ≈ ones(16) || return false
                GC.gc(false)
            end
            true
        end
        println(all(fetch.([Threads.@spawn work() for _ in 1:4])))
        job = start_factorize(rand(64, 64); seconds=60)
        wait(job; seconds=0.2)"""; threads=3)
    @test readline(process) == "true"
    wait(process)
    @test process.exitcode == 0
end

@testset "fork" begin
    # A forked child is told that the context is not its own.
    tensor = Tensor(zeros(4))
    process = ccall(:fork, Cint, ())
    process == 0 && ccall(:_exit, Cvoid, (Cint,), LibChord.chord_tensor_fill(tensor, 1.0))
    status = Ref{Cint}(0)
    @test ccall(:waitpid, Cint, (Cint, Ref{Cint}, Cint), process, status, 0) == process
    @test status[] >> 8 == LibChord.CHORD_ERROR_FORKED
end

@testset "finalisers leave the work to others" begin
    settle() = (GC.gc(); GC.gc(); SparseChord.bury())
    settle()
    forget() = (Tensor(zeros(4)); nothing)
    lent = length(SparseChord.lent)
    forget()
    GC.gc()
    @test length(SparseChord.graves) == 1 && length(SparseChord.lent) == lent + 1
    settle()
    @test isempty(SparseChord.graves) && length(SparseChord.lent) == lent
end

@testset "a hundred thousand objects" begin
    context = default_context()
    in_use() = SparseChord.filled(LibChord.chord_memory_info, m -> LibChord.chord_context_get_memory(context, m)).bytes_in_use
    resident() = parse(Int, split(read("/proc/self/statm", String))[2]) * 4096
    settle() = (GC.gc(); GC.gc(); SparseChord.bury())
    function make(array, count)
        for i in 1:count
            Tensor(array)
            close(Tensor{Float32}(undef, (4,)))
            i % 5000 == 0 && settle()
        end
    end
    make(zeros(4), 20_000)
    settle()
    before, kept, bytes = in_use(), length(SparseChord.lent), resident()
    make(zeros(4), 50_000)
    settle()
    @test in_use() == before
    @test length(SparseChord.lent) == kept
    @test resident() - bytes < 2^22
end

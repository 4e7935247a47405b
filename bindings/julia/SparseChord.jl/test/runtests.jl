using SparseChord, Test
using SparseChord: LibChord, default_context, offsets

"The dense matrix of a factor, in plain Julia; rows and columns count from 0 in the library."
function factor(w, o)
    n = size(w, 2)
    matrix = zeros(n, n)
    for i in 0:n-1, k in eachindex(o)
        matrix[i+1, mod(i + o[k], n)+1] += w[k, i+1]
    end
    matrix
end

@testset "chains" begin
    pattern = Pattern(13)
    w = randn(size(pattern)[2], 13, 3)
    reference = factor(w[:, :, 3], offsets(pattern)) * factor(w[:, :, 2], offsets(pattern)) * factor(w[:, :, 1], offsets(pattern))
    chain = Chain(w, pattern)
    v = randn(13)
    @test chain * v ≈ reference * v
    @test chain' * v ≈ reference' * v
    @test chain * randn(13, 4) isa Matrix
    @test dense(chain) ≈ reference
    batch = randn(2, 13, 3)
    z = apply(chain, batch)
    @test z[2, :, 3] ≈ reference * batch[2, :, 3]
    w .= 0  # the chain looks at the array
    @test chain * v == zeros(13)
    @test sprint(show, chain) == "Chain{Float64} 13×13"
end

@testset "errors" begin
    failure = try
        Chain(ones(5, 16, 2)) * ones(17)
    catch e
        e
    end
    @test failure isa ChordError && failure.status == LibChord.CHORD_ERROR_INVALID_SHAPE
    @test occursin("17", sprint(showerror, failure))
    @test_throws ChordError Context("moon")
    pattern = Pattern(8)
    close(pattern)
    @test_throws ChordError size(pattern)
end

@testset "factorisations" begin
    X = [i + j^2.0 for i in 1:16, j in 1:16]
    fitted = factorize(X; iterations=200, seed=1)
    made = dense(fitted)
    @test sqrt(sum(abs2, made - X)) ≈ info(fitted).error rtol = 1e-6
    @test fitted * ones(16) ≈ made * ones(16)
    @test fitted' * ones(16) ≈ made' * ones(16)
    mktempdir() do folder
        save(fitted, joinpath(folder, "f.safetensors"))
        @test dense(Factorization(joinpath(folder, "f.safetensors"))) == made
    end
    calls = 0
    stopped = factorize(rand(64, 64); seconds=30) do progress
        calls += 1
        calls < 2
    end
    @test calls == 2 && info(stopped).stop == LibChord.CHORD_STOP_CANCELLED
    @test_throws KeyError factorize(_ -> throw(KeyError("mine")), rand(64, 64); seconds=30)
end

@testset "models" begin
    function train()
        model, data = Model("adding"; length=16, seed=3), Dataset("adding"; length=16, count=96, seed=3)
        losses = [train_step!(model, x, y; learning_rate=3e-3).loss
                  for epoch in 0:5 for (x, y) in batches(data, 32; shuffle=true, seed=1, epoch=epoch)]
        @test info(model).step == 18
        losses, parameters(model)
    end
    losses, values = train()
    @test losses[end] < losses[1] / 2
    @test train() == (losses, values)
end

@testset "garbage" begin
    context = default_context()
    in_use() = SparseChord.filled(LibChord.chord_memory_info, m -> LibChord.chord_context_get_memory(context.handle, m)).bytes_in_use
    settle() = (GC.gc(); GC.gc(); SparseChord.bury())
    settle()
    before, kept = in_use(), length(SparseChord.lent)
    function make(array)
        for _ in 1:50_000
            Tensor(array)
            Tensor{Float32}(undef, (4,))
        end
    end
    make(zeros(4))
    settle()
    @test in_use() == before
    @test length(SparseChord.lent) == kept
end

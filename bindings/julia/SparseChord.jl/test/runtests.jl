using SparseChord, SparseArrays, Test
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
    @test rows(chain, [3, 1]) ≈ reference[[3, 1], :]
    @test "host" in devices()
    g, x = randn(1, 13), reshape(v, 1, 13)
    dw, dv = gradient(chain, x, g)
    @test vec(dv) ≈ reference' * vec(g)
    value() = sum(g .* apply(chain, x))
    below = value()
    w[2, 5, 2] += 1e-6
    @test (value() - below) / 1e-6 ≈ dw[2, 5, 2] atol = 1e-4
    w[2, 5, 2] -= 1e-6
    z = product!(Tensor(zeros(1, 13)), pattern, Tensor(w[:, :, 1]), Tensor(reshape(v, 1, 13)))
    @test vec(Array(z)) ≈ factor(w[:, :, 1], offsets(pattern)) * v
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
    @test dense(SparseChord.chain(fitted)) ≈ made && rows(fitted, 4:5) ≈ made[4:5, :]
    S = sprand(32, 32, 0.1)
    of_sparse = factorize(S; iterations=100)
    @test sqrt(sum(abs2, dense(of_sparse) - S)) ≈ info(of_sparse).error rtol = 1e-6
    more = factorize(X; resume=fitted, iterations=50)
    @test info(more).error <= info(fitted).error && info(more).iterations > info(fitted).iterations
    @test dense(factorize(X; constraint=:nonnegative, iterations=50)) |> minimum >= 0
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

@testset "gradients" begin
    whole, parts = Model("adding"; length=16, seed=3), Model("adding"; length=16, seed=3)
    data = Dataset("adding"; length=16, count=32, seed=3)
    train_step!(whole, data[1:32]...; micro_batch=16)
    for first in (0, 16)
        gradients!(parts, data[first+1:first+16]...; first_sequence=first, whole_batch=32, dropout=1, accumulate=first > 0)
    end
    apply_gradients!(parts)
    @test parameters(parts) == parameters(whole)
    @test length(gradients(parts)) == length(parameters(parts))
    @test "g.network.0.weight" in parameter_names(parts)
    @test vcat([vec(Array(parameter(parts, name))) for name in parameter_names(parts)]...) == parameters(parts)
    @test size(attention(parts, data[1:2][1], [1, 16])) == (16, 2, 2)

    model, x = Model("adding"; length=8, precision=64, seed=1), rand(2, 8, 3)
    dx = backward!(model, x, ones(1, 3))
    moved = copy(x)
    moved[1, 5, 2] += 1e-6
    @test (sum(forward(model, moved)) - sum(forward(model, x))) / 1e-6 ≈ dx[1, 5, 2] atol = 1e-6

    lengths, garbled = Int32[8, 3, 0], copy(x)
    garbled[:, 4:8, 2] .= NaN
    garbled[:, :, 3] .= NaN
    @test forward(model, garbled; lengths=lengths) == forward(model, x; lengths=lengths) != forward(model, x)
    @test backward!(model, garbled, ones(1, 3); lengths=lengths)[:, 4:8, 2] == zeros(2, 5)
    expected = evaluate(model, x, zeros(3); lengths=lengths).loss
    @test train_step!(model, garbled, zeros(3); lengths=lengths).loss == expected
    @test all(iszero, attention(model, garbled, [1]; lengths=lengths)[4:8, 1, 2])
    mktempdir() do folder
        save(model, joinpath(folder, "m.safetensors"))
        @test forward(load_model(joinpath(folder, "m.safetensors")), x) == forward(model, x)
    end
end

@testset "data" begin
    data = Dataset("order"; length=32, count=10, seed=5)
    x, y = data[1:end]
    @test size(x) == (32, 10) && eltype(x) == Int32 && length(y) == 10
    parts = collect(batches(data, 4))
    @test [size(p[1], 2) for p in parts] == [4, 4, 2]
    @test hcat(first.(parts)...) == x && vcat(last.(parts)...) == y
    @test_throws ChordError data[10:11]
    encoder = Encoder("listops"; length=16)
    tokens, used = encode(encoder, "[MAX 3 7 ]")
    @test length(tokens) == 16 && 0 < used < 16
    @test "[MAX" in [SparseChord.symbol(encoder, t) for t in tokens[1:used]]
end

@testset "tensors" begin
    tensor = Tensor(zeros(Float32, 3, 2))
    mapped(array -> (array[2, 1] = 5), tensor)
    @test Array(tensor) == [0 0; 5 0; 0 0]
    @test_throws KeyError mapped(_ -> throw(KeyError(1)), tensor)
    fill!(tensor, 2)
    @test mapped(sum, tensor) == 12
end

@testset "jobs" begin
    X = [i + j^2.0 for i in 1:16, j in 1:16]
    @test dense(fetch(start_factorize(X; iterations=200, seed=1))) == dense(factorize(X; iterations=200, seed=1))
    job = start_factorize(rand(64, 64); seconds=60)
    @test !wait(job; seconds=0.2) && !isdone(job) && occursin("running", sprint(show, job))
    @test progress(job).iteration > 0
    @async (sleep(0.1); cancel(job))
    @test info(fetch(job)).stop == LibChord.CHORD_STOP_CANCELLED
    @test_throws ChordError fetch(start_factorize(X; pattern=Pattern(8)))
end

include("edges.jl")

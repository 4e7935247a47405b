# Factorises a picture and applies the result, then trains a network: tour.jl PICTURE [PASSES]
using SparseChord, Printf

"The FNV-1a hash of numbers' bytes."
bits(values) = foldl((hash, byte) -> (hash ⊻ byte) * 0x00000100000001b3, reinterpret(UInt8, values);
                     init=0xcbf29ce484222325)

function factorise(path)
    factors = factorize(path; iterations=30, seed=1)
    n = size(factors)[1]
    sums = factors * ones(n)
    @printf("picture: %d rows, relative error %.4f, bits %016x\n", n, info(factors).relative_error, bits(sums))
end

function train(passes)
    model = Model("adding"; length=32, seed=1)
    data = Dataset("adding"; length=32, count=200, seed=1)
    loss = 0.0
    for epoch in 0:passes-1, (inputs, labels) in batches(data, 40; shuffle=true, seed=1, epoch=epoch)
        loss = train_step!(model, inputs, labels).loss
    end
    @printf("adding: loss %.4f, bits %016x\n", loss, bits(parameters(model)))
end

factorise(ARGS[1])
train(length(ARGS) > 1 ? parse(Int, ARGS[2]) : 20)

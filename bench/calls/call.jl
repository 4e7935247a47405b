# What a call from Julia costs: a product of 16 rows on existing tensors, queued.
using SparseChord, Printf

function best(pattern, w, v, z)
    times(count) = @elapsed for _ in 1:count
        product!(z, pattern, w, v)
    end
    minimum(times(1000) / 1000 for _ in 1:200)
end
ones_of(columns) = Tensor(ones(Float32, columns, 16))
@printf("%.2f\n", best(Pattern(16), ones_of(5), ones_of(4), ones_of(4)) * 1e6)

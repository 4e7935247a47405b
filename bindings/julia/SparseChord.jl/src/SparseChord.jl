"""
SparseChord: square matrices as products of about log₂N sparse factors, and networks with such attention.

    using SparseChord
    X = rand(64, 64)
    factors = factorize(X; seconds=5)        # X̂, a product of sparse factors
    factors * ones(64)                       # like X * ones(64)

Arrays are shared with the library, not copied, where their order in memory is the library's: its [B, N, D] is Julia's
(D, N, B), and its weights [M, N, L] are (L, N, M). `LibChord` is chord.h as it is, with its documentation.
"""
module SparseChord

import Libdl
import LinearAlgebra
export Context, Tensor, Pattern, Chain, Factorization, Model, Dataset, ChordError
export apply, apply_transposed, factorize, forward, train_step!, evaluate, batches, parameters, save, dense, weights, info

include("LibChord.jl")
using .LibChord
include("library.jl")
include("context.jl")
include("tensor.jl")
include("chain.jl")
include("factorize.jl")
include("model.jl")

__init__() = load_library()

end

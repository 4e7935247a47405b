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
import SparseArrays
export Context, Tensor, Pattern, Chain, Factorization, Job, Model, Dataset, Encoder, ChordError
export devices, product!, apply, apply_transposed, dense, rows, gradient, chain, weights, save, info, mapped
export factorize, start_factorize, progress, isdone, cancel
export forward, evaluate, train_step!, gradients!, backward!, apply_gradients!, gradients, parameters, parameter_names
export load_model, parameter, attention, batches, encode

include("LibChord.jl")
using .LibChord
include("library.jl")
include("context.jl")
include("tensor.jl")
include("chain.jl")
include("factorization.jl")
include("fit.jl")
include("model.jl")
include("data.jl")

__init__() = load_library()

end

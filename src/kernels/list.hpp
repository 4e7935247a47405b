// Every kernel of the library, once: what is not listed here is not compiled for any device.
//
// CHORD_KERNELS_ANY are for every device, CHORD_KERNELS_CPU for those with caches and few threads, CHORD_KERNELS_GPU
// for those with one thread per lane. An entry is a name, as it appears in device binaries, and the kernel.
#pragma once

#include "adam.hpp"
#include "chain.hpp"
#include "dense.hpp"
#include "descent.hpp"
#include "dropout.hpp"
#include "embedding.hpp"
#include "fit.hpp"
#include "loss.hpp"
#include "mlp.hpp"
#include "product.hpp"
#include "rows.hpp"
#include "visit.hpp"

#define CHORD_KERNELS_ANY(X)                                  \
  X(copy_4, copy_strided<std::uint32_t>)                      \
  X(copy_8, copy_strided<std::uint64_t>)                      \
  X(fill_4, fill_strided<std::uint32_t>)                      \
  X(fill_8, fill_strided<std::uint64_t>)                      \
  X(add_rows_f32, add_rows<float>)                            \
  X(add_rows_f64, add_rows<double>)                           \
  X(average_rows_f32, average_rows<float>)                    \
  X(average_rows_f64, average_rows<double>)                   \
  X(sum_partials_f32, sum_partials<float>)                    \
  X(sum_partials_f64, sum_partials<double>)                   \
  X(unit_columns_f32, unit_columns<float>)                    \
  X(unit_columns_f64, unit_columns<double>)                   \
  X(fit_residual_f32, fit_residual<float>)                    \
  X(fit_residual_f64, fit_residual<double>)                   \
  X(fit_weights_f32, fit_weights<float>)                      \
  X(fit_weights_f64, fit_weights<double>)                     \
  X(fit_gradient_f32, fit_gradient<float>)                    \
  X(fit_gradient_f64, fit_gradient<double>)                   \
  X(descent_step_f32, descent_step<float>)                    \
  X(descent_step_f64, descent_step<double>)                   \
  X(descent_dots_f32, descent_dots<float>)                    \
  X(descent_dots_f64, descent_dots<double>)                   \
  X(embed_tokens_f32, embed_tokens<float>)                    \
  X(embed_tokens_f64, embed_tokens<double>)                   \
  X(embed_tokens_gradient_f32, embed_tokens_gradient<float>)  \
  X(embed_tokens_gradient_f64, embed_tokens_gradient<double>) \
  X(positions_gradient_f32, positions_gradient<float>)        \
  X(positions_gradient_f64, positions_gradient<double>)       \
  X(dropout_f32, dropout<float>)                              \
  X(dropout_f64, dropout<double>)                             \
  X(gelu_values_f32, gelu_values<float>)                      \
  X(gelu_values_f64, gelu_values<double>)                     \
  X(gelu_gradient_f32, gelu_gradient<float>)                  \
  X(gelu_gradient_f64, gelu_gradient<double>)                 \
  X(cross_entropy_f32, cross_entropy<float>)                  \
  X(cross_entropy_f64, cross_entropy<double>)                 \
  X(squared_error_f32, squared_error<float>)                  \
  X(squared_error_f64, squared_error<double>)                 \
  X(adam_f32, adam<float>)                                    \
  X(adam_f64, adam<double>)

// One block shape of registers: products and chains, forward and transposed.
#define CHORD_KERNELS_SHAPE(X, name, T, Width, Registers, Rows)                  \
  X(product_##name, product<T, Width, Registers, Rows, false>)                   \
  X(product_transposed_##name, product<T, Width, Registers, Rows, true>)         \
  X(chain_apply_##name, chain_apply<T, Width, Registers, Rows, false>)           \
  X(chain_apply_transposed_##name, chain_apply<T, Width, Registers, Rows, true>) \
  X(chain_gradient_##name, chain_gradient<T, Width, Registers, Rows>)

// Layers of a model: the values in a vector, the vectors of a block, the rows of a tile.
#define CHORD_KERNELS_MODEL(X, name, T, Width, Vectors, Tile)    \
  X(mlp_forward_##name, mlp_forward<T, Width, Vectors, Tile>)    \
  X(mlp_backward_##name, mlp_backward<T, Width, Vectors, Tile>)  \
  X(embed_reals_##name, embed_reals<T, Width>)                   \
  X(embed_reals_gradient_##name, embed_reals_gradient<T, Width>) \
  X(dense_forward_##name, dense_forward<T, Width>)               \
  X(dense_gradient_input_##name, dense_gradient_input<T, Width>) \
  X(dense_gradient_weights_##name, dense_gradient_weights<T, Width>)

#define CHORD_KERNELS_CPU(X)                            \
  CHORD_KERNELS_SHAPE(X, f32_wide, float, 8, 8, 1)      \
  CHORD_KERNELS_SHAPE(X, f32_medium, float, 8, 4, 1)    \
  CHORD_KERNELS_SHAPE(X, f32_narrow, float, 8, 1, 4)    \
  CHORD_KERNELS_SHAPE(X, f64_wide, double, 4, 8, 1)     \
  CHORD_KERNELS_SHAPE(X, f64_medium, double, 4, 4, 1)   \
  CHORD_KERNELS_SHAPE(X, f64_narrow, double, 4, 1, 4)   \
  X(product_weights_f32, product_weights<float, 8, 4>)  \
  X(product_weights_f64, product_weights<double, 4, 4>) \
  X(fit_panels_f32, fit_panels<float>)                  \
  X(fit_panels_f64, fit_panels<double>)                 \
  CHORD_KERNELS_MODEL(X, f32, float, 8, 2, 96)          \
  CHORD_KERNELS_MODEL(X, f64, double, 4, 2, 48)

#define CHORD_KERNELS_GPU(X)                                     \
  X(product_f32_item, product<float, 4, 1, 1, false>)            \
  X(product_f64_item, product<double, 2, 1, 1, false>)           \
  X(product_transposed_f32_item, product<float, 4, 1, 1, true>)  \
  X(product_transposed_f64_item, product<double, 2, 1, 1, true>) \
  X(product_weights_f32_item, product_weights<float, 1, 1>)      \
  X(product_weights_f64_item, product_weights<double, 1, 1>)     \
  CHORD_KERNELS_MODEL(X, f32_item, float, 1, 1, 1)               \
  CHORD_KERNELS_MODEL(X, f64_item, double, 1, 1, 1)

#define CHORD_KERNELS_ALL(X) CHORD_KERNELS_ANY(X) CHORD_KERNELS_CPU(X) CHORD_KERNELS_GPU(X)

// Every operation of the library, once, by the name of its record: what is not listed here is not compiled for any
// device.
#pragma once

#include "adam.hpp"
#include "chain.hpp"
#include "dense.hpp"
#include "descent.hpp"
#include "dropout.hpp"
#include "embedding.hpp"
#include "factors.hpp"
#include "fit.hpp"
#include "indices.hpp"
#include "loss.hpp"
#include "mlp.hpp"
#include "product.hpp"
#include "rows.hpp"
#include "visit.hpp"

#define CHORD_OPERATIONS(X)   \
  X(copy_strided)             \
  X(fill_strided)             \
  X(add_rows)                 \
  X(average_rows)             \
  X(sum_partials)             \
  X(unit_columns)             \
  X(product)                  \
  X(product_gradient_values)  \
  X(product_gradient_weights) \
  X(chain_apply)              \
  X(chain_gradient)           \
  X(fit_panels)               \
  X(fit_residual)             \
  X(fit_weights)              \
  X(fit_gradient)             \
  X(descent_step)             \
  X(descent_dots)             \
  X(sum_squares)              \
  X(add_noise)                \
  X(spread_factors)           \
  X(check_indices)            \
  X(embed_tokens)             \
  X(embed_tokens_gradient)    \
  X(embed_reals)              \
  X(embed_reals_gradient)     \
  X(positions_gradient)       \
  X(mlp_forward)              \
  X(mlp_backward)             \
  X(dropout)                  \
  X(dense_forward)            \
  X(dense_gradient_input)     \
  X(dense_gradient_weights)   \
  X(gelu_forward)             \
  X(gelu_backward)            \
  X(cross_entropy)            \
  X(squared_error)            \
  X(adam)

// What a caller asks a fit for.
#pragma once

#include <optional>

#include "capi/handles.hpp"
#include "factorize/factorize.hpp"

namespace chord::capi {

/// Keeps what the fit works on and goes on from.
class FitRequest {
 public:
  FitRequest(const chord_pattern* pattern, const chord_matrix* matrix, const chord_factorize_options* options);
  /// Of an operator.
  FitRequest(const chord_pattern* pattern, const chord_factorize_options* options);
  FitRequest(const FitRequest&) = delete;
  FitRequest& operator=(const FitRequest&) = delete;

 private:
  void read(const chord_pattern* pattern, const chord_factorize_options* options);

  std::shared_ptr<const Matrix> matrix_;
  std::optional<Factorization> resume_;

 public:
  Splits splits;
  FitOptions fit;
};

chord_factorize_progress progress_of(const FitProgress& progress);

}  // namespace chord::capi

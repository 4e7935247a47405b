#include "fitter.hpp"

#include <csignal>

#include "common/misuse.hpp"
#include "mpi/shared_fit.hpp"

namespace factorize {
namespace {

constexpr int64_t default_pieces = 8;

volatile std::sig_atomic_t told_to_end = 0;

}  // namespace

Fitter::Fitter(const Options& options, program::Team& team)
    : team_(team), pieces_(team.launched() && options.pieces == 0 ? default_pieces : options.pieces) {
  if (pieces_ < team.size() && team.size() > 1)
    throw program::Misuse("--pieces", "is " + std::to_string(pieces_) + ", too few for " + std::to_string(team.size()) +
                                          " ranks; other pieces have other roundings");
}

Fitter::~Fitter() {
  if (!team_.leads() || team_.size() == 1) return;
  try {
    parallel::end_fits(team_.peers());
  } catch (const std::exception&) {
    // They have ended already.
  }
}

chord::Factorization Fitter::fit(const chord::Pattern& pattern, const chord::Matrix& matrix,
                                 const chord_factorize_options& options) const {
  if (pieces_ == 0) return chord::Factorization::fit(pattern, matrix, options);
  return chord::Factorization(parallel::lead_fit(team_.peers(), {pattern.get(), matrix.get(), &options, pieces_}));
}

void Fitter::follow(chord::Context& context) const {
  // They end the fit, not the wait for the leader, who writes what was found and ends all; a launcher that means it
  // does not ask.
  for (const int signal : {SIGINT, SIGTERM, SIGHUP}) std::signal(signal, [](int) { told_to_end = 1; });
  const auto ask = [](const chord_factorize_progress*, void*) -> int32_t { return told_to_end; };
  for (bool more = true; more;) try {
      chord_factorization* const found = parallel::follow_fit(team_.peers(), context.get(), ask);
      more = found != nullptr;
      chord_factorization_destroy(found);
    } catch (const chord::Error&) {
      // It is the leader's as well, who tells.
    }
}

}  // namespace factorize

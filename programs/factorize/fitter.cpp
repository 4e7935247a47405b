#include "fitter.hpp"

#include <csignal>

#include "common/interrupt.hpp"
#include "common/misuse.hpp"
#include "mpi/shared_fit.hpp"

namespace factorize {
namespace {

constexpr int64_t default_pieces = 8;

volatile std::sig_atomic_t signal_caught = 0;

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
  chord::Factorization found(parallel::lead_fit(team_.peers(), {pattern.get(), matrix.get(), &options, pieces_}));
  team_.agree_on_signals(program::interrupted());
  return found;
}

void Fitter::follow(chord::Context& context) const {
  // They end the fit, not the wait for the leader, who writes what was found and ends all; a launcher that means it
  // does not ask.
  for (const int signal : {SIGINT, SIGTERM, SIGHUP}) std::signal(signal, [](int number) { signal_caught = number; });
  const auto ask = [](const chord_factorize_progress*, void*) -> int32_t { return signal_caught; };
  for (bool more = true; more;) try {
      chord_factorization* const found = parallel::follow_fit(team_.peers(), context.get(), ask);
      more = found != nullptr;
      chord_factorization_destroy(found);
      if (more) team_.agree_on_signals(signal_caught);
    } catch (const parallel::PeerFailed&) {
      // The leader has failed as well, or was told, and tells.
    } catch (const parallel::PeersLost&) {
      throw;
    } catch (const std::exception&) {
      // The leader was told.
    }
}

int Fitter::interrupted() const {
  const int own = program::interrupted();
  return own ? own : team_.interrupted();
}

}  // namespace factorize

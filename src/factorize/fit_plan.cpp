#include "factorize/fit_plan.hpp"

#include <algorithm>

#include "common/size.hpp"
#include "factorize/fit_peers.hpp"
#include "kernels/fit.hpp"

namespace chord {
namespace {

// A panel of a CPU's worker should stay in its core's first cache, but be wide enough for what is done once for all of
// its columns: below 32 that is more than the second cache costs, with vectors of 64 bytes (of 32 it is as much). They
// are taken four at a time.
constexpr std::int64_t panel_bytes = 32 << 10;
constexpr std::int64_t narrow_panel = 32, wide_panel = 64, columns_together = 4;

// Less work than this (multiplications of one way through the factors) is done before a second thread has begun.
constexpr std::int64_t work_worth_threads = 100 << 10;
// So many columns pay for a worker's own sum.
constexpr std::int64_t fewest_workers = 2, columns_for_a_worker = 256;

// A GPU's work-group takes a panel whose rows are whole sectors; as many groups as there are panels, unless their sums
// and values outgrow this. Larger matrices keep a whole GPU busy with a step at a time.
constexpr std::int64_t group_panel_bytes = 32, bytes_of_groups = std::int64_t(64) << 20;

// What the workers of all pieces of a shared fit may have; larger matrices are taken a step at a time.
constexpr std::int64_t bytes_of_pieces = std::int64_t(512) << 20;

// Devices that take a step at a time want many columns at once, and have this much memory for all steps of them.
constexpr std::int64_t stepwise_bytes = std::int64_t(512) << 20, stepwise_panel = 64;

std::int64_t round_up(std::int64_t value, std::int64_t multiple) {
  return std::int64_t(kernels::divide_up(value, multiple)) * multiple;
}

const DeviceDescription& device_of(const FitProblem& problem) { return problem.pattern->context()->device(); }

kernels::Links links_of(const FitProblem& problem) { return {nullptr, problem.pattern->n(), problem.pattern->links()}; }

/// Whether a work-group has room for the weights of a factor.
bool fits_group(const FitProblem& problem, std::size_t element_bytes) {
  const std::int64_t panel = group_panel_bytes / std::int64_t(element_bytes);
  const auto bytes = element_bytes == sizeof(float) ? kernels::fit_panels::local_bytes_of<float>
                                                    : kernels::fit_panels::local_bytes_of<double>;
  return bytes(links_of(problem), panel, kernels::least_group_lanes) <= device_of(problem).shared_local_bytes();
}

/// A row of all panels of a worker, where they lie by rows.
std::int64_t row_bytes(const FitProblem& problem, std::int64_t element) {
  return checked_multiply(kernels::scratch_panels(problem.walk()) * element, problem.pattern->n());
}

/// What a group of a GPU has for itself: its panels, or its sums, whichever is more.
std::int64_t group_bytes(const FitProblem& problem, std::int64_t panel, std::int64_t element) {
  return std::max(row_bytes(problem, element) * panel, checked_multiply(problem.weights(), element));
}

/// The width of a CPU's panels, where workers share so many columns: all of them have about as many, in as few turns as
/// the cache allows.
std::int64_t panel_for(const FitProblem& problem, std::int64_t element, std::int64_t columns, std::int64_t workers) {
  const std::int64_t widest = std::clamp(panel_bytes / (problem.pattern->n() * element), narrow_panel, wide_panel);
  const auto each = std::int64_t(kernels::divide_up(columns, workers));
  const auto turns = std::int64_t(kernels::divide_up(each, widest));
  return round_up(std::int64_t(kernels::divide_up(each, turns)), columns_together);
}

/// Of a process that has pieces of X's columns: a worker for each, if there is memory for all pieces. That of the own
/// alone must not decide, because all are to compute alike.
FitPlan plan_pieces(const FitProblem& problem, std::int64_t element) {
  const FitPeers& peers = *problem.peers;
  const std::int64_t columns = problem.shape().columns;
  const FitPlan fused{true, panel_for(problem, element, columns, peers.pieces()), peers.own()};
  const std::int64_t each = checked_add(scratch_of_worker(problem, fused, std::size_t(element)),
                                        checked_multiply(problem.weights(), element));
  if (checked_multiply(each, peers.pieces()) <= bytes_of_pieces) return fused;
  return {false, std::min(stepwise_panel, round_up(columns, 32 / element)), 1};
}

}  // namespace

std::int64_t scratch_of_worker(const FitProblem& problem, const FitPlan& plan, std::size_t element_bytes) {
  const std::int64_t by_rows = checked_multiply(row_bytes(problem, std::int64_t(element_bytes)), plan.panel);
  if (!plan.fused || !device_of(problem).cpu_like()) return by_rows;
  const auto values = element_bytes == sizeof(float) ? kernels::fit_panels::cpu_scratch<float>
                                                     : kernels::fit_panels::cpu_scratch<double>;
  return checked_multiply(values(problem.walk(), links_of(problem), plan.panel), std::int64_t(element_bytes));
}

FitPlan plan_fit(const FitProblem& problem, std::size_t element_bytes) {
  const std::int64_t n = problem.pattern->n(), element = std::int64_t(element_bytes), vector = 32 / element;
  const std::int64_t columns = problem.shape().columns;
  const bool cpu = device_of(problem).cpu_like();
  if (!cpu && !problem.peers && fits_group(problem, element_bytes)) {
    const std::int64_t panel = group_panel_bytes / element;
    const auto panels = std::int64_t(kernels::divide_up(columns, panel));
    return {true, panel, std::clamp<std::int64_t>(bytes_of_groups / group_bytes(problem, panel, element), 1, panels)};
  }
  if (!cpu) {
    const std::int64_t fit = stepwise_bytes / row_bytes(problem, element) / vector * vector;
    return {false, std::clamp(fit, vector, round_up(columns, vector)), 1};
  }
  if (problem.peers) return plan_pieces(problem, element);
  // The same for any number of cores, because each worker has a sum of its own and the order of additions decides about
  // the last bits: a width that suits two of them, and workers for more where each then has many columns.
  const bool small = checked_multiply(problem.weights(), n) < work_worth_threads;
  const std::int64_t workers = small ? 1 : std::max(fewest_workers, columns / columns_for_a_worker);
  const std::int64_t panel = panel_for(problem, element, columns, workers);
  return {true, panel, std::min(workers, std::int64_t(kernels::divide_up(columns, panel)))};
}

/// A GPU takes several sets of factors that are small.
std::int64_t sets_together(const FitProblem& problem, std::size_t element_bytes, std::int64_t most) {
  const FitPlan plan = plan_fit(problem, element_bytes);
  if (device_of(problem).cpu_like() || !plan.fused || problem.rank > 0) return 1;
  const std::int64_t each = plan.workers * group_bytes(problem, plan.panel, std::int64_t(element_bytes));
  return std::clamp<std::int64_t>(bytes_of_groups / each, 1, std::max<std::int64_t>(most, 1));
}

}  // namespace chord

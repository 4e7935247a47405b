#include "nn/batch_cut.hpp"

#include "nn/layers.hpp"
#include "nn/workspace.hpp"

namespace chord {
namespace {

// What is read again within a pass: together with what passes by, it stays in a shared cache of 32 MB.
constexpr std::int64_t cached_bytes = 16 << 20;
// Fours of sequences, for as many threads and for a chain in one launch.
constexpr std::int64_t fewest_together = 4;
// Workers of the networks leave sums of their own at the end of every pass: they should be less than a sixth of the
// values.
constexpr std::int64_t values_to_sums = 6;

std::int64_t in_fours(std::int64_t sequences) { return sequences / fewest_together * fewest_together; }

}  // namespace

BatchCut cut_for_caches(const ModelDescription& d, const ParameterList& list, const DeviceDescription& device,
                        std::int64_t batch, bool training) {
  const BatchCut whole{batch, batch};
  if (device.kind != DeviceKind::host || batch <= fewest_together) return whole;
  const auto value_bytes = [&](std::int64_t sequences) {
    return Workspace(d, list, device, {sequences, training, Memory::normal}).values_size() *
           std::int64_t(size_of(d.type()));
  };
  const std::int64_t cached = cached_bytes / std::max<std::int64_t>(value_bytes(1), 1);
  const std::int64_t most = std::max(in_fours(cached), fewest_together);
  if (batch <= most) return whole;
  const std::int64_t passes = (batch + most - 1) / most, together = in_fours((batch + passes - 1) / passes + 3);
  const Workspace pass(d, list, device, {together, training, Memory::normal});
  return values_to_sums * pass.partial_size > pass.values_size() ? whole : BatchCut{batch, together};
}

}  // namespace chord

#include "data/generated.hpp"

#include <algorithm>

#include "common/size.hpp"

namespace chord {
namespace {

std::int64_t length_of(const DatasetRequest& request) {
  if (request.length == 0) return usual_length;
  if (request.length < 2)
    fail(Status::invalid_argument, "length is ", request.length, "; the task ", request.task,
         " marks two positions, so expected 2 or more, or 0 for ", usual_length);
  return checked_int32(request.length, "length");
}

std::int64_t count_of(const DatasetRequest& request) {
  const std::int64_t usual = usual_count(request.split);
  if (request.count == 0) return usual;
  if (request.count < 0)
    fail(Status::invalid_argument, "count is ", request.count, "; expected 1 or more, or 0 for ", usual);
  return checked_int32(request.count, "count");
}

}  // namespace

GeneratedDataset::GeneratedDataset(const DatasetRequest& request, const Kind& kind)
    : Dataset({count_of(request), length_of(request), kind.features, kind.vocabulary, kind.classes}),
      stream_(kind.stream),
      split_(request.split),
      seed_(request.seed) {
  if (!request.data.empty())
    fail(Status::invalid_argument, "data is '", request.data, "'; the task ", request.task,
         " is generated, so none is expected");
}

Random GeneratedDataset::random_of(std::int64_t index) const {
  return chord::random_of(stream_, seed_, std::uint16_t(split_), std::uint32_t(index));
}

GeneratedDataset::Marks GeneratedDataset::marks_of(const Random& random) const {
  const Random::Block bits = random.block(0);
  const auto length = std::uint32_t(info().length);
  const std::int64_t one = Random::integer_of(bits, 0, length);
  std::int64_t other = Random::integer_of(bits, 2, length - 1);
  if (other >= one) ++other;
  return {std::min(one, other), std::max(one, other)};
}

}  // namespace chord

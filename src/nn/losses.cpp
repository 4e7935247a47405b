#include "nn/losses.hpp"

#include <cmath>
#include <limits>
#include <utility>

#include "common/size.hpp"
#include "device/launch.hpp"
#include "operations/copy.hpp"

namespace chord {
namespace {

/// Of a sequence.
double loss_of(const ModelDescription& description, double sum, double gap) {
  return description.loss == Loss::cross_entropy ? std::log(sum) + gap : gap;
}

}  // namespace

template <class T>
StepResult result_of(const ModelDescription& description, const BatchCut& cut, const T* parts) {
  StepResult result;
  result.count = cut.all;
  bool fault = false;
  for_each_pass(cut, [&](std::int64_t first, std::int64_t count) {
    const T* sums = parts + 3 * first;
    for (std::int64_t i = 0; i < count; ++i) {
      const T correct = sums[2 * count + i];
      fault = fault || correct < T(0);
      result.loss += loss_of(description, sums[i], sums[count + i]) / double(cut.all);
      result.correct += correct > T(0);
    }
  });
  if (fault) result.loss = std::numeric_limits<double>::quiet_NaN();
  return result;
}

std::int64_t KeptLosses::bytes(std::int64_t sequences, DataType type) {
  return std::int64_t(
      Pool::block_size(std::size_t(checked_multiply(places * BatchCut{sequences, 0}.parts(), size_of(type)))));
}

/// Room for so many parts in every place; what is kept stays.
void KeptLosses::widen(const Tensor& parts) {
  const std::int64_t width = parts.elements(), old = memory_ ? memory_->shape[1] : 0;
  if (memory_ && width <= old) return;
  const Tensor wider = Tensor::create(parts.storage->shared_context(), parts.type, {places, width});
  if (!steps_.empty()) copy(*memory_, wider.view(memory_->shape, wider.strides, 0));
  memory_ = wider;
}

template <class T>
void KeptLosses::keep(const Tensor& parts, const BatchCut& cut, const kernels::Faults& faults) {
  widen(parts);
  if (std::int64_t(steps_.size()) == places) {
    steps_.pop_front();
    first_ = (first_ + 1) % places;
    ++lost_;
  }
  const std::int64_t place = (first_ + std::int64_t(steps_.size())) % places;
  launch<kernels::keep_losses, T>(*parts.context().submit(), {.parts = parts.data<T>(),
                                                              .to = memory_->data<T>() + place * memory_->shape[1],
                                                              .faults = faults,
                                                              .count = cut.parts()});
  steps_.push_back(cut);
}

template <class T>
KeptLosses::Taken KeptLosses::take(std::int64_t most) {
  Taken taken;
  const std::int64_t count = std::min(most, std::int64_t(steps_.size()));
  if (count > 0) {
    const std::int64_t width = memory_->shape[1], until_end = std::min(count, places - first_);
    std::vector<T> parts(std::size_t(count * width));
    const auto rows = [&](std::int64_t first, std::int64_t number) {
      return memory_->view({number, width}, memory_->strides, first * width);
    };
    copy_to_host(rows(first_, until_end), parts.data());
    copy_to_host(rows(0, count - until_end), parts.data() + until_end * width);
    for (std::int64_t i = 0; i < count; ++i)
      taken.results.push_back(result_of(description_, steps_[std::size_t(i)], parts.data() + i * width));
    steps_.erase(steps_.begin(), steps_.begin() + count);
    first_ = (first_ + count) % places;
  }
  taken.lost = std::exchange(lost_, 0);
  return taken;
}

template StepResult result_of(const ModelDescription&, const BatchCut&, const float*);
template StepResult result_of(const ModelDescription&, const BatchCut&, const double*);
template void KeptLosses::keep<float>(const Tensor&, const BatchCut&, const kernels::Faults&);
template void KeptLosses::keep<double>(const Tensor&, const BatchCut&, const kernels::Faults&);
template KeptLosses::Taken KeptLosses::take<float>(std::int64_t);
template KeptLosses::Taken KeptLosses::take<double>(std::int64_t);

}  // namespace chord

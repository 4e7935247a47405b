#include "operations/tensor.hpp"

#include <algorithm>
#include <cstdlib>
#include <numeric>
#include <vector>

#include "common/error.hpp"
#include "common/size.hpp"
#include "device/process.hpp"

namespace chord {

std::size_t size_of(DataType type) { return type == DataType::float32 || type == DataType::int32 ? 4 : 8; }

const char* name_of(DataType type) {
  switch (type) {
    case DataType::float32: return "float32";
    case DataType::float64: return "float64";
    case DataType::int32: return "int32";
    case DataType::int64: return "int64";
  }
  return "unknown";
}

const char* stored_name_of(DataType type) {
  switch (type) {
    case DataType::float32: return "F32";
    case DataType::float64: return "F64";
    case DataType::int32: return "I32";
    case DataType::int64: break;
  }
  return "I64";
}

Storage::Storage(std::shared_ptr<Context> context, std::size_t bytes)
    : context_(std::move(context)),
      memory_(static_cast<char*>(context_->pool().allocate(bytes))),
      bytes_(bytes),
      pooled_(true) {}

Storage::Storage(std::shared_ptr<Context> context, void* memory, std::size_t bytes, std::function<void()> release)
    : context_(std::move(context)),
      memory_(static_cast<char*>(memory)),
      bytes_(bytes),
      pooled_(false),
      release_(std::move(release)) {
  expose();
}

void Storage::remember(const IndexRange& range) {
  const std::lock_guard lock(range_mutex_);
  if (!exposed_) range_ = range;
}

void Storage::forget() {
  const std::lock_guard lock(range_mutex_);
  range_.reset();
}

void Storage::expose() {
  const std::lock_guard lock(range_mutex_);
  exposed_ = true;
  range_.reset();
}

std::optional<IndexRange> Storage::remembered() const {
  const std::lock_guard lock(range_mutex_);
  return range_;
}

Storage::~Storage() {
  if (pooled_) {
    if (!context_->abandoned()) context_->pool().release(memory_);
    return;
  }
  // A fork's copy of somebody's memory is not ours to give back, nor memory that a dying queue may still write to.
  if (context_->abandoned() || !in_owner_process()) return;
  context_->drain();
  if (release_) release_();
}

Extents::Extents(std::initializer_list<std::int64_t> values) : Extents(int(values.size()), values.begin()) {}

Extents::Extents(int count, const std::int64_t* values) : size_(count) {
  if (count < 0 || count > most) fail(Status::invalid_shape, "a tensor has 0 to ", most, " dimensions, not ", count);
  std::copy_n(values, count, values_.begin());
}

bool Extents::operator==(const Extents& other) const {
  return size_ == other.size_ && std::equal(values_.begin(), values_.begin() + size_, other.values_.begin());
}

std::string describe(const Extents& shape) {
  std::string result = "[";
  for (int i = 0; i < shape.size(); ++i) result += (i ? ", " : "") + std::to_string(shape[i]);
  return result + "]";
}

std::int64_t element_count(const Extents& shape) {
  std::int64_t count = 1;
  bool empty = false;
  for (int i = 0; i < shape.size(); ++i) {
    if (shape[i] < 0) fail(Status::invalid_shape, "dimension ", i, " of shape ", describe(shape), " is negative");
    if (shape[i] == 0)
      empty = true;
    else
      count = checked_multiply(count, shape[i]);
  }
  return empty ? 0 : count;
}

Extents contiguous_strides(const Extents& shape) {
  element_count(shape);
  Extents strides = shape;
  std::int64_t stride = 1;
  for (int i = shape.size() - 1; i >= 0; --i) {
    strides[i] = stride;
    stride *= std::max<std::int64_t>(shape[i], 1);
  }
  return strides;
}

Tensor Tensor::create(const std::shared_ptr<Context>& context, DataType type, const Extents& shape) {
  Tensor tensor;
  const std::int64_t bytes = checked_multiply(element_count(shape), size_of(type));
  tensor.type = type;
  tensor.shape = shape;
  tensor.strides = contiguous_strides(shape);
  // Of an empty tensor, too, bytes can be counted from one element to any other.
  if (shape.size() > 0)
    checked_multiply(checked_multiply(tensor.strides[0], std::max<std::int64_t>(shape[0], 1)), size_of(type));
  tensor.storage = std::make_shared<Storage>(context, bytes);
  return tensor;
}

bool Tensor::contiguous() const {
  std::int64_t expected = 1;
  for (int i = rank() - 1; i >= 0; --i) {
    if (shape[i] == 0) return true;
    if (shape[i] != 1 && strides[i] != expected) return false;
    expected *= shape[i];
  }
  return true;
}

std::pair<std::int64_t, std::int64_t> Tensor::reach() const {
  if (elements() == 0) return {offset, offset};
  std::int64_t low = 0, high = 0;
  for (int i = 0; i < rank(); ++i) {
    const std::int64_t span = checked_multiply(shape[i] - 1, strides[i]);
    (span < 0 ? low : high) = checked_add(span < 0 ? low : high, span);
  }
  const std::int64_t size = size_of(type);
  return {checked_add(offset, checked_multiply(low, size)),
          checked_add(offset, checked_multiply(checked_add(high, 1), size))};
}

Tensor Tensor::view(const Extents& new_shape, const Extents& new_strides, std::int64_t element_offset) const {
  if (new_shape.size() != new_strides.size())
    fail(Status::invalid_shape, new_shape.size(), " extents but ", new_strides.size(), " strides");
  element_count(new_shape);
  Tensor result = *this;
  result.shape = new_shape;
  result.strides = new_strides;
  result.offset = checked_add(offset, checked_multiply(element_offset, size_of(type)));
  const auto [first, last] = result.reach();
  const auto [own_first, own_last] = reach();
  if (first < own_first || last > own_last)
    fail(Status::invalid_shape, "a view of shape ", describe(new_shape), ", strides ", describe(new_strides), " at ",
         element_offset, " reaches bytes ", first - own_first, " to ", last - own_first, " of a tensor that has ",
         own_last - own_first);
  return result;
}

namespace {

/// Where all rows of both tensors lie on one ladder of equal steps, as columns of one matrix do: whether they share no
/// place between two steps.
bool in_different_columns(const Tensor& a, const Tensor& b) {
  std::int64_t step = 0;
  for (const Tensor* tensor : {&a, &b}) {
    const int last = tensor->rank() - 1;
    if (last < 1 || tensor->strides[last] != 1) return false;
    for (int i = 0; i < last; ++i)
      if (tensor->shape[i] > 1) step = std::gcd(step, tensor->strides[i] * std::int64_t(size_of(tensor->type)));
  }
  if (step == 0) return false;
  const auto width = [](const Tensor& tensor) {
    return tensor.shape[tensor.rank() - 1] * std::int64_t(size_of(tensor.type));
  };
  const std::int64_t distance = b.data<char>() - a.data<char>(), place = (distance % step + step) % step;
  return place >= width(a) && place + width(b) <= step;
}

}  // namespace

bool overlap(const Tensor& a, const Tensor& b) {
  const auto [a_first, a_last] = a.reach();
  const auto [b_first, b_last] = b.reach();
  const char* a_memory = a.storage->memory();
  const char* b_memory = b.storage->memory();
  return a_memory + a_first < b_memory + b_last && b_memory + b_first < a_memory + a_last &&
         !in_different_columns(a, b);
}

bool has_shared_elements(const Tensor& tensor) {
  if (tensor.elements() == 0) return false;
  std::vector<std::pair<std::int64_t, std::int64_t>> steps;  // stride and extent, closest first
  for (int i = 0; i < tensor.rank(); ++i)
    if (tensor.shape[i] > 1) steps.emplace_back(std::abs(tensor.strides[i]), tensor.shape[i]);
  std::sort(steps.begin(), steps.end());
  std::int64_t span = 1;  // of the dimensions so far
  for (const auto& [stride, extent] : steps) {
    if (stride < span) return true;
    span = checked_add(span, checked_multiply(extent - 1, stride));
  }
  return false;
}

void expect_writable(const char* name, const Tensor& tensor) {
  if (has_shared_elements(tensor))
    fail(Status::invalid_argument, name, ", of shape ", describe(tensor.shape), " and strides ",
         describe(tensor.strides), ", has elements that share memory; it cannot be written");
}

}  // namespace chord

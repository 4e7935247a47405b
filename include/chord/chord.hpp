// SparseChord for C++17: values that own the handles of chord.h, and exceptions instead of statuses. Header-only; see
// chord.h for what each function computes and its shapes.
#ifndef CHORD_CHORD_HPP
#define CHORD_CHORD_HPP

#include <chord/chord.h>

#include <exception>
#include <functional>
#include <memory>
#include <stdexcept>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

namespace chord {
inline namespace api {

/// A call that failed: its status, and chord_last_error() as what().
class Error : public std::runtime_error {
 public:
  explicit Error(chord_status status) : std::runtime_error(chord_last_error()), status_(status) {}
  chord_status status() const noexcept { return status_; }

 private:
  chord_status status_;
};

inline void check(chord_status status) {
  if (status != CHORD_SUCCESS) throw Error(status);
}

/// Values that lie behind each other in somebody's memory: of a vector, an array, or from a pointer on.
template <class T>
class Span {
 public:
  Span() = default;
  Span(T* data, std::size_t size) : data_(data), size_(size) {}
  template <class Container, class = decltype(std::declval<Container&>().size()),
            class = std::enable_if_t<std::is_convertible_v<decltype(std::declval<Container&>().data()), T*>>>
  Span(Container&& values) : data_(values.data()), size_(values.size()) {}  // NOLINT: meant to convert
  template <std::size_t Size>
  Span(T (&values)[Size]) : data_(values), size_(Size) {}  // NOLINT: meant to convert

  T* data() const { return data_; }
  std::size_t size() const { return size_; }
  std::size_t bytes() const { return size_ * sizeof(T); }
  T* begin() const { return data_; }
  T* end() const { return data_ + size_; }
  T& operator[](std::size_t i) const { return data_[i]; }

 private:
  T* data_ = nullptr;
  std::size_t size_ = 0;
};

namespace detail {

template <class Handle, chord_status (*Destroy)(Handle*)>
struct Destroyer {
  void operator()(Handle* handle) const noexcept { static_cast<void>(Destroy(handle)); }
};
template <class Handle, chord_status (*Destroy)(Handle*)>
using Owned = std::unique_ptr<Handle, Destroyer<Handle, Destroy>>;

template <class Info>
Info empty_info() {
  Info info{};
  info.struct_size = sizeof info;
  return info;
}

/// All there are of something that the library lists by index.
template <class Info>
std::vector<Info> listed(chord_status (*count_of)(int32_t*), chord_status (*get_info)(int32_t, Info*)) {
  int32_t count = 0;
  check(count_of(&count));
  std::vector<Info> all;
  for (int32_t i = 0; i < count; ++i) {
    all.push_back(empty_info<Info>());
    check(get_info(i, &all.back()));
  }
  return all;
}

/// A function of this thread's that C calls back. What it throws is kept, and thrown again behind the call.
template <class Function>
struct Callback {
  const Function& function;
  std::exception_ptr thrown = nullptr;

  template <class... Arguments>
  int32_t call(Arguments&&... arguments) noexcept {
    try {
      return function(std::forward<Arguments>(arguments)...) ? 1 : 0;
    } catch (...) {
      thrown = std::current_exception();
      return 1;
    }
  }
  void check(chord_status status) const {
    if (thrown) std::rethrow_exception(thrown);
    api::check(status);
  }
};

template <class T>
constexpr int32_t type_of() {
  static_assert(
      std::is_same_v<T, float> || std::is_same_v<T, double> || std::is_same_v<T, int32_t> || std::is_same_v<T, int64_t>,
      "tensors hold float, double, int32_t or int64_t");
  if (std::is_same_v<T, float>) return CHORD_FLOAT32;
  if (std::is_same_v<T, double>) return CHORD_FLOAT64;
  return std::is_same_v<T, int32_t> ? CHORD_INT32 : CHORD_INT64;
}

}  // namespace detail

struct Version {
  int32_t major = 0, minor = 0, patch = 0;
};
/// Of the library in use, which may differ from the header's.
inline Version version() {
  Version found;
  check(chord_version(&found.major, &found.minor, &found.patch));
  return found;
}
inline int32_t abi_version() {
  int32_t found = 0;
  check(chord_abi_version(&found));
  return found;
}
inline std::string status_name(chord_status status) { return chord_status_name(status); }
/// Of this thread; whole, whatever it says.
inline std::string last_error() {
  std::size_t length = 0;
  check(chord_last_error_copy(nullptr, 0, &length));
  std::string text(length + 1, '\0');
  check(chord_last_error_copy(&text[0], text.size(), nullptr));
  text.resize(length);
  return text;
}

/// Called from any thread that uses the library, several at once, too; what it throws is dropped.
using LogFunction = std::function<void(chord_log_level level, const std::string& message)>;

/// An empty one makes the library silent. The one before is gone when this returns, unless it is called by it.
inline void set_log(LogFunction function) {
  static std::unique_ptr<LogFunction> current;
  std::unique_ptr<LogFunction> next(function ? new LogFunction(std::move(function)) : nullptr);
  const chord_log_callback call = [](chord_log_level level, const char* message, void* user) {
    try {
      (*static_cast<LogFunction*>(user))(level, message);
    } catch (const std::exception&) {
      // There is nobody to tell.
    }
  };
  check(chord_set_log_callback(next ? call : nullptr, next.get()));
  current.swap(next);
}

inline std::string cache_directory() {
  const char* path = nullptr;
  check(chord_cache_directory(&path));
  return path;
}
/// The library's texts, valid until the process ends; the PTX may be null.
inline const char* kernel_source() {
  const char* source = nullptr;
  check(chord_kernel_source(&source));
  return source;
}
inline const char* kernel_ptx() {
  const char* ptx = nullptr;
  check(chord_kernel_ptx(&ptx));
  return ptx;
}

/// Objects alive in the whole process.
inline int64_t object_count() {
  int64_t count = 0;
  check(chord_context_count_objects(nullptr, &count));
  return count;
}

using Shape = std::vector<int64_t>;
using DeviceInfo = chord_device_info;
using BackendInfo = chord_backend_info;

inline std::vector<DeviceInfo> devices() { return detail::listed(chord_device_count, chord_device_get_info); }

inline std::vector<BackendInfo> backends() { return detail::listed(chord_backend_count, chord_backend_get_info); }

class Context {
 public:
  explicit Context(const std::string& selector = "auto") {
    chord_context* handle = nullptr;
    check(chord_context_create(selector.c_str(), &handle));
    handle_.reset(handle);
  }
  explicit Context(chord_context* owned) : handle_(owned) {}
  /// On a CUstream of the caller's.
  static Context on_cuda_stream(int32_t device, void* stream) {
    chord_context* handle = nullptr;
    check(chord_context_create_on_cuda_stream(device, stream, &handle));
    return Context(handle);
  }
  /// On a sycl::queue of the caller's; chord_sycl.hpp is the safe way.
  static Context on_sycl_queue(void* queue, const char* runtime) {
    chord_context* handle = nullptr;
    check(chord_context_create_on_sycl_queue(queue, runtime, &handle));
    return Context(handle);
  }
  /// With all objects in it, whoever has them.
  void close() { check(chord_context_close(handle_.release())); }
  /// Objects alive in it.
  int64_t object_count() const {
    int64_t count = 0;
    check(chord_context_count_objects(get(), &count));
    return count;
  }
  void* cuda_stream() const {
    void* stream = nullptr;
    check(chord_context_get_cuda_stream(get(), nullptr, &stream));
    return stream;
  }
  void wait() { check(chord_context_wait(get())); }
  void trim() { check(chord_context_trim(get())); }
  DeviceInfo device() const {
    auto info = detail::empty_info<DeviceInfo>();
    check(chord_context_get_device(get(), &info));
    return info;
  }
  chord_memory_info memory() const {
    auto info = detail::empty_info<chord_memory_info>();
    check(chord_context_get_memory(get(), &info));
    return info;
  }
  chord_context* get() const { return handle_.get(); }

 private:
  detail::Owned<chord_context, chord_context_destroy> handle_;
};

class Tensor {
 public:
  Tensor() = default;
  explicit Tensor(chord_tensor* owned) : handle_(owned) {}

  /// A new tensor, its values undefined.
  template <class T>
  static Tensor empty(Context& context, const Shape& shape) {
    chord_tensor* handle = nullptr;
    check(chord_tensor_create(context.get(), detail::type_of<T>(), int32_t(shape.size()), shape.data(), &handle));
    return Tensor(handle);
  }

  template <class T>
  static Tensor from(Context& context, const Shape& shape, Span<const T> values) {
    chord_tensor* handle = nullptr;
    check(chord_tensor_create_from_bytes(context.get(), detail::type_of<T>(), int32_t(shape.size()), shape.data(),
                                         values.data(), values.bytes(), &handle));
    return Tensor(handle);
  }
  template <class T>
  static Tensor from(Context& context, const Shape& shape, const std::vector<T>& values) {
    return from(context, shape, Span<const T>(values));
  }
  template <class T>
  static Tensor from(Context& context, const Shape& shape, std::initializer_list<T> values) {
    return from(context, shape, Span<const T>(values.begin(), values.size()));
  }
  /// Host memory used in place; strides empty: contiguous. `release` is called once, when nobody looks at it any more.
  template <class T>
  static Tensor wrap(Context& context, const Shape& shape, const Shape& strides, T* data,
                     std::function<void()> release = {}) {
    chord_tensor* handle = nullptr;
    std::unique_ptr<std::function<void()>> kept(release ? new std::function<void()>(std::move(release)) : nullptr);
    const chord_release_callback call = [](void* user) {
      const std::unique_ptr<std::function<void()>> mine(static_cast<std::function<void()>*>(user));
      (*mine)();
    };
    check(chord_tensor_wrap(context.get(), detail::type_of<T>(), int32_t(shape.size()), shape.data(),
                            strides.empty() ? nullptr : strides.data(), data, kept ? call : nullptr, kept.get(),
                            &handle));
    static_cast<void>(kept.release());
    return Tensor(handle);
  }
  /// Takes `managed` where it succeeds.
  static Tensor from_dlpack(Context& context, DLManagedTensorVersioned* managed) {
    chord_tensor* handle = nullptr;
    check(chord_tensor_from_dlpack(context.get(), managed, &handle));
    return Tensor(handle);
  }
  /// The caller's, who calls its deleter.
  DLManagedTensorVersioned* to_dlpack() const {
    DLManagedTensorVersioned* managed = nullptr;
    check(chord_tensor_to_dlpack(get(), &managed));
    return managed;
  }
  DLManagedTensorVersioned* to_dlpack_on_cuda_stream(intptr_t stream) const {
    DLManagedTensorVersioned* managed = nullptr;
    check(chord_tensor_to_dlpack_on_cuda_stream(get(), stream, &managed));
    return managed;
  }

  /// The memory itself, while this lives: all work before is done, and none is queued on it meanwhile.
  template <class T>
  class Mapping {
   public:
    explicit Mapping(Tensor& tensor) : tensor_(&tensor) {
      if (tensor.info().type != detail::type_of<T>()) throw std::invalid_argument("the tensor holds another type");
      void* memory = nullptr;
      check(chord_tensor_map(tensor.get(), &memory));
      data_ = static_cast<T*>(memory);
    }
    ~Mapping() { static_cast<void>(chord_tensor_unmap(tensor_->get())); }
    Mapping(const Mapping&) = delete;
    Mapping& operator=(const Mapping&) = delete;
    T* data() const { return data_; }
    T& operator[](std::size_t i) const { return data_[i]; }

   private:
    Tensor* tensor_;
    T* data_ = nullptr;
  };
  template <class T>
  Mapping<T> map() {
    return Mapping<T>(*this);
  }
  /// The first element; the caller waits for the context before touching it.
  void* data() const {
    void* memory = nullptr;
    check(chord_tensor_data(get(), &memory));
    return memory;
  }

  template <class T>
  void from_host(Span<const T> values) {
    if (info().type != detail::type_of<T>()) throw std::invalid_argument("the tensor holds another type");
    check(chord_tensor_from_host(get(), values.data(), values.bytes()));
  }
  template <class T>
  void from_host(const std::vector<T>& values) {
    from_host(Span<const T>(values));
  }
  template <class T>
  std::vector<T> to_host() const {
    const chord_tensor_info about = info();
    if (about.type != detail::type_of<T>()) throw std::invalid_argument("the tensor holds another type");
    std::vector<T> values(about.bytes / sizeof(T));
    check(chord_tensor_to_host(get(), values.data(), about.bytes));
    return values;
  }
  template <class T>
  void to_host(Span<T> values) const {
    if (info().type != detail::type_of<T>()) throw std::invalid_argument("the tensor holds another type");
    check(chord_tensor_to_host(get(), values.data(), values.bytes()));
  }

  Tensor view(const Shape& shape, const Shape& strides, int64_t offset = 0) const {
    chord_tensor* handle = nullptr;
    check(chord_tensor_view(get(), int32_t(shape.size()), shape.data(), strides.empty() ? nullptr : strides.data(),
                            offset, &handle));
    return Tensor(handle);
  }

  void fill(double value) { check(chord_tensor_fill(get(), value)); }
  void copy_from(const Tensor& other) { check(chord_tensor_copy(other.get(), get())); }
  chord_tensor_info info() const {
    auto about = detail::empty_info<chord_tensor_info>();
    check(chord_tensor_get_info(get(), &about));
    return about;
  }
  chord_tensor* get() const { return handle_.get(); }

 private:
  detail::Owned<chord_tensor, chord_tensor_destroy> handle_;
};

class Pattern {
 public:
  explicit Pattern(chord_pattern* owned) : handle_(owned) {}
  static Pattern chord(Context& context, int64_t n, int64_t base = 2, int64_t links = 0) {
    chord_pattern* handle = nullptr;
    check(chord_pattern_create_chord(context.get(), n, base, links, &handle));
    return Pattern(handle);
  }
  static Pattern symmetric(Context& context, int64_t n, int64_t base = 2, int64_t links = 0) {
    chord_pattern* handle = nullptr;
    check(chord_pattern_create_symmetric(context.get(), n, base, links, &handle));
    return Pattern(handle);
  }
  static Pattern custom(Context& context, int64_t n, const std::vector<int64_t>& offsets) {
    chord_pattern* handle = nullptr;
    check(chord_pattern_create_custom(context.get(), n, int64_t(offsets.size()), offsets.data(), &handle));
    return Pattern(handle);
  }

  int64_t n() const { return size().first; }
  int64_t links() const { return size().second; }
  std::vector<int64_t> offsets() const {
    std::vector<int64_t> values(static_cast<std::size_t>(links()));
    check(chord_pattern_get_offsets(get(), values.data(), int64_t(values.size())));
    return values;
  }
  chord_pattern* get() const { return handle_.get(); }

 private:
  std::pair<int64_t, int64_t> size() const {
    std::pair<int64_t, int64_t> result;
    check(chord_pattern_get_size(get(), &result.first, &result.second));
    return result;
  }
  detail::Owned<chord_pattern, chord_pattern_destroy> handle_;
};

inline int64_t full_chain_length(int64_t n, int64_t base = 2) {
  int64_t factors = 0;
  check(chord_full_chain_length(n, base, &factors));
  return factors;
}

inline void product(const Pattern& pattern, const Tensor& w, const Tensor& v, Tensor& z, bool accumulate = false) {
  check(chord_product(pattern.get(), w.get(), v.get(), z.get(), accumulate));
}
inline void product_gradient_values(const Pattern& pattern, const Tensor& w, const Tensor& dz, Tensor& dv,
                                    bool accumulate = false) {
  check(chord_product_gradient_values(pattern.get(), w.get(), dz.get(), dv.get(), accumulate));
}
inline void product_gradient_weights(const Pattern& pattern, const Tensor& dz, const Tensor& v, Tensor& dw,
                                     bool accumulate = false) {
  check(chord_product_gradient_weights(pattern.get(), dz.get(), v.get(), dw.get(), accumulate));
}

class Chain {
 public:
  explicit Chain(chord_chain* owned) : handle_(owned) {}
  Chain(const Pattern& pattern, const Tensor& weights, bool residual = false) {
    chord_chain* handle = nullptr;
    check(chord_chain_create(pattern.get(), weights.get(), residual, &handle));
    handle_.reset(handle);
  }
  void apply(const Tensor& v, Tensor& z) const { check(chord_chain_apply(get(), v.get(), z.get(), nullptr)); }
  void apply(const Tensor& v, Tensor& z, Tensor& tape) const {
    check(chord_chain_apply(get(), v.get(), z.get(), tape.get()));
  }
  void apply_transposed(const Tensor& v, Tensor& z) const {
    check(chord_chain_apply_transposed(get(), v.get(), z.get()));
  }
  void rows(const std::vector<int64_t>& indices, Tensor& out) const {
    check(chord_chain_rows(get(), indices.data(), int64_t(indices.size()), out.get()));
  }
  void dense(Tensor& out) const { check(chord_chain_dense(get(), out.get())); }
  /// `tape` and `dv` may be null.
  void gradient(const Tensor& v, const Tensor* tape, const Tensor& g, Tensor& dw, Tensor* dv,
                bool accumulate = false) const {
    check(chord_chain_gradient(get(), v.get(), tape ? tape->get() : nullptr, g.get(), dw.get(),
                               dv ? dv->get() : nullptr, accumulate));
  }
  chord_chain* get() const { return handle_.get(); }

 private:
  detail::Owned<chord_chain, chord_chain_destroy> handle_;
};

class Matrix {
 public:
  static Matrix read(const std::string& path) {
    chord_matrix* handle = nullptr;
    check(chord_matrix_read(path.c_str(), &handle));
    return Matrix(handle);
  }
  static Matrix dense(int64_t n, const std::vector<double>& values) {
    if (n < 0 || values.size() != std::size_t(n) * std::size_t(n))
      throw std::invalid_argument("the number of values is not n * n");
    chord_matrix* handle = nullptr;
    check(chord_matrix_create_dense(n, values.data(), &handle));
    return Matrix(handle);
  }
  static Matrix sparse(int64_t n, const std::vector<int64_t>& rows, const std::vector<int64_t>& columns,
                       const std::vector<double>& values) {
    if (rows.size() != values.size() || columns.size() != values.size())
      throw std::invalid_argument("the numbers of rows, columns and values differ");
    chord_matrix* handle = nullptr;
    check(chord_matrix_create_sparse(n, int64_t(values.size()), rows.data(), columns.data(), values.data(), &handle));
    return Matrix(handle);
  }
  /// One that need not be square.
  static Matrix rectangle(int64_t rows, int64_t columns, const std::vector<double>& values) {
    if (rows < 0 || columns < 0 || values.size() != std::size_t(rows) * std::size_t(columns))
      throw std::invalid_argument("the number of values is not rows * columns");
    chord_matrix* handle = nullptr;
    check(chord_matrix_create_rectangle(rows, columns, values.data(), &handle));
    return Matrix(handle);
  }
  static Matrix sparse_rectangle(int64_t rows, int64_t columns, const std::vector<int64_t>& entry_rows,
                                 const std::vector<int64_t>& entry_columns, const std::vector<double>& values) {
    if (entry_rows.size() != values.size() || entry_columns.size() != values.size())
      throw std::invalid_argument("the numbers of rows, columns and values differ");
    chord_matrix* handle = nullptr;
    check(chord_matrix_create_sparse_rectangle(rows, columns, int64_t(values.size()), entry_rows.data(),
                                               entry_columns.data(), values.data(), &handle));
    return Matrix(handle);
  }

  chord_matrix_info info() const {
    auto about = detail::empty_info<chord_matrix_info>();
    check(chord_matrix_get_info(get(), &about));
    return about;
  }
  std::vector<double> to_dense() const {
    const chord_matrix_info about = info();
    std::vector<double> values(std::size_t(about.rows) * std::size_t(about.columns));
    check(chord_matrix_to_dense(get(), values.data(), values.size() * sizeof(double)));
    return values;
  }
  /// Some rows, one behind the other.
  std::vector<double> rows(const std::vector<int64_t>& indices) const {
    std::vector<double> values(indices.size() * std::size_t(info().columns));
    check(chord_matrix_rows(get(), indices.data(), int64_t(indices.size()), values.data()));
    return values;
  }
  /// All singular values, in falling order.
  std::vector<double> singular_values() const {
    const chord_matrix_info about = info();
    std::vector<double> values(static_cast<std::size_t>(about.rows < about.columns ? about.rows : about.columns));
    check(chord_matrix_truncated_svd(get(), 0, nullptr, values.data(), nullptr));
    return values;
  }
  chord_matrix* get() const { return handle_.get(); }

 private:
  explicit Matrix(chord_matrix* owned) : handle_(owned) {}
  detail::Owned<chord_matrix, chord_matrix_destroy> handle_;
};

/// Places in these lists are the values of CHORD_CONSTRAINT_… and CHORD_STOP_….
inline std::vector<chord_name_info> constraints() {
  return detail::listed(chord_constraint_count, chord_constraint_get_info);
}
/// What the kinds of parts are called.
inline std::vector<chord_name_info> part_kinds() {
  return detail::listed(chord_part_kind_count, chord_part_kind_get_info);
}
inline std::vector<chord_name_info> stops() { return detail::listed(chord_stop_count, chord_stop_get_info); }

/// Options with all defaults, to be changed.
inline chord_factorize_options factorize_options() { return detail::empty_info<chord_factorize_options>(); }

/// True stops. It comes in the thread that called.
using FactorizeFunction = std::function<bool(const chord_factorize_progress& progress)>;

class Factorization {
 public:
  explicit Factorization(chord_factorization* owned) : handle_(owned) {}
  /// Throws what `progress` throws. The options' own callback is not used.
  static Factorization fit(const Pattern& pattern, const Matrix& matrix, chord_factorize_options options,
                           const FactorizeFunction& progress) {
    detail::Callback<FactorizeFunction> callback{progress};
    options.callback = [](const chord_factorize_progress* now, void* user) {
      return static_cast<detail::Callback<FactorizeFunction>*>(user)->call(*now);
    };
    options.user = &callback;
    chord_factorization* handle = nullptr;
    const chord_status status = chord_factorize(pattern.get(), matrix.get(), &options, &handle);
    Factorization result(handle);
    callback.check(status);
    return result;
  }
  /// X as a function: out = X · in, or Xᵀ · in, both n × columns values, row by row.
  using Operator = std::function<void(const double* in, double* out, int64_t columns, bool transposed)>;
  /// To a matrix that is never formed. Throws what `apply` throws.
  static Factorization fit(const Pattern& pattern, const Operator& apply,
                           const chord_factorize_options& options = factorize_options()) {
    const auto function = [&](const double* in, double* out, int64_t columns, bool transposed) {
      apply(in, out, columns, transposed);
      return false;
    };
    detail::Callback<decltype(function)> callback{function};
    const chord_operator_apply call = [](const double* in, double* out, int64_t columns, chord_flag transposed,
                                         void* user) {
      return static_cast<decltype(callback)*>(user)->call(in, out, columns, transposed != 0);
    };
    chord_factorization* handle = nullptr;
    const chord_status status = chord_factorize_operator(pattern.get(), call, &callback, &options, &handle);
    Factorization result(handle);
    callback.check(status);
    return result;
  }
  /// Bytes that such a fit will take.
  static uint64_t memory(const Pattern& pattern, const chord_factorize_options& options = factorize_options()) {
    uint64_t bytes = 0;
    check(chord_factorize_operator_memory(pattern.get(), &options, &bytes));
    return bytes;
  }
  /// Bytes of the context's memory that a fit will take.
  static uint64_t memory(const Pattern& pattern, const Matrix& matrix,
                         const chord_factorize_options& options = factorize_options()) {
    uint64_t bytes = 0;
    check(chord_factorize_memory(pattern.get(), matrix.get(), &options, &bytes));
    return bytes;
  }
  static Factorization fit(const Pattern& pattern, const Matrix& matrix,
                           const chord_factorize_options& options = factorize_options()) {
    chord_factorization* handle = nullptr;
    check(chord_factorize(pattern.get(), matrix.get(), &options, &handle));
    return Factorization(handle);
  }
  static Factorization load(Context& context, const std::string& path) {
    chord_factorization* handle = nullptr;
    check(chord_factorization_load(context.get(), path.c_str(), &handle));
    return Factorization(handle);
  }

  chord_factorization_info info() const {
    auto about = detail::empty_info<chord_factorization_info>();
    check(chord_factorization_get_info(get(), &about));
    return about;
  }
  void apply(const Tensor& v, Tensor& z) const { check(chord_factorization_apply(get(), v.get(), z.get(), 0)); }
  void apply_transposed(const Tensor& v, Tensor& z) const {
    check(chord_factorization_apply(get(), v.get(), z.get(), 1));
  }
  void rows(const std::vector<int64_t>& indices, Tensor& out) const {
    check(chord_factorization_rows(get(), indices.data(), int64_t(indices.size()), out.get()));
  }
  void dense(Tensor& out) const { check(chord_factorization_dense(get(), out.get())); }
  /// What X̂ is the sum of.
  std::vector<chord_part_info> parts() const {
    int32_t count = 0;
    check(chord_factorization_part_count(get(), &count));
    std::vector<chord_part_info> all(std::size_t(count), detail::empty_info<chord_part_info>());
    for (int32_t i = 0; i < count; ++i) check(chord_factorization_get_part(get(), i, &all[std::size_t(i)]));
    return all;
  }
  /// What a part is stored as.
  Tensor tensor(const std::string& name) const {
    chord_tensor* handle = nullptr;
    check(chord_factorization_get_tensor(get(), name.c_str(), &handle));
    return Tensor(handle);
  }
  Chain chain() const {
    chord_chain* handle = nullptr;
    check(chord_factorization_get_chain(get(), &handle));
    return Chain(handle);
  }
  Tensor weights() const {
    chord_tensor* handle = nullptr;
    check(chord_factorization_get_weights(get(), &handle));
    return Tensor(handle);
  }
  Pattern pattern() const {
    chord_pattern* handle = nullptr;
    check(chord_factorization_get_pattern(get(), &handle));
    return Pattern(handle);
  }
  void save(const std::string& path) const { check(chord_factorization_save(get(), path.c_str())); }
  chord_factorization* get() const { return handle_.get(); }

 private:
  detail::Owned<chord_factorization, chord_factorization_destroy> handle_;
};

/// A factorisation in a thread of the library's.
class Job {
 public:
  Job(const Pattern& pattern, const Matrix& matrix, const chord_factorize_options& options = factorize_options()) {
    chord_job* handle = nullptr;
    check(chord_factorize_start(pattern.get(), matrix.get(), &options, &handle));
    handle_.reset(handle);
  }
  bool done() const {
    chord_flag ended = 0;
    check(chord_job_poll(get(), &ended, nullptr));
    return ended != 0;
  }
  chord_factorize_progress progress() const {
    auto now = detail::empty_info<chord_factorize_progress>();
    check(chord_job_poll(get(), nullptr, &now));
    return now;
  }
  void cancel() { check(chord_job_cancel(get())); }
  /// At most so long; returns whether it is done.
  bool wait(double seconds = -1) const {
    chord_flag ended = 0;
    check(chord_job_wait(get(), seconds, &ended));
    return ended != 0;
  }
  /// Waits; throws what has ended it.
  Factorization result() const {
    chord_factorization* handle = nullptr;
    check(chord_job_get_factorization(get(), &handle));
    return Factorization(handle);
  }
  chord_job* get() const { return handle_.get(); }

 private:
  detail::Owned<chord_job, chord_job_destroy> handle_;
};

/// The keys of the JSON that describes a model.
inline std::vector<chord_model_key_info> model_keys() {
  return detail::listed(chord_model_key_count, chord_model_key_get_info);
}

/// Options of PyTorch's Adam, to be changed.
inline chord_train_options train_options() { return detail::empty_info<chord_train_options>(); }

/// Of training steps that were queued, the oldest first.
struct KeptLosses {
  std::vector<double> losses;    ///< each a batch's mean
  std::vector<int64_t> correct;  ///< sequences that were right
  int64_t lost = 0;              ///< steps whose losses were overwritten before
};

class Model {
 public:
  explicit Model(chord_model* owned) : handle_(owned) {}
  Model(Context& context, const std::string& json, uint64_t seed = 0) {
    chord_model* handle = nullptr;
    check(chord_model_create(context.get(), json.c_str(), seed, &handle));
    handle_.reset(handle);
  }
  /// `json`: empty for the file's own description.
  static Model load(Context& context, const std::string& path, const std::string& json = "") {
    chord_model* handle = nullptr;
    check(chord_model_load(context.get(), path.c_str(), json.empty() ? nullptr : json.c_str(), &handle));
    return Model(handle);
  }
  /// The whole description of a preset.
  static std::string preset(const std::string& name) {
    const char* json = nullptr;
    check(chord_model_preset(name.c_str(), &json));
    return json;
  }

  static std::vector<std::string> presets() {
    int32_t count = 0;
    check(chord_model_preset_count(&count));
    std::vector<std::string> names;
    for (int32_t i = 0; i < count; ++i) {
      const char* name = nullptr;
      check(chord_model_preset_name(i, &name));
      names.push_back(name);
    }
    return names;
  }

  void save(const std::string& path, bool with_optimizer = false, const std::string& note = "") const {
    check(chord_model_save(get(), path.c_str(), with_optimizer, note.c_str()));
  }
  std::string note() const {
    const char* text = nullptr;
    check(chord_model_note(get(), &text));
    return text;
  }
  std::string description() const {
    const char* json = nullptr;
    check(chord_model_description(get(), &json));
    return json;
  }
  chord_model_info info() const {
    auto about = detail::empty_info<chord_model_info>();
    check(chord_model_get_info(get(), &about));
    return about;
  }
  chord_model_memory plan(int64_t batch, bool training, const chord_train_options& options = train_options()) const {
    auto memory = detail::empty_info<chord_model_memory>();
    check(chord_model_plan(get(), batch, training, &options, &memory));
    return memory;
  }

  void forward(const Tensor& inputs, Tensor& outputs) {
    check(chord_model_forward(get(), inputs.get(), outputs.get()));
  }
  /// With lengths, with dropout, or in parts.
  void forward(const Tensor& inputs, Tensor& outputs, const chord_train_options& options) {
    check(chord_model_forward_with(get(), inputs.get(), &options, outputs.get()));
  }
  /// `dinputs` may be null.
  void backward(const Tensor& inputs, const Tensor& doutputs, Tensor* dinputs,
                const chord_train_options& options = train_options()) {
    check(chord_model_backward(get(), inputs.get(), doutputs.get(), dinputs ? dinputs->get() : nullptr, &options));
  }
  /// CHORD_LAYER_…; block and factor are 0 for layers that have none.
  struct Layer {
    chord_layer kind;
    int64_t block = 0, factor = 0;
  };
  void layer_forward(const Layer& layer, const Tensor& in, Tensor& out,
                     const chord_train_options& options = train_options()) {
    check(chord_model_layer_forward(get(), layer.kind, layer.block, layer.factor, in.get(), &options, out.get()));
  }
  /// `din` may be null.
  void layer_backward(const Layer& layer, const Tensor& in, const Tensor& dout, Tensor* din,
                      const chord_train_options& options = train_options(), bool accumulate = false) {
    check(chord_model_layer_backward(get(), layer.kind, layer.block, layer.factor, in.get(), dout.get(), &options,
                                     din ? din->get() : nullptr, accumulate));
  }
  /// `doutputs` may be null.
  chord_step_result loss(const Tensor& outputs, const Tensor& labels, Tensor* doutputs,
                         const chord_train_options& options = train_options()) {
    auto result = detail::empty_info<chord_step_result>();
    check(
        chord_model_loss(get(), outputs.get(), labels.get(), &options, doutputs ? doutputs->get() : nullptr, &result));
    return result;
  }
  void apply_gradients(const chord_train_options& options = train_options()) {
    check(chord_model_apply_gradients(get(), &options));
  }
  chord_step_result evaluate(const Tensor& inputs, const Tensor& labels) {
    auto result = detail::empty_info<chord_step_result>();
    check(chord_model_evaluate(get(), inputs.get(), labels.get(), &result));
    return result;
  }
  /// With lengths, or in parts.
  chord_step_result evaluate(const Tensor& inputs, const Tensor& labels, const chord_train_options& options) {
    auto result = detail::empty_info<chord_step_result>();
    check(chord_model_evaluate_with(get(), inputs.get(), labels.get(), &options, &result));
    return result;
  }
  chord_step_result gradients(const Tensor& inputs, const Tensor& labels,
                              const chord_train_options& options = train_options()) {
    auto result = detail::empty_info<chord_step_result>();
    check(chord_model_gradients(get(), inputs.get(), labels.get(), &options, &result));
    return result;
  }
  chord_step_result train_step(const Tensor& inputs, const Tensor& labels,
                               const chord_train_options& options = train_options()) {
    auto result = detail::empty_info<chord_step_result>();
    check(chord_model_train_step(get(), inputs.get(), labels.get(), &options, &result));
    return result;
  }
  /// Without waiting: the loss comes out of take_losses().
  void queue_train_step(const Tensor& inputs, const Tensor& labels,
                        const chord_train_options& options = train_options()) {
    check(chord_model_train_step(get(), inputs.get(), labels.get(), &options, nullptr));
  }
  /// Of the steps queued so far, those not taken yet; waits for them.
  KeptLosses take_losses() {
    KeptLosses kept;
    int64_t count = 0;
    kept.losses.resize(CHORD_KEPT_LOSSES);
    kept.correct.resize(CHORD_KEPT_LOSSES);
    check(
        chord_model_take_losses(get(), CHORD_KEPT_LOSSES, kept.losses.data(), kept.correct.data(), &count, &kept.lost));
    kept.losses.resize(std::size_t(count));
    kept.correct.resize(std::size_t(count));
    return kept;
  }
  void attention(const Tensor& inputs, int64_t block, const std::vector<int64_t>& rows, Tensor& out) {
    check(chord_model_attention(get(), inputs.get(), block, rows.data(), int64_t(rows.size()), out.get()));
  }
  /// With lengths.
  void attention(const Tensor& inputs, int64_t block, const std::vector<int64_t>& rows, Tensor& out,
                 const chord_train_options& options) {
    check(
        chord_model_attention_with(get(), inputs.get(), block, rows.data(), int64_t(rows.size()), &options, out.get()));
  }

  std::vector<std::string> parameter_names() const {
    int64_t count = 0;
    check(chord_model_parameter_count(get(), &count));
    std::vector<std::string> names;
    for (int64_t i = 0; i < count; ++i) {
      const char* name = nullptr;
      check(chord_model_parameter_name(get(), i, &name));
      names.push_back(name);
    }
    return names;
  }
  Tensor parameter(const std::string& name) const {
    chord_tensor* handle = nullptr;
    check(chord_model_parameter(get(), name.c_str(), &handle));
    return Tensor(handle);
  }
  Tensor gradient(const std::string& name) const {
    chord_tensor* handle = nullptr;
    check(chord_model_gradient(get(), name.c_str(), &handle));
    return Tensor(handle);
  }
  /// All of them as one tensor, in the order of the names.
  Tensor parameters() const {
    chord_tensor* handle = nullptr;
    check(chord_model_get_parameters(get(), &handle));
    return Tensor(handle);
  }
  Tensor gradients() {
    chord_tensor* handle = nullptr;
    check(chord_model_get_gradients(get(), &handle));
    return Tensor(handle);
  }
  std::pair<Tensor, Tensor> moments() {
    chord_tensor *first = nullptr, *second = nullptr;
    check(chord_model_get_moments(get(), &first, &second));
    return {Tensor(first), Tensor(second)};
  }
  void set_step(int64_t step) { check(chord_model_set_step(get(), step)); }
  void save_gradients(const std::string& path) const { check(chord_model_save_gradients(get(), path.c_str())); }
  chord_model* get() const { return handle_.get(); }

 private:
  detail::Owned<chord_model, chord_model_destroy> handle_;
};

inline std::vector<chord_task_info> tasks() { return detail::listed(chord_task_count, chord_task_get_info); }
/// In percent, of the task at this place in the list; -1 where the paper has none.
inline double published_accuracy(int32_t task, int64_t length) {
  double percent = 0;
  check(chord_task_get_published_accuracy(task, length, &percent));
  return percent;
}

/// Options of the paper's setting, to be changed. The names stay the caller's.
inline chord_dataset_options dataset_options(const char* task, const char* split) {
  auto options = detail::empty_info<chord_dataset_options>();
  options.task = task;
  options.split = split;
  return options;
}

/// Told how much of some work is done; true stops it. It comes in the thread that called.
using ProgressFunction = std::function<bool(int64_t done, int64_t total)>;

namespace detail {

inline int32_t tell_progress(int64_t done, int64_t total, void* user) {
  return static_cast<Callback<ProgressFunction>*>(user)->call(done, total);
}

}  // namespace detail

class Dataset {
 public:
  explicit Dataset(const chord_dataset_options& options) {
    chord_dataset* handle = nullptr;
    check(chord_dataset_create(&options, &handle));
    handle_.reset(handle);
  }
  /// Throws what `progress` throws. The options' own callback is not used.
  Dataset(chord_dataset_options options, const ProgressFunction& progress) {
    detail::Callback<ProgressFunction> callback{progress};
    options.progress = detail::tell_progress;
    options.user = &callback;
    chord_dataset* handle = nullptr;
    const chord_status status = chord_dataset_create(&options, &handle);
    handle_.reset(handle);
    callback.check(status);
  }
  chord_dataset_info info() const {
    auto about = detail::empty_info<chord_dataset_info>();
    check(chord_dataset_get_info(get(), &about));
    return about;
  }
  /// Sizes the two arrays, whose types must be those of the info.
  template <class Input, class Label>
  void read(int64_t first, int64_t count, std::vector<Input>& inputs, std::vector<Label>& labels) const {
    const chord_dataset_info about = info();
    if (about.input_type != detail::type_of<Input>() || about.label_type != detail::type_of<Label>())
      throw std::invalid_argument("the dataset has inputs or labels of another type");
    // A range that is none is left to the library to refuse.
    const auto sequences = std::size_t(first >= 0 && count >= 0 && count <= about.count ? count : 0);
    inputs.resize(sequences * std::size_t(about.length) * std::size_t(about.features > 0 ? about.features : 1));
    labels.resize(sequences);
    check(chord_dataset_read(get(), first, count, inputs.data(), inputs.size() * sizeof(Input), labels.data(),
                             labels.size() * sizeof(Label)));
  }
  /// A JSON object, to be kept with a model.
  std::string encoding() const {
    const char* json = nullptr;
    check(chord_dataset_encoding(get(), &json));
    return json;
  }
  chord_dataset* get() const { return handle_.get(); }

 private:
  detail::Owned<chord_dataset, chord_dataset_destroy> handle_;
};

/// Makes tokens of a task's raw inputs.
class Encoder {
 public:
  explicit Encoder(const std::string& task, const std::string& encoding = "{}", int64_t length = 0) {
    chord_encoder* handle = nullptr;
    check(chord_encoder_create(task.c_str(), encoding.c_str(), length, &handle));
    handle_.reset(handle);
  }
  chord_encoder_info info() const {
    auto about = detail::empty_info<chord_encoder_info>();
    check(chord_encoder_get_info(get(), &about));
    return about;
  }
  /// `used`, if there, becomes the number of positions before the padding.
  std::vector<int32_t> encode(const std::string& raw, int64_t* used = nullptr) const {
    std::vector<int32_t> tokens(std::size_t(info().length));
    check(chord_encoder_encode(get(), raw.data(), raw.size(), tokens.data(), int64_t(tokens.size()), used));
    return tokens;
  }
  std::string symbol(int32_t token) const {
    const char* text = nullptr;
    check(chord_encoder_symbol(get(), token, &text));
    return text;
  }
  chord_encoder* get() const { return handle_.get(); }

 private:
  detail::Owned<chord_encoder, chord_encoder_destroy> handle_;
};

/// Options for files of a task, to be changed. The names stay the caller's.
inline chord_generate_options generate_options(const char* task, const char* output) {
  auto options = detail::empty_info<chord_generate_options>();
  options.task = task;
  options.output = output;
  return options;
}

inline void generate_files(const chord_generate_options& options) { check(chord_generate_files(&options)); }
/// Throws what `progress` throws. The options' own callback is not used.
inline void generate_files(chord_generate_options options, const ProgressFunction& progress) {
  detail::Callback<ProgressFunction> callback{progress};
  options.progress = detail::tell_progress;
  options.user = &callback;
  callback.check(chord_generate_files(&options));
}

/// Options for all batches in the dataset's own order, to be changed.
inline chord_batches_options batches_options(int64_t batch) {
  auto options = detail::empty_info<chord_batches_options>();
  options.batch = batch;
  return options;
}

/// The library's arrays, of the types the dataset's info names; `count` is 0 at the end.
struct Batch {
  const void* inputs = nullptr;
  const void* labels = nullptr;
  int64_t count = 0;
};

class Batches {
 public:
  Batches(const Dataset& dataset, const chord_batches_options& options) {
    chord_batches* handle = nullptr;
    check(chord_batches_create(dataset.get(), &options, &handle));
    handle_.reset(handle);
  }
  int64_t count() const {
    int64_t batches = 0;
    check(chord_batches_count(get(), &batches));
    return batches;
  }
  /// The next batch's arrays, valid until the next call.
  Batch next() {
    Batch batch;
    check(chord_batches_next(get(), &batch.inputs, &batch.labels, &batch.count));
    return batch;
  }
  chord_batches* get() const { return handle_.get(); }

 private:
  detail::Owned<chord_batches, chord_batches_destroy> handle_;
};

inline Tensor read_npy(Context& context, const std::string& path) {
  chord_tensor* handle = nullptr;
  check(chord_tensor_read_npy(context.get(), path.c_str(), &handle));
  return Tensor(handle);
}
inline void write_npy(const Tensor& tensor, const std::string& path) {
  check(chord_tensor_write_npy(tensor.get(), path.c_str()));
}

/// An npy file of any size, written piece by piece; it is there after commit().
class NpyWriter {
 public:
  NpyWriter(const std::string& path, int32_t type, const Shape& shape) {
    chord_npy_writer* handle = nullptr;
    check(chord_npy_writer_create(path.c_str(), type, int32_t(shape.size()), shape.data(), &handle));
    handle_.reset(handle);
  }
  void write(const void* data, std::size_t bytes) { check(chord_npy_writer_write(get(), data, bytes)); }
  void commit() { check(chord_npy_writer_commit(get())); }
  chord_npy_writer* get() const { return handle_.get(); }

 private:
  detail::Owned<chord_npy_writer, chord_npy_writer_destroy> handle_;
};

/// Replaces the file as a whole, or leaves it as it was and throws.
inline void write_file(const std::string& path, const std::string& content) {
  check(chord_write_file(path.c_str(), content.data(), content.size()));
}

}  // namespace api
}  // namespace chord

#endif

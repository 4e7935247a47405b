"""Generated from chord.h by bindings/generate; not to be edited.

DECLARATIONS are for cffi; LAYOUT has the size of every struct and the offsets of its members, DOCUMENTATION the header's
words about every function."""

VERSION = "0.2.0"
CHORD_VERSION_MAJOR = 0
CHORD_VERSION_MINOR = 2
CHORD_VERSION_PATCH = 0
CHORD_ABI_VERSION = 1
CHORD_SUCCESS = 0
CHORD_ERROR_INVALID_ARGUMENT = 1
CHORD_ERROR_INVALID_HANDLE = 2
CHORD_ERROR_INVALID_SHAPE = 3
CHORD_ERROR_INVALID_TYPE = 4
CHORD_ERROR_TOO_LARGE = 5
CHORD_ERROR_OUT_OF_MEMORY = 6
CHORD_ERROR_NO_SUCH_DEVICE = 7
CHORD_ERROR_DEVICE_FAILURE = 8
CHORD_ERROR_COMPILATION_FAILED = 9
CHORD_ERROR_IO_FAILURE = 10
CHORD_ERROR_FORKED = 11
CHORD_ERROR_UNSUPPORTED = 12
CHORD_ERROR_CONTEXT_MISMATCH = 13
CHORD_ERROR_INTERNAL = 14
CHORD_ERROR_INVALID_FILE = 15
CHORD_ERROR_STOPPED = 16
CHORD_LOG_INFO = 0
CHORD_LOG_WARNING = 1
CHORD_DEVICE_HOST = 0
CHORD_DEVICE_CPU = 1
CHORD_DEVICE_GPU = 2
CHORD_DEVICE_OTHER = 3
CHORD_FLOAT32 = 0
CHORD_FLOAT64 = 1
CHORD_INT32 = 2
CHORD_INT64 = 3
CHORD_MAX_RANK = 8
CHORD_CONSTRAINT_NONE = 0
CHORD_CONSTRAINT_NONNEGATIVE = 1
CHORD_CONSTRAINT_STOCHASTIC = 2
CHORD_CONSTRAINT_SYMMETRIC = 3
CHORD_CONSTRAINT_SEMIDEFINITE = 4
CHORD_STOP_GRADIENT = 0
CHORD_STOP_IMPROVEMENT = 1
CHORD_STOP_ITERATIONS = 2
CHORD_STOP_SECONDS = 3
CHORD_STOP_CANCELLED = 4
CHORD_PART_FACTORS = 0
CHORD_PART_LOW_RANK = 1
CHORD_PART_ENTRIES = 2
CHORD_NO_PART = -1
CHORD_KEY_INTEGER = 0
CHORD_KEY_REAL = 1
CHORD_KEY_BOOLEAN = 2
CHORD_KEY_CHOICE = 3
CHORD_MEMORY_AUTO = 0
CHORD_MEMORY_NORMAL = 1
CHORD_MEMORY_LOW = 2
CHORD_OPTIMIZER_ADAM = 0
CHORD_OPTIMIZER_SGD = 1
CHORD_LAYER_EMBEDDING = 0
CHORD_LAYER_VALUES = 1
CHORD_LAYER_FACTOR = 2
CHORD_LAYER_HEAD = 3
CHORD_LAYER_OUTPUTS = 4
CHORD_KEPT_LOSSES = 256

DECLARATIONS = """
typedef struct chord_context chord_context;
typedef struct chord_tensor chord_tensor;
typedef struct DLManagedTensorVersioned DLManagedTensorVersioned;
typedef struct chord_pattern chord_pattern;
typedef struct chord_chain chord_chain;
typedef struct chord_matrix chord_matrix;
typedef struct chord_factorization chord_factorization;
typedef struct chord_job chord_job;
typedef struct chord_model chord_model;
typedef struct chord_dataset chord_dataset;
typedef struct chord_encoder chord_encoder;
typedef struct chord_batches chord_batches;
typedef struct chord_npy_writer chord_npy_writer;
typedef struct chord_backend_info chord_backend_info;
typedef struct chord_device_info chord_device_info;
typedef struct chord_memory_info chord_memory_info;
typedef struct chord_tensor_info chord_tensor_info;
typedef struct chord_matrix_info chord_matrix_info;
typedef struct chord_name_info chord_name_info;
typedef struct chord_factorize_progress chord_factorize_progress;
typedef struct chord_factorize_peers chord_factorize_peers;
typedef struct chord_factorize_options chord_factorize_options;
typedef struct chord_factorization_info chord_factorization_info;
typedef struct chord_part_info chord_part_info;
typedef struct chord_model_key_info chord_model_key_info;
typedef struct chord_model_info chord_model_info;
typedef struct chord_train_options chord_train_options;
typedef struct chord_model_memory chord_model_memory;
typedef struct chord_step_result chord_step_result;
typedef struct chord_task_info chord_task_info;
typedef struct chord_dataset_options chord_dataset_options;
typedef struct chord_dataset_info chord_dataset_info;
typedef struct chord_encoder_info chord_encoder_info;
typedef struct chord_generate_options chord_generate_options;
typedef struct chord_batches_options chord_batches_options;
typedef int32_t chord_flag;
typedef int32_t chord_status;
typedef int32_t chord_log_level;
typedef void (*chord_log_callback)(chord_log_level level, const char* message, void* user);
struct chord_backend_info {
  size_t struct_size;
  chord_flag available;
  int32_t reserved;
  char name[32];
  char detail[1024];
};
typedef int32_t chord_device_kind;
struct chord_device_info {
  size_t struct_size;
  chord_device_kind kind;
  int32_t units;
  uint64_t memory_bytes;
  chord_flag host_readable;
  chord_flag has_float64;
  char selector[64];
  char backend[32];
  char name[256];
};
struct chord_memory_info {
  size_t struct_size;
  uint64_t bytes_in_use;
  uint64_t peak_bytes;
  uint64_t reserved_bytes;
  uint64_t device_allocations;
};
typedef int32_t chord_type;
typedef void (*chord_release_callback)(void* user);
struct chord_tensor_info {
  size_t struct_size;
  chord_type type;
  int32_t rank;
  int64_t shape[8];
  int64_t strides[8];
  uint64_t bytes;
};
struct chord_matrix_info {
  size_t struct_size;
  int64_t n;
  int64_t stored;
  int64_t nonzeros;
  chord_flag sparse;
  chord_flag symmetric;
  double norm;
  char format[32];
  int64_t rows;
  int64_t columns;
};
typedef int32_t chord_constraint;
typedef int32_t chord_stop;
typedef int32_t chord_part_kind;
struct chord_name_info {
  size_t struct_size;
  const char* name;
  const char* description;
};
struct chord_factorize_progress {
  size_t struct_size;
  int32_t start;
  int32_t starts;
  int64_t iteration;
  double error;
  double best_error;
  double relative_error;
  double gradient;
  double seconds;
  double standard_error;
};
typedef int32_t (*chord_factorize_callback)(const chord_factorize_progress* progress, void* user);
typedef int32_t (*chord_sum_callback)(double* values, int64_t pieces, int64_t numbers, void* user);
struct chord_factorize_peers {
  size_t struct_size;
  int64_t pieces;
  int64_t first;
  int64_t count;
  chord_sum_callback sum;
  void* user;
  const chord_matrix_info* whole;
};
struct chord_factorize_options {
  size_t struct_size;
  int64_t factors;
  chord_constraint constraint;
  int32_t precision;
  int32_t restarts;
  int32_t reserved;
  uint64_t seed;
  int64_t iterations;
  double seconds;
  double gradient_tolerance;
  double improvement_tolerance;
  const chord_factorization* resume;
  const char* checkpoint;
  double checkpoint_seconds;
  chord_factorize_callback callback;
  void* user;
  double callback_seconds;
  int64_t numbers;
  int64_t rank;
  int64_t entries;
  const chord_factorize_peers* peers;
  chord_flag exact_error;
  int32_t reserved_too;
};
typedef int32_t (*chord_operator_apply)(const double* in, double* out, int64_t columns, chord_flag transposed, void* user);
struct chord_factorization_info {
  size_t struct_size;
  int64_t n;
  int64_t links;
  int64_t factors;
  int64_t nonzeros;
  chord_constraint constraint;
  int32_t precision;
  chord_stop stop;
  int32_t reserved;
  int64_t iterations;
  double seconds;
  double error;
  double relative_error;
  uint64_t seed;
  double standard_error;
  int64_t rows;
  int64_t columns;
};
struct chord_part_info {
  size_t struct_size;
  chord_part_kind kind;
  int32_t reserved;
  int64_t size;
  int64_t numbers;
};
typedef int32_t chord_key_kind;
struct chord_model_key_info {
  size_t struct_size;
  const char* name;
  const char* description;
  chord_key_kind kind;
  chord_flag required;
  double lowest;
  double highest;
  const char* choices;
  const char* default_value;
};
struct chord_model_info {
  size_t struct_size;
  int64_t parameters;
  int64_t step;
  uint64_t seed;
  int64_t length;
  int64_t features;
  int64_t vocabulary;
  int64_t classes;
  chord_type input_type;
  chord_type label_type;
  chord_type output_type;
  int32_t reserved;
};
typedef int32_t chord_memory_mode;
typedef int32_t chord_optimizer;
struct chord_train_options {
  size_t struct_size;
  double learning_rate;
  double beta1;
  double beta2;
  double epsilon;
  double weight_decay;
  double clip_norm;
  int64_t micro_batch;
  chord_memory_mode memory;
  chord_optimizer optimizer;
  double momentum;
  const chord_tensor* lengths;
  int64_t first_sequence;
  int64_t whole_batch;
  chord_flag dropout;
  chord_flag accumulate;
};
struct chord_model_memory {
  size_t struct_size;
  uint64_t parameter_bytes;
  uint64_t activation_bytes;
  uint64_t peak_bytes;
  chord_memory_mode memory;
  int32_t reserved;
};
struct chord_step_result {
  size_t struct_size;
  double loss;
  int64_t correct;
  int64_t count;
};
typedef int32_t chord_layer;
struct chord_task_info {
  size_t struct_size;
  const char* name;
  const char* title;
  const char* data;
  chord_flag generated;
  chord_flag has_encoder;
  chord_flag has_files_generator;
  int64_t length;
  int64_t features;
  int64_t vocabulary;
  int64_t classes;
  int64_t train_count;
  int64_t eval_count;
  int64_t epochs;
  int64_t batch;
  double learning_rate;
};
typedef int32_t (*chord_progress_callback)(int64_t done, int64_t total, void* user);
struct chord_dataset_options {
  size_t struct_size;
  const char* task;
  const char* split;
  const char* data;
  int64_t length;
  int64_t count;
  uint64_t seed;
  uint64_t sample;
  const char* encoding;
  chord_progress_callback progress;
  void* user;
};
struct chord_dataset_info {
  size_t struct_size;
  int64_t count;
  int64_t length;
  int64_t features;
  int64_t vocabulary;
  int64_t classes;
  chord_type input_type;
  chord_type label_type;
};
struct chord_encoder_info {
  size_t struct_size;
  int64_t length;
  int64_t vocabulary;
};
struct chord_generate_options {
  size_t struct_size;
  const char* task;
  const char* output;
  int64_t count;
  uint64_t seed;
  chord_progress_callback progress;
  void* user;
};
struct chord_batches_options {
  size_t struct_size;
  int64_t batch;
  int64_t first;
  uint64_t seed;
  int64_t epoch;
  chord_flag shuffle;
  chord_flag drop_last;
  int64_t part_first;
  int64_t part_count;
};
const char* chord_status_name(chord_status status);
const char* chord_last_error(void);
chord_status chord_last_error_copy(char* text, size_t capacity, size_t* length);
chord_status chord_version(int32_t* major, int32_t* minor, int32_t* patch);
chord_status chord_abi_version(int32_t* version);
chord_status chord_set_log_callback(chord_log_callback callback, void* user);
chord_status chord_cache_directory(const char** path);
chord_status chord_kernel_source(const char** source);
chord_status chord_kernel_ptx(const char** ptx);
chord_status chord_backend_count(int32_t* count);
chord_status chord_backend_get_info(int32_t index, chord_backend_info* info);
chord_status chord_device_count(int32_t* count);
chord_status chord_device_get_info(int32_t index, chord_device_info* info);
chord_status chord_context_create(const char* selector, chord_context** context);
chord_status chord_context_create_on_cuda_stream(int32_t device, void* stream, chord_context** context);
chord_status chord_context_create_on_sycl_queue(void* queue, const char* runtime, chord_context** context);
chord_status chord_context_get_cuda_stream(chord_context* context, int32_t* device, void** stream);
chord_status chord_context_destroy(chord_context* context);
chord_status chord_context_close(chord_context* context);
chord_status chord_context_count_objects(const chord_context* context, int64_t* count);
chord_status chord_context_get_device(const chord_context* context, chord_device_info* info);
chord_status chord_context_wait(chord_context* context);
chord_status chord_context_get_memory(const chord_context* context, chord_memory_info* info);
chord_status chord_context_trim(chord_context* context);
chord_status chord_tensor_create(chord_context* context, chord_type type, int32_t rank, const int64_t* shape, chord_tensor** tensor);
chord_status chord_tensor_create_from_host(chord_context* context, chord_type type, int32_t rank, const int64_t* shape, const void* data, chord_tensor** tensor);
chord_status chord_tensor_create_from_bytes(chord_context* context, chord_type type, int32_t rank, const int64_t* shape, const void* data, size_t bytes, chord_tensor** tensor);
chord_status chord_tensor_wrap(chord_context* context, chord_type type, int32_t rank, const int64_t* shape, const int64_t* strides, void* data, chord_release_callback release, void* user, chord_tensor** tensor);
chord_status chord_tensor_view(const chord_tensor* tensor, int32_t rank, const int64_t* shape, const int64_t* strides, int64_t offset, chord_tensor** view);
chord_status chord_tensor_destroy(chord_tensor* tensor);
chord_status chord_tensor_to_host(const chord_tensor* tensor, void* data, size_t bytes);
chord_status chord_tensor_from_host(chord_tensor* tensor, const void* data, size_t bytes);
chord_status chord_tensor_fill(chord_tensor* tensor, double value);
chord_status chord_tensor_copy(const chord_tensor* from, chord_tensor* to);
chord_status chord_tensor_get_info(const chord_tensor* tensor, chord_tensor_info* info);
chord_status chord_tensor_data(const chord_tensor* tensor, void** data);
chord_status chord_tensor_map(chord_tensor* tensor, void** data);
chord_status chord_tensor_unmap(chord_tensor* tensor);
chord_status chord_tensor_to_dlpack(const chord_tensor* tensor, DLManagedTensorVersioned** managed);
chord_status chord_tensor_to_dlpack_on_cuda_stream(const chord_tensor* tensor, intptr_t stream, DLManagedTensorVersioned** managed);
chord_status chord_tensor_from_dlpack(chord_context* context, DLManagedTensorVersioned* managed, chord_tensor** tensor);
chord_status chord_pattern_create_chord(chord_context* context, int64_t n, int64_t base, int64_t links, chord_pattern** pattern);
chord_status chord_pattern_create_symmetric(chord_context* context, int64_t n, int64_t base, int64_t links, chord_pattern** pattern);
chord_status chord_pattern_create_custom(chord_context* context, int64_t n, int64_t links, const int64_t* offsets, chord_pattern** pattern);
chord_status chord_pattern_destroy(chord_pattern* pattern);
chord_status chord_pattern_get_size(const chord_pattern* pattern, int64_t* n, int64_t* links);
chord_status chord_pattern_get_offsets(const chord_pattern* pattern, int64_t* offsets, int64_t capacity);
chord_status chord_full_chain_length(int64_t n, int64_t base, int64_t* factors);
chord_status chord_product(const chord_pattern* pattern, const chord_tensor* w, const chord_tensor* v, chord_tensor* z, chord_flag accumulate);
chord_status chord_product_gradient_values(const chord_pattern* pattern, const chord_tensor* w, const chord_tensor* dz, chord_tensor* dv, chord_flag accumulate);
chord_status chord_product_gradient_weights(const chord_pattern* pattern, const chord_tensor* dz, const chord_tensor* v, chord_tensor* dw, chord_flag accumulate);
chord_status chord_chain_create(const chord_pattern* pattern, const chord_tensor* weights, chord_flag residual, chord_chain** chain);
chord_status chord_chain_destroy(chord_chain* chain);
chord_status chord_chain_apply(const chord_chain* chain, const chord_tensor* v, chord_tensor* z, chord_tensor* tape);
chord_status chord_chain_apply_transposed(const chord_chain* chain, const chord_tensor* v, chord_tensor* z);
chord_status chord_chain_rows(const chord_chain* chain, const int64_t* indices, int64_t count, chord_tensor* out);
chord_status chord_chain_dense(const chord_chain* chain, chord_tensor* out);
chord_status chord_chain_gradient(const chord_chain* chain, const chord_tensor* v, const chord_tensor* tape, const chord_tensor* g, chord_tensor* dw, chord_tensor* dv, chord_flag accumulate);
chord_status chord_matrix_read(const char* path, chord_matrix** matrix);
chord_status chord_matrix_create_dense(int64_t n, const double* values, chord_matrix** matrix);
chord_status chord_matrix_create_sparse(int64_t n, int64_t count, const int64_t* rows, const int64_t* columns, const double* values, chord_matrix** matrix);
chord_status chord_matrix_create_rectangle(int64_t rows, int64_t columns, const double* values, chord_matrix** matrix);
chord_status chord_matrix_create_sparse_rectangle(int64_t rows, int64_t columns, int64_t count, const int64_t* entry_rows, const int64_t* entry_columns, const double* values, chord_matrix** matrix);
chord_status chord_matrix_destroy(chord_matrix* matrix);
chord_status chord_matrix_get_info(const chord_matrix* matrix, chord_matrix_info* info);
chord_status chord_matrix_to_dense(const chord_matrix* matrix, double* values, size_t bytes);
chord_status chord_matrix_rows(const chord_matrix* matrix, const int64_t* indices, int64_t count, double* values);
chord_status chord_matrix_truncated_svd(const chord_matrix* matrix, int64_t rank, double* error, double* singular_values, double* approximation);
chord_status chord_constraint_count(int32_t* count);
chord_status chord_constraint_get_info(chord_constraint constraint, chord_name_info* info);
chord_status chord_part_kind_count(int32_t* count);
chord_status chord_part_kind_get_info(chord_part_kind kind, chord_name_info* info);
chord_status chord_stop_count(int32_t* count);
chord_status chord_stop_get_info(chord_stop stop, chord_name_info* info);
chord_status chord_factorize(const chord_pattern* pattern, const chord_matrix* matrix, const chord_factorize_options* options, chord_factorization** factorization);
chord_status chord_factorize_operator(const chord_pattern* pattern, chord_operator_apply apply, void* user, const chord_factorize_options* options, chord_factorization** factorization);
chord_status chord_factorize_operator_memory(const chord_pattern* pattern, const chord_factorize_options* options, uint64_t* bytes);
chord_status chord_factorize_start(const chord_pattern* pattern, const chord_matrix* matrix, const chord_factorize_options* options, chord_job** job);
chord_status chord_job_poll(const chord_job* job, chord_flag* done, chord_factorize_progress* progress);
chord_status chord_job_cancel(chord_job* job);
chord_status chord_job_wait(const chord_job* job, double seconds, chord_flag* done);
chord_status chord_job_get_factorization(const chord_job* job, chord_factorization** factorization);
chord_status chord_job_destroy(chord_job* job);
chord_status chord_factorize_memory(const chord_pattern* pattern, const chord_matrix* matrix, const chord_factorize_options* options, uint64_t* bytes);
chord_status chord_factorization_destroy(chord_factorization* factorization);
chord_status chord_factorization_get_info(const chord_factorization* factorization, chord_factorization_info* info);
chord_status chord_factorization_part_count(const chord_factorization* factorization, int32_t* count);
chord_status chord_factorization_get_part(const chord_factorization* factorization, int32_t index, chord_part_info* info);
chord_status chord_factorization_get_tensor(const chord_factorization* factorization, const char* name, chord_tensor** tensor);
chord_status chord_factorization_apply(const chord_factorization* factorization, const chord_tensor* v, chord_tensor* z, chord_flag transposed);
chord_status chord_factorization_rows(const chord_factorization* factorization, const int64_t* indices, int64_t count, chord_tensor* out);
chord_status chord_factorization_dense(const chord_factorization* factorization, chord_tensor* out);
chord_status chord_factorization_get_chain(const chord_factorization* factorization, chord_chain** chain);
chord_status chord_factorization_get_weights(const chord_factorization* factorization, chord_tensor** weights);
chord_status chord_factorization_get_pattern(const chord_factorization* factorization, chord_pattern** pattern);
chord_status chord_factorization_save(const chord_factorization* factorization, const char* path);
chord_status chord_factorization_load(chord_context* context, const char* path, chord_factorization** factorization);
chord_status chord_model_preset(const char* name, const char** json);
chord_status chord_model_preset_count(int32_t* count);
chord_status chord_model_preset_name(int32_t index, const char** name);
chord_status chord_model_key_count(int32_t* count);
chord_status chord_model_key_get_info(int32_t index, chord_model_key_info* info);
chord_status chord_model_create(chord_context* context, const char* json, uint64_t seed, chord_model** model);
chord_status chord_model_load(chord_context* context, const char* path, const char* json, chord_model** model);
chord_status chord_model_save(const chord_model* model, const char* path, chord_flag with_optimizer, const char* note);
chord_status chord_model_note(const chord_model* model, const char** note);
chord_status chord_model_destroy(chord_model* model);
chord_status chord_model_description(const chord_model* model, const char** json);
chord_status chord_model_get_info(const chord_model* model, chord_model_info* info);
chord_status chord_model_plan(const chord_model* model, int64_t batch, chord_flag training, const chord_train_options* options, chord_model_memory* info);
chord_status chord_model_forward(chord_model* model, const chord_tensor* inputs, chord_tensor* outputs);
chord_status chord_model_forward_with(chord_model* model, const chord_tensor* inputs, const chord_train_options* options, chord_tensor* outputs);
chord_status chord_model_evaluate(chord_model* model, const chord_tensor* inputs, const chord_tensor* labels, chord_step_result* result);
chord_status chord_model_evaluate_with(chord_model* model, const chord_tensor* inputs, const chord_tensor* labels, const chord_train_options* options, chord_step_result* result);
chord_status chord_model_gradients(chord_model* model, const chord_tensor* inputs, const chord_tensor* labels, const chord_train_options* options, chord_step_result* result);
chord_status chord_model_backward(chord_model* model, const chord_tensor* inputs, const chord_tensor* doutputs, chord_tensor* dinputs, const chord_train_options* options);
chord_status chord_model_layer_forward(chord_model* model, chord_layer layer, int64_t block, int64_t factor, const chord_tensor* in, const chord_train_options* options, chord_tensor* out);
chord_status chord_model_layer_backward(chord_model* model, chord_layer layer, int64_t block, int64_t factor, const chord_tensor* in, const chord_tensor* dout, const chord_train_options* options, chord_tensor* din, chord_flag accumulate);
chord_status chord_model_loss(chord_model* model, const chord_tensor* outputs, const chord_tensor* labels, const chord_train_options* options, chord_tensor* doutputs, chord_step_result* result);
chord_status chord_model_apply_gradients(chord_model* model, const chord_train_options* options);
chord_status chord_model_train_step(chord_model* model, const chord_tensor* inputs, const chord_tensor* labels, const chord_train_options* options, chord_step_result* result);
chord_status chord_model_take_losses(chord_model* model, int64_t capacity, double* losses, int64_t* correct, int64_t* count, int64_t* lost);
chord_status chord_model_parameter_count(const chord_model* model, int64_t* count);
chord_status chord_model_parameter_name(const chord_model* model, int64_t index, const char** name);
chord_status chord_model_parameter(const chord_model* model, const char* name, chord_tensor** tensor);
chord_status chord_model_gradient(const chord_model* model, const char* name, chord_tensor** tensor);
chord_status chord_model_get_parameters(const chord_model* model, chord_tensor** parameters);
chord_status chord_model_get_gradients(chord_model* model, chord_tensor** gradients);
chord_status chord_model_get_moments(chord_model* model, chord_tensor** first, chord_tensor** second);
chord_status chord_model_set_step(chord_model* model, int64_t step);
chord_status chord_model_save_gradients(const chord_model* model, const char* path);
chord_status chord_model_attention(chord_model* model, const chord_tensor* inputs, int64_t block, const int64_t* indices, int64_t count, chord_tensor* out);
chord_status chord_model_attention_with(chord_model* model, const chord_tensor* inputs, int64_t block, const int64_t* indices, int64_t count, const chord_train_options* options, chord_tensor* out);
chord_status chord_task_count(int32_t* count);
chord_status chord_task_get_info(int32_t index, chord_task_info* info);
chord_status chord_task_get_published_accuracy(int32_t index, int64_t length, double* percent);
chord_status chord_dataset_create(const chord_dataset_options* options, chord_dataset** dataset);
chord_status chord_dataset_destroy(chord_dataset* dataset);
chord_status chord_dataset_get_info(const chord_dataset* dataset, chord_dataset_info* info);
chord_status chord_dataset_read(const chord_dataset* dataset, int64_t first, int64_t count, void* inputs, size_t input_bytes, void* labels, size_t label_bytes);
chord_status chord_dataset_encoding(const chord_dataset* dataset, const char** json);
chord_status chord_encoder_create(const char* task, const char* encoding, int64_t length, chord_encoder** encoder);
chord_status chord_encoder_destroy(chord_encoder* encoder);
chord_status chord_encoder_get_info(const chord_encoder* encoder, chord_encoder_info* info);
chord_status chord_encoder_encode(const chord_encoder* encoder, const void* bytes, size_t size, int32_t* tokens, int64_t capacity, int64_t* used);
chord_status chord_encoder_symbol(const chord_encoder* encoder, int32_t token, const char** text);
chord_status chord_generate_files(const chord_generate_options* options);
chord_status chord_batches_create(const chord_dataset* dataset, const chord_batches_options* options, chord_batches** batches);
chord_status chord_batches_destroy(chord_batches* batches);
chord_status chord_batches_count(const chord_batches* batches, int64_t* count);
chord_status chord_batches_next(chord_batches* batches, const void** inputs, const void** labels, int64_t* count);
chord_status chord_write_file(const char* path, const void* data, size_t bytes);
chord_status chord_tensor_read_npy(chord_context* context, const char* path, chord_tensor** tensor);
chord_status chord_tensor_write_npy(const chord_tensor* tensor, const char* path);
chord_status chord_npy_writer_create(const char* path, chord_type type, int32_t rank, const int64_t* shape, chord_npy_writer** writer);
chord_status chord_npy_writer_write(chord_npy_writer* writer, const void* data, size_t bytes);
chord_status chord_npy_writer_commit(chord_npy_writer* writer);
chord_status chord_npy_writer_destroy(chord_npy_writer* writer);
"""

LAYOUT = {
    'chord_backend_info': (1072, {'struct_size': 0, 'available': 8, 'reserved': 12, 'name': 16, 'detail': 48}),
    'chord_device_info': (384, {'struct_size': 0, 'kind': 8, 'units': 12, 'memory_bytes': 16, 'host_readable': 24, 'has_float64': 28, 'selector': 32, 'backend': 96, 'name': 128}),
    'chord_memory_info': (40, {'struct_size': 0, 'bytes_in_use': 8, 'peak_bytes': 16, 'reserved_bytes': 24, 'device_allocations': 32}),
    'chord_tensor_info': (152, {'struct_size': 0, 'type': 8, 'rank': 12, 'shape': 16, 'strides': 80, 'bytes': 144}),
    'chord_matrix_info': (96, {'struct_size': 0, 'n': 8, 'stored': 16, 'nonzeros': 24, 'sparse': 32, 'symmetric': 36, 'norm': 40, 'format': 48, 'rows': 80, 'columns': 88}),
    'chord_name_info': (24, {'struct_size': 0, 'name': 8, 'description': 16}),
    'chord_factorize_progress': (72, {'struct_size': 0, 'start': 8, 'starts': 12, 'iteration': 16, 'error': 24, 'best_error': 32, 'relative_error': 40, 'gradient': 48, 'seconds': 56, 'standard_error': 64}),
    'chord_factorize_peers': (56, {'struct_size': 0, 'pieces': 8, 'first': 16, 'count': 24, 'sum': 32, 'user': 40, 'whole': 48}),
    'chord_factorize_options': (160, {'struct_size': 0, 'factors': 8, 'constraint': 16, 'precision': 20, 'restarts': 24, 'reserved': 28, 'seed': 32, 'iterations': 40, 'seconds': 48, 'gradient_tolerance': 56, 'improvement_tolerance': 64, 'resume': 72, 'checkpoint': 80, 'checkpoint_seconds': 88, 'callback': 96, 'user': 104, 'callback_seconds': 112, 'numbers': 120, 'rank': 128, 'entries': 136, 'peers': 144, 'exact_error': 152, 'reserved_too': 156}),
    'chord_factorization_info': (120, {'struct_size': 0, 'n': 8, 'links': 16, 'factors': 24, 'nonzeros': 32, 'constraint': 40, 'precision': 44, 'stop': 48, 'reserved': 52, 'iterations': 56, 'seconds': 64, 'error': 72, 'relative_error': 80, 'seed': 88, 'standard_error': 96, 'rows': 104, 'columns': 112}),
    'chord_part_info': (32, {'struct_size': 0, 'kind': 8, 'reserved': 12, 'size': 16, 'numbers': 24}),
    'chord_model_key_info': (64, {'struct_size': 0, 'name': 8, 'description': 16, 'kind': 24, 'required': 28, 'lowest': 32, 'highest': 40, 'choices': 48, 'default_value': 56}),
    'chord_model_info': (80, {'struct_size': 0, 'parameters': 8, 'step': 16, 'seed': 24, 'length': 32, 'features': 40, 'vocabulary': 48, 'classes': 56, 'input_type': 64, 'label_type': 68, 'output_type': 72, 'reserved': 76}),
    'chord_train_options': (112, {'struct_size': 0, 'learning_rate': 8, 'beta1': 16, 'beta2': 24, 'epsilon': 32, 'weight_decay': 40, 'clip_norm': 48, 'micro_batch': 56, 'memory': 64, 'optimizer': 68, 'momentum': 72, 'lengths': 80, 'first_sequence': 88, 'whole_batch': 96, 'dropout': 104, 'accumulate': 108}),
    'chord_model_memory': (40, {'struct_size': 0, 'parameter_bytes': 8, 'activation_bytes': 16, 'peak_bytes': 24, 'memory': 32, 'reserved': 36}),
    'chord_step_result': (32, {'struct_size': 0, 'loss': 8, 'correct': 16, 'count': 24}),
    'chord_task_info': (120, {'struct_size': 0, 'name': 8, 'title': 16, 'data': 24, 'generated': 32, 'has_encoder': 36, 'has_files_generator': 40, 'length': 48, 'features': 56, 'vocabulary': 64, 'classes': 72, 'train_count': 80, 'eval_count': 88, 'epochs': 96, 'batch': 104, 'learning_rate': 112}),
    'chord_dataset_options': (88, {'struct_size': 0, 'task': 8, 'split': 16, 'data': 24, 'length': 32, 'count': 40, 'seed': 48, 'sample': 56, 'encoding': 64, 'progress': 72, 'user': 80}),
    'chord_dataset_info': (56, {'struct_size': 0, 'count': 8, 'length': 16, 'features': 24, 'vocabulary': 32, 'classes': 40, 'input_type': 48, 'label_type': 52}),
    'chord_encoder_info': (24, {'struct_size': 0, 'length': 8, 'vocabulary': 16}),
    'chord_generate_options': (56, {'struct_size': 0, 'task': 8, 'output': 16, 'count': 24, 'seed': 32, 'progress': 40, 'user': 48}),
    'chord_batches_options': (64, {'struct_size': 0, 'batch': 8, 'first': 16, 'seed': 24, 'epoch': 32, 'shuffle': 40, 'drop_last': 44, 'part_first': 48, 'part_count': 56}),
}

DOCUMENTATION = {
    'chord_status_name': 'The name of a status, e.g. "CHORD_ERROR_INVALID_SHAPE"; "unknown status" for values that are none.\nOwnership: a constant of the library. Threads: any.\n\nReturns: at once.',
    'chord_last_error': "What went wrong in this thread's last call that failed: what, where, and what was expected. Empty if none has.\nOwnership: the library's; valid until this thread's next failing call. Threads: each has its own. Never NULL.\n\nReturns: at once.",
    'chord_last_error_copy': "The same into memory of the caller's, cut where `capacity` bytes do not hold it and its NUL; `length` (may be NULL)\nis the whole text's, without the NUL. For runtimes that move between threads: call it with the failing call, before\nthey can. Ownership: `text` is the caller's. Threads: each has its own error.\n\nReturns: at once.\n`text`: an array [capacity].\n`length`: NULL allowed.",
    'chord_version': "The version of the library in use, which may differ from the header's. Pointers may be NULL.\nOwnership: none. Threads: any.\n\nReturns: at once.\n`major`: NULL allowed.\n`minor`: NULL allowed.\n`patch`: NULL allowed.",
    'chord_abi_version': 'CHORD_ABI_VERSION of the library in use.\nOwnership: none. Threads: any.\n\nReturns: at once.',
    'chord_set_log_callback': 'Where messages go, e.g. "compiling kernels…"; silent until set, and again with NULL. The callback may call this\nlibrary, but not open the device it is told about, and must not throw. It comes in whatever thread uses the library,\nin several at once, too. The function returns when the callback set before is no longer running, so that what it uses\ncan go; called by such a callback, it does not wait.\nOwnership: `user` stays the caller\'s. Threads: any.\n\nReturns: after waiting for work.\n`callback`: NULL allowed.\n`user`: NULL allowed.',
    'chord_cache_directory': "The folder in which compiled kernels are kept; empty for a user without one, where nothing is kept.\nOwnership: the library's, valid until the process ends. Threads: any.\n\nReturns: at once.\n`path`: valid as long as the process.",
    'chord_kernel_source': "The text that is given to the SYCL compiler at run time: all kernels, each with an entry point of its own.\nOwnership: the library's, valid until the process ends. Threads: any.\n\nReturns: at once.\n`source`: valid as long as the process.",
    'chord_kernel_ptx': "The kernels as PTX, as the NVIDIA driver gets them; NULL where the library was built without (chord-info says why).\nOwnership: the library's, valid until the process ends. Threads: any.\n\nReturns: at once.\n`ptx`: valid as long as the process.",
    'chord_backend_count': "How many backends there are, and each of them. The first call loads the device runtimes.\nOwnership: `info` is the caller's. Threads: any.\n\nReturns: at once.",
    'chord_backend_get_info': "How many backends there are, and each of them. The first call loads the device runtimes.\nOwnership: `info` is the caller's. Threads: any.\n\nReturns: at once.",
    'chord_device_count': "How many devices there are, and each of them; the host is number 0.\nOwnership: `info` is the caller's. Threads: any.\n\nReturns: at once.",
    'chord_device_get_info': "How many devices there are, and each of them; the host is number 0.\nOwnership: `info` is the caller's. Threads: any.\n\nReturns: at once.",
    'chord_context_create': 'Opens a device. `selector`: NULL or "auto" (the environment\'s CHORD_DEVICE, else the first GPU, else the host),\n"auto:float64" (the same, passing over GPUs without float64), "host", "cpu" (a SYCL CPU device), "gpu", "cuda" (an\nNVIDIA GPU through its driver), a SYCL driver ("opencl", "level_zero", "sycl_cuda", "hip", "omp"), or one of their\ndevices by number ("cuda:1"). CUDA_VISIBLE_DEVICES and its like hold. The first SYCL context\nof a machine compiles the kernels, which takes seconds; later ones find them in the cache (OpenCL devices; on others\nthe SYCL runtime keeps them if SYCL_CACHE_PERSISTENT=1).\nOwnership: the caller\'s. Threads: any.\n\nReturns: after long work of its own.\n`selector`: NULL allowed.',
    'chord_context_create_on_cuda_stream': "A context on a CUDA stream of the caller's, so that its work and ours come in order without a wait. `stream` is a\nCUstream (or cudaStream_t) of the device's primary context, which PyTorch and the CUDA runtime use too; NULL is the\ndefault stream. `device` is CUDA's number of the device.\nOwnership: the context is the caller's; the stream stays the caller's, who destroys it after the context and all\nobjects in it. Threads: any.\n\nReturns: after long work of its own.\n`stream`: NULL allowed.",
    'chord_context_create_on_sycl_queue': "A context on a SYCL queue of the caller's; chord_sycl.hpp is the safe way to call it. `queue` is a sycl::queue*, in\norder, of the SYCL runtime that chord::sycl_runtime() of that header names in `runtime`; the context keeps a copy.\nOwnership: the context is the caller's, the queue stays the caller's. Threads: any.\n\nReturns: after long work of its own.",
    'chord_context_get_cuda_stream': "The stream a CUDA context works on, a CUstream, and the number of its device (`device` may be NULL). Others can order\ntheir work after ours with it (cuStreamWaitEvent), or hand it to __dlpack__(stream=…) before an import.\nOwnership: the context's. Threads: any.\n\nReturns: at once.\n`device`: NULL allowed.\n`stream`: owned by `context`.",
    'chord_context_destroy': 'Ownership: takes `context`; it closes when no object in it is left. Threads: any.\n\nReturns: after waiting for work.\n`context`: NULL allowed.',
    'chord_context_close': 'Waits for the work queued so far and destroys the context and all objects in it, whoever has their handles: these are\nCHORD_ERROR_INVALID_HANDLE from then on, also when they are destroyed once more. Memory that was exported by DLPack\nlives until it is given back. An error of queued work is reported, and the context closed nevertheless.\nOwnership: takes `context` and the objects in it. Threads: any; a call in another thread that uses one of them ends\nfirst, and the object with it.\n\nReturns: after waiting for work.',
    'chord_context_count_objects': 'How many objects are alive in a context, itself left out; or in the whole process, if `context` is NULL, those that\nare in none (matrices, datasets, …) and contexts included. Ownership: none. Threads: any.\n\nReturns: at once.\n`context`: NULL allowed.',
    'chord_context_get_device': "Ownership: `info` is the caller's. Threads: any.\n\nReturns: at once.",
    'chord_context_wait': 'Returns when all work queued so far is done; reports the first error of queued work since the last wait.\nOwnership: none. Threads: any; others may go on queueing meanwhile.\n\nReturns: after waiting for work.',
    'chord_context_get_memory': "Ownership: `info` is the caller's. Threads: any.\n\nReturns: at once.",
    'chord_context_trim': 'Waits, then gives the memory kept for reuse back to the device.\nOwnership: none. Threads: any.\n\nReturns: after waiting for work.',
    'chord_tensor_create': "A new tensor, contiguous, its values undefined. Extents may be 0; the product of the others, in bytes, is below 2^63.\nOwnership: the result is the caller's. Threads: any.\n\nReturns: at once.\n`shape`: an array [rank].",
    'chord_tensor_create_from_host': "A new tensor with a copy of contiguous host memory.\nOwnership: the result is the caller's; `data` stays the caller's and is free to go. Threads: any.\n\nReturns: when the work is queued.\n`shape`: an array [rank].\n`data`: an array [elements of the shape].",
    'chord_tensor_create_from_bytes': "The same from `bytes` of it, which must be exactly the tensor's size: for languages that know how much they have.\nOwnership: as above. Threads: any.\n\nReturns: when the work is queued.\n`shape`: an array [rank].\n`data`: an array [bytes].",
    'chord_tensor_wrap': "Host memory used in place, without a copy, on devices whose info says host_readable. `strides` count elements; NULL\nmeans contiguous. Overlapping elements (a stride of 0, say) make it read-only.\nOwnership: `data` stays the caller's and must live until `release` (which may be NULL) is called: once, after the\nlast tensor that looks at it is gone and the queue has drained. On failure it is not called. Threads: any; `release`\nis called in the thread that destroys the last tensor, or whose call was the last to use it, and may not end it.\n\nReturns: at once.\n`shape`: an array [rank].\n`strides`: an array [rank], NULL allowed.\n`data`: an array [elements of the shape].\n`release`: NULL allowed.\n`user`: NULL allowed.",
    'chord_tensor_view': "Another look at a tensor's memory: a slice, a transpose, a repetition. `offset` and `strides` count elements from the\ntensor's first; NULL strides mean contiguous. It stays between the tensor's lowest and highest element in memory.\nOwnership: the result is the caller's and keeps the memory alive. Threads: any.\n\nReturns: at once.\n`shape`: an array [rank].\n`strides`: an array [rank], NULL allowed.",
    'chord_tensor_destroy': 'Ownership: takes `tensor`. Threads: any; queued work that uses it is not disturbed.\n\nReturns: after waiting for work.\n`tensor`: NULL allowed.',
    'chord_tensor_to_host': "The elements, contiguous in host memory. `bytes` must be exactly the tensor's size. to_host waits for the work before\nit; from_host only until `data` is read. `data` may not be memory that the tensor itself uses in place.\nOwnership: `data` is the caller's. Threads: any.\n\nReturns: after waiting for work.\n`data`: an array [bytes].",
    'chord_tensor_from_host': "The elements, contiguous in host memory. `bytes` must be exactly the tensor's size. to_host waits for the work before\nit; from_host only until `data` is read. `data` may not be memory that the tensor itself uses in place.\nOwnership: `data` is the caller's. Threads: any.\n\nReturns: when the work is queued.\n`data`: an array [bytes].",
    'chord_tensor_fill': 'tensor = value everywhere; to = from (same type and shape, one context).\nOwnership: none. Threads: any.\n\nReturns: when the work is queued.',
    'chord_tensor_copy': 'tensor = value everywhere; to = from (same type and shape, one context).\nOwnership: none. Threads: any.\n\nReturns: when the work is queued.',
    'chord_tensor_get_info': "Ownership: `info` is the caller's. Threads: any.\n\nReturns: at once.",
    'chord_tensor_data': "The first element, where the device's memory is host_readable; otherwise CHORD_ERROR_UNSUPPORTED. Wait for the\ncontext before touching it, and do not touch it while work on it is queued.\nOwnership: the tensor's. Threads: any.\n\nReturns: at once.\n`data`: owned by `tensor`.",
    'chord_tensor_map': "The same with the wait in it: all work queued so far is done when it returns, and the memory is the caller's, to read\nand to write, until chord_tensor_unmap. Work with it that is queued meanwhile, by whatever thread, races with the\ncaller. Ownership: the memory is the tensor's, which must not be destroyed meanwhile. Threads: any.\n\nReturns: after waiting for work.\n`data`: owned by `tensor`.",
    'chord_tensor_unmap': "The memory is the library's again, with what was written to it.\nOwnership: ends what chord_tensor_map began. Threads: any.\n\nReturns: at once.",
    'chord_tensor_to_dlpack': "A repetition (elements that share memory) is exported as read-only. Waits for the work queued so far, so that the\nvalues are there. Ownership: the result is the caller's, who calls its deleter once, in any thread; it keeps the\nmemory alive. Threads: any.\n\nReturns: after waiting for work.",
    'chord_tensor_to_dlpack_on_cuda_stream': "The same for a consumer that works on a CUDA stream, without waiting: the stream waits instead, and when the deleter\nis called, our later work waits for what the stream has been given until then. `stream` is as in Python's\n__dlpack__(stream=…): −1 orders nothing, 1 is the legacy default stream, 2 that of the thread, anything else a\nCUstream's address, which must be valid until the deleter has been called. Only for tensors of CUDA contexts.\nOwnership: as above. Threads: any.\n\nReturns: when the work is queued.",
    'chord_tensor_from_dlpack': "Ownership: takes `managed` when it succeeds: its deleter is called once, after the last tensor that looks at it is\ngone and the queue has drained. On failure it stays the caller's. Threads: any. Memory of an NVIDIA GPU goes to a\ncontext of that device; the producer has ordered its work before the context's stream\n(chord_context_get_cuda_stream).\n\nReturns: at once.",
    'chord_pattern_create_chord': "Offsets 0, 1, b, b², … for b = `base` ≥ 2; `links` of them, or, if 0, ⌊log2 n⌋ + 1 for base 2 and all\npowers below n for others. They wrap around n.\nOwnership: the result is the caller's. Threads: any.\n\nReturns: at once.",
    'chord_pattern_create_symmetric': "Offsets 0, 1, −1, b, −b, …; `links` of them, or all with b^k ≤ n / 2 if 0.\nOwnership: the result is the caller's. Threads: any.\n\nReturns: at once.",
    'chord_pattern_create_custom': "Any offsets: of any size and sign, in any order, repeated or not.\nOwnership: the result is the caller's; `offsets` stays the caller's. Threads: any.\n\nReturns: at once.\n`offsets`: an array [links].",
    'chord_pattern_destroy': 'Ownership: takes `pattern`. Threads: any.\n\nReturns: at once.\n`pattern`: NULL allowed.',
    'chord_pattern_get_size': 'Either pointer may be NULL.\nOwnership: none. Threads: any.\n\nReturns: at once.\n`n`: NULL allowed.\n`links`: NULL allowed.',
    'chord_pattern_get_offsets': "The offsets as given; `capacity` must be at least the number of links.\nOwnership: `offsets` is the caller's. Threads: any.\n\nReturns: at once.\n`offsets`: an array [capacity].",
    'chord_full_chain_length': 'How many factors of a chord pattern connect every row with every column: (b − 1)·⌈log_b n⌉; 0 for n = 1.\nOwnership: none. Threads: any.\n\nReturns: at once.',
    'chord_product': 'z[i,:] (+)= Σ_k w[i,k] · v[(i+o_k) mod N, :]\nOwnership: none. Threads: any.\n\nReturns: when the work is queued.',
    'chord_product_gradient_values': 'dv[j,:] (+)= Σ_k w[(j−o_k) mod N, k] · dz[(j−o_k) mod N, :], the product with the transpose.\nOwnership: none. Threads: any.\n\nReturns: when the work is queued.',
    'chord_product_gradient_weights': 'dw[i,k] (+)= ⟨dz[i,:], v[(i+o_k) mod N, :]⟩, summed over the batch where dw has none.\nOwnership: none. Threads: any.\n\nReturns: when the work is queued.',
    'chord_chain_create': "weights: [M, N, L], or [M, B, N, L] with factors of each sequence's own; M = 0 is the identity. residual: 1 adds the\nfirst v again after every factor.\nOwnership: the result is the caller's; it looks at `weights`, whose values may change between calls, and keeps its\nmemory alive. Threads: any.\n\nReturns: at once.",
    'chord_chain_destroy': 'Ownership: takes `chain`. Threads: any.\n\nReturns: after waiting for work.\n`chain`: NULL allowed.',
    'chord_chain_apply': "z = chain(v), both [N, D] or [B, N, D]. tape: NULL, or [M − 1, …] of v's shape, in which the outputs of all factors\nbut the last are left for chord_chain_gradient. Ownership: none. Threads: any.\n\nReturns: when the work is queued.\n`tape`: NULL allowed.",
    'chord_chain_apply_transposed': 'z = chainᵀ(v): the transpose of the same linear map, residuals included.\nOwnership: none. Threads: any.\n\nReturns: when the work is queued.',
    'chord_chain_rows': "out[r,:] = row indices[r] of the product W_M ⋯ W_1 (residuals left out), [count, N] or [B, count, N], without forming\nit: O(M·N·L) a row.\nOwnership: `indices` stays the caller's and is read before the call returns. Threads: any.\n\nReturns: when the work is queued.\n`indices`: an array [count].",
    'chord_chain_dense': 'out = the product W_M ⋯ W_1 (residuals left out) as a dense matrix, [N, N] or [B, N, N].\nOwnership: none. Threads: any.\n\nReturns: when the work is queued.',
    'chord_chain_gradient': "The gradient of ⟨g, chain(v)⟩ with respect to every factor, dw of the weights' shape, and to v, dv of v's shape or\nNULL. tape: as chord_chain_apply left it for the same v and weights, or NULL to compute the intermediates again,\nwhich takes about half as long again and less memory. Ownership: none. Threads: any.\n\nReturns: when the work is queued.\n`tape`: NULL allowed.\n`dv`: NULL allowed.",
    'chord_matrix_read': "Reads a file: MatrixMarket (coordinate files become sparse, all others dense), NumPy's npy, PNG (grey levels from 0\nto 255), or safetensors with one tensor of two dimensions. The content tells which, not the name.\nCHORD_ERROR_INVALID_FILE if it is none of them, damaged, or has values that are not finite.\nOwnership: the result is the caller's. Threads: any.\n\nReturns: at once.",
    'chord_matrix_create_dense': "A matrix of n·n finite values, row by row.\nOwnership: the result is the caller's; `values` stays the caller's and is free to go. Threads: any.\n\nReturns: at once.\n`values`: an array [n * n].",
    'chord_matrix_create_sparse': "A matrix of `count` finite entries in any order, rows and columns counted from 0; those at one place are summed.\nOwnership: the result is the caller's; the arrays stay the caller's and are free to go. Threads: any.\n\nReturns: at once.\n`rows`: an array [count].\n`columns`: an array [count].\n`values`: an array [count].",
    'chord_matrix_create_rectangle': "The same two for matrices that need not be square: rows · columns values, or entries.\nOwnership: the result is the caller's; the arrays stay the caller's and are free to go. Threads: any.\n\nReturns: at once.\n`values`: an array [rows * columns].",
    'chord_matrix_create_sparse_rectangle': "The same two for matrices that need not be square: rows · columns values, or entries.\nOwnership: the result is the caller's; the arrays stay the caller's and are free to go. Threads: any.\n\nReturns: at once.\n`entry_rows`: an array [count].\n`entry_columns`: an array [count].\n`values`: an array [count].",
    'chord_matrix_destroy': 'Ownership: takes `matrix`. Threads: any.\n\nReturns: at once.\n`matrix`: NULL allowed.',
    'chord_matrix_get_info': "Ownership: `info` is the caller's. Threads: any.\n\nReturns: at once.",
    'chord_matrix_to_dense': "All rows · columns values, row by row. `bytes` must be exactly their size.\nOwnership: `values` is the caller's. Threads: any.\n\nReturns: at once.\n`values`: an array [bytes / 8].",
    'chord_matrix_rows': "values[r,:] = row indices[r], count · columns values, without making a sparse matrix dense.\nOwnership: the arrays are the caller's. Threads: any.\n\nReturns: at once.\n`indices`: an array [count].\n`values`: an array [count * columns].",
    'chord_matrix_truncated_svd': "The best approximation of a rank (the truncated SVD), for comparison: its error ‖X − X_r‖ (Frobenius), all singular\nvalues in falling order, as many as the shorter side has, and X_r row by row, rows · columns values. Each pointer may\nbe NULL. rank: 0 to the shorter side. Takes O(n³) and the memory of a few dense matrices; uses oneMKL's LAPACK, or\nthe system's, and says CHORD_ERROR_UNSUPPORTED without either. Ownership: the arrays are the caller's. Threads: any.\n\nReturns: after long work of its own.\n`error`: NULL allowed.\n`singular_values`: an array [min(rows, columns)], NULL allowed.\n`approximation`: an array [rows * columns], NULL allowed.",
    'chord_constraint_count': "The constraints, CHORD_CONSTRAINT_… from 0 to count - 1; the kinds of parts, CHORD_PART_…, and the reasons to stop,\nCHORD_STOP_…, likewise.\nOwnership: `info` is the caller's, its texts are constants of the library. Threads: any.\n\nReturns: at once.",
    'chord_constraint_get_info': "The constraints, CHORD_CONSTRAINT_… from 0 to count - 1; the kinds of parts, CHORD_PART_…, and the reasons to stop,\nCHORD_STOP_…, likewise.\nOwnership: `info` is the caller's, its texts are constants of the library. Threads: any.\n\nReturns: at once.",
    'chord_part_kind_count': "The constraints, CHORD_CONSTRAINT_… from 0 to count - 1; the kinds of parts, CHORD_PART_…, and the reasons to stop,\nCHORD_STOP_…, likewise.\nOwnership: `info` is the caller's, its texts are constants of the library. Threads: any.\n\nReturns: at once.",
    'chord_part_kind_get_info': "The constraints, CHORD_CONSTRAINT_… from 0 to count - 1; the kinds of parts, CHORD_PART_…, and the reasons to stop,\nCHORD_STOP_…, likewise.\nOwnership: `info` is the caller's, its texts are constants of the library. Threads: any.\n\nReturns: at once.",
    'chord_stop_count': "The constraints, CHORD_CONSTRAINT_… from 0 to count - 1; the kinds of parts, CHORD_PART_…, and the reasons to stop,\nCHORD_STOP_…, likewise.\nOwnership: `info` is the caller's, its texts are constants of the library. Threads: any.\n\nReturns: at once.",
    'chord_stop_get_info': "The constraints, CHORD_CONSTRAINT_… from 0 to count - 1; the kinds of parts, CHORD_PART_…, and the reasons to stop,\nCHORD_STOP_…, likewise.\nOwnership: `info` is the caller's, its texts are constants of the library. Threads: any.\n\nReturns: at once.",
    'chord_factorize': "Fits factors of `pattern`, in its context, and the other parts asked for to `matrix`. One that is not square takes a\npattern of its longer side: what the factors make beyond it does not count; constraints but\nCHORD_CONSTRAINT_NONNEGATIVE are refused then, and so is a sparse one with n beyond 4096. A sparse one is not made\ndense for factors alone; beside other parts it is, with n up to 4096. A larger one, where there is no constraint, is\nfitted as chord_factorize_operator does. Returns when done. With a time, and no tolerance, a run that has converged\nbegins elsewhere, until the time is over or the result exact; the best is kept. A run that stops early, for whatever\nreason but an error, gives its best result so far. Same arguments, same device, same result, to the bit, if neither\ntime nor the callback ends it. Ownership: the result is the caller's; `matrix` and `options` (NULL: all zero) stay\nthe caller's. Threads: any; the context can be used meanwhile, also by the callback.\n\nReturns: after long work of its own.\n`options`: NULL allowed.",
    'chord_factorize_operator': "What chord_factorize does, to a matrix that is never formed: it is known by `apply` alone, which is given `user`, and\nits rows and columns are as many as the pattern's. There is no constraint, and there are no single entries. The low\nrank is that of a randomised SVD, the factors beside it are fitted to X's products with random columns, and the error\nis estimated by others: standard_error tells how well. At equal numbers the result is not worse than the randomised\nSVD, as far as the estimate can tell. A time limit holds to one call of `apply`, from when the low rank is there.\nOwnership: the result is the caller's; `user` and `options` stay the caller's. Threads: any.\n\nReturns: after long work of its own.\n`user`: NULL allowed.\n`options`: NULL allowed.",
    'chord_factorize_operator_memory': 'How much memory chord_factorize_operator will use with these arguments, beside what `apply` does.\nOwnership: none. Threads: any.\n\nReturns: at once.\n`options`: NULL allowed.',
    'chord_factorize_start': "Begins what chord_factorize would do, and returns. The options have no callback: the job is asked instead.\nOwnership: the result is the caller's; `matrix` and `options` stay the caller's and may go: the job keeps what it\nneeds. Threads: any.\n\nReturns: at once.\n`options`: NULL allowed.",
    'chord_job_poll': "Where the job is: done (1) or not (0), and its progress (all zero before the first of it). Either pointer may be\nNULL. Never waits. Ownership: `progress` is the caller's. Threads: any.\n\nReturns: at once.\n`done`: NULL allowed.\n`progress`: NULL allowed.",
    'chord_job_cancel': 'Asks the job to end soon with its best result so far; nothing where it is done. Never waits.\nOwnership: none. Threads: any.\n\nReturns: at once.',
    'chord_job_wait': 'Waits until the job is done, but at most so many seconds; less than 0: as long as it takes. `done` (may be NULL) is 0\nwhere it is not yet. Ownership: none. Threads: any, several at once.\n\nReturns: after long work of its own.',
    'chord_job_get_factorization': "Waits, and gives the result, or the error that ended the job as chord_factorize would have.\nOwnership: the result is the caller's; every call gives another handle. Threads: any.\n\nReturns: at once.",
    'chord_job_destroy': 'Ownership: takes `job`; one that is not done is cancelled, without waiting for its end. A process that exits waits\nfor that. Threads: any.\n\nReturns: at once.\n`job`: NULL allowed.',
    'chord_factorize_memory': "How much of the context's memory chord_factorize will use with these arguments.\nOwnership: none. Threads: any.\n\nReturns: at once.\n`options`: NULL allowed.",
    'chord_factorization_destroy': 'Ownership: takes `factorization`. Threads: any.\n\nReturns: after waiting for work.\n`factorization`: NULL allowed.',
    'chord_factorization_get_info': "Ownership: `info` is the caller's. Threads: any.\n\nReturns: at once.",
    'chord_factorization_part_count': "How many parts X̂ is the sum of, and each of them. A kind that the caller does not know may be among them.\nOwnership: `info` is the caller's. Threads: any.\n\nReturns: at once.",
    'chord_factorization_get_part': "How many parts X̂ is the sum of, and each of them. A kind that the caller does not know may be among them.\nOwnership: `info` is the caller's. Threads: any.\n\nReturns: at once.",
    'chord_factorization_get_tensor': "A tensor that a part is stored as, by the name that CHORD_PART_… tells and the file has.\nOwnership: the result is the caller's and looks at the factorisation's memory. Threads: any.\n\nReturns: at once.",
    'chord_factorization_apply': "z = X̂ v, or X̂ᵀ v if `transposed` is 1; [N, D] or [B, N, D] of the factorisation's precision. Where X̂ is not square v\nhas as many rows as X̂, or X̂ᵀ, has columns, and z as many as it has rows.\nOwnership: none. Threads: any.\n\nReturns: when the work is queued.",
    'chord_factorization_rows': "out[r,:] = row indices[r] of X̂, [count, columns], without forming it.\nOwnership: `indices` stays the caller's and is read before the call returns. Threads: any.\n\nReturns: when the work is queued.\n`indices`: an array [count].",
    'chord_factorization_dense': 'out = X̂, [rows, columns].\nOwnership: none. Threads: any.\n\nReturns: when the work is queued.',
    'chord_factorization_get_chain': "P as a chain. CHORD_ERROR_UNSUPPORTED where X̂ has parts beside its factors, or is not square: a chain is not what it\nis.\nOwnership: the result is the caller's and keeps the weights alive. Threads: any.\n\nReturns: at once.",
    'chord_factorization_get_weights': "The stored factors, [M, N, L] (CHORD_ERROR_UNSUPPORTED where X̂ has none), and their pattern.\nOwnership: the results are the caller's; the tensor looks at the factorisation's memory. Threads: any.\n\nReturns: at once.",
    'chord_factorization_get_pattern': "The stored factors, [M, N, L] (CHORD_ERROR_UNSUPPORTED where X̂ has none), and their pattern.\nOwnership: the results are the caller's; the tensor looks at the factorisation's memory. Threads: any.\n\nReturns: at once.",
    'chord_factorization_save': "A safetensors file is written, replaced as a whole or left as it was, and read: the tensors of all parts and\n`offsets` [L], with a list of the parts and the rest of the info as metadata. A file with a part that this version\ndoes not know is CHORD_ERROR_UNSUPPORTED, and named. Ownership: the result of loading is the caller's. Threads: any.\n\nReturns: after waiting for work.",
    'chord_factorization_load': "A safetensors file is written, replaced as a whole or left as it was, and read: the tensors of all parts and\n`offsets` [L], with a list of the parts and the rest of the info as metadata. A file with a part that this version\ndoes not know is CHORD_ERROR_UNSUPPORTED, and named. Ownership: the result of loading is the caller's. Threads: any.\n\nReturns: when the work is queued.",
    'chord_model_preset': "The whole description of a preset, as JSON.\nOwnership: the library's, valid until the process ends. Threads: any.\n\nReturns: at once.\n`json`: valid as long as the process.",
    'chord_model_preset_count': 'How many presets there are, and the name of each.\nOwnership: the name is a constant of the library. Threads: any.\n\nReturns: at once.',
    'chord_model_preset_name': 'How many presets there are, and the name of each.\nOwnership: the name is a constant of the library. Threads: any.\n\nReturns: at once.\n`name`: valid as long as the process.',
    'chord_model_key_count': 'How many keys there are beside "preset", and each of them, in the order of the JSON that the library writes.\nOwnership: `info` is the caller\'s, its texts are the library\'s, valid until the process ends. Threads: any.\n\nReturns: at once.',
    'chord_model_key_get_info': 'How many keys there are beside "preset", and each of them, in the order of the JSON that the library writes.\nOwnership: `info` is the caller\'s, its texts are the library\'s, valid until the process ends. Threads: any.\n\nReturns: at once.',
    'chord_model_create': "A new model, its parameters drawn by `seed` (PyTorch's default distributions); the seed is also that of its dropout.\nOwnership: the result is the caller's; `json` stays the caller's. Threads: any.\n\nReturns: when the work is queued.",
    'chord_model_load': "The model of a safetensors file: one of chord_model_save, or any with the tensor names of the paper's PyTorch code.\n`json` describes the model; NULL takes the description the file itself has. Unused embedding.weight and\npos_embedding.weight are passed over with a message to the log; everything else must fit exactly.\nOwnership: the result is the caller's. Threads: any.\n\nReturns: when the work is queued.\n`json`: NULL allowed.",
    'chord_model_save': "Writes a safetensors file, which is replaced as a whole or left as it was. with_optimizer: 1 also stores what\ntraining needs to go on as if it had not stopped: the optimiser's moments, the step, the seed. `note` (NULL: none) is\nany text to keep with it, for chord_model_note. Same model, same bytes.\nOwnership: none. Threads: any.\n\nReturns: after waiting for work.\n`note`: NULL allowed.",
    'chord_model_note': 'The note the model\'s file had; "" if none.\nOwnership: the model\'s. Threads: any.\n\nReturns: at once.\n`note`: owned by `model`.',
    'chord_model_destroy': 'Ownership: takes `model`; tensors that look at its parameters stay valid. Threads: any.\n\nReturns: after waiting for work.\n`model`: NULL allowed.',
    'chord_model_description': "The description with all its keys, as JSON.\nOwnership: the model's. Threads: any.\n\nReturns: at once.\n`json`: owned by `model`.",
    'chord_model_get_info': "Ownership: `info` is the caller's. Threads: any.\n\nReturns: after waiting for work.",
    'chord_model_plan': "What a training step (training: 1) or a forward pass (0) of `batch` sequences will need, before any of it is taken.\nOwnership: `info` is the caller's. Threads: any.\n\nReturns: at once.\n`options`: NULL allowed.",
    'chord_model_forward': 'outputs [B, classes] = model(inputs), without dropout. inputs: tokens int32 [B, N] or reals [B, N, features].\nTokens outside the vocabulary are CHORD_ERROR_INVALID_ARGUMENT: at once where they were copied from the host, and of\ntokens that only the device has seen (copied between tensors, written through a pointer) at the next wait.\nOwnership: none. Threads: any.\n\nReturns: when the work is queued.',
    'chord_model_forward_with': "The same with options (NULL: all zero), of which micro_batch, memory, lengths, dropout and first_sequence matter.\nLengths are checked as tokens are; of inputs with lengths that hold what is no token, the device tells at the next\nwait whether that is padding.\nOwnership: `options` stays the caller's. Threads: any.\n\nReturns: when the work is queued.\n`options`: NULL allowed.",
    'chord_model_evaluate': "Loss and correct answers of a batch, without dropout. labels: int32 [B] classes, or for mse reals [B]. Tokens and\nlabels that are none are CHORD_ERROR_INVALID_ARGUMENT, here and in the two below; nothing is learnt from such a\nbatch. Ownership: `result` is the caller's. Threads: any.\n\nReturns: after waiting for work.",
    'chord_model_evaluate_with': "The same with options (NULL: all zero), of which those matter that do in chord_model_forward_with.\nOwnership: `options` stays the caller's, `result` is the caller's. Threads: any.\n\nReturns: after waiting for work.\n`options`: NULL allowed.",
    'chord_model_gradients': "The gradients of the batch's mean loss, left for chord_model_gradient; the parameters stay. Of `options` (NULL: all\nzero) those matter that are no optimiser's: several processes, or several calls, share a batch by telling each its\nfirst_sequence and the whole_batch; the sum of what they get (accumulate) is the gradient of the whole, to the bit\nthat of a training step with such a micro_batch where one model does it all in order. `result` is that of these\nsequences alone. Where the call fails, the gradients are undefined.\nOwnership: `result` is the caller's and may be NULL. Threads: any.\n\nReturns: after waiting for work.\n`options`: NULL allowed.\n`result`: NULL allowed.",
    'chord_model_backward': "The gradients of ⟨doutputs, model(inputs)⟩, for losses of somebody else's: with respect to the parameters, left as\nabove, and to inputs that are reals, dinputs of their shape, or NULL. doutputs: [B, classes]. Of `options` those\nmatter as above, but for whole_batch: dropout and first_sequence must be those of the forward pass, which is computed\nagain. Ownership: `options` stays the caller's. Threads: any.\n\nReturns: when the work is queued.\n`dinputs`: NULL allowed.\n`options`: NULL allowed.",
    'chord_model_layer_forward': "The layers of a model one by one, for those who put something of their own between them: sequences that several\nprocesses share, other ways of mixing rows. What is between these layers is chord_product, with residuals.\n`block` and `factor` count from 0, and are 0 for layers that have none. Of `options` (NULL: all zero) first_sequence\nand dropout matter. Tokens that are none are told as by chord_model_forward.\nOwnership: `options` stays the caller's; `out` is contiguous. Threads: any.\n\nReturns: when the work is queued.\n`options`: NULL allowed.",
    'chord_model_layer_backward': "The gradients of ⟨dout, layer(in)⟩: with respect to the layer's parameters, left beside those of the other layers\n(with options.accumulate they are added to those that are there), and to its input, din of the input's shape,\ncontiguous, or NULL. accumulate: 1 adds to what din has; only for the layers of a block, which share their input.\nOwnership: `options` (may be NULL) stays the caller's. Threads: any.\n\nReturns: when the work is queued.\n`options`: NULL allowed.\n`din`: NULL allowed.",
    'chord_model_loss': "The loss of outputs [B, classes], and its gradient, doutputs of their shape, contiguous, or NULL. Of `options` (NULL:\nall zero) whole_batch matters. Ownership: `options` stays the caller's, `result` is the caller's. Threads: any.\n\nReturns: after waiting for work.\n`options`: NULL allowed.\n`doutputs`: NULL allowed.",
    'chord_model_apply_gradients': "One step of the optimiser with the gradients that are there, whoever computed them; clip_norm holds. With those of\nchord_model_gradients of the same batch with dropout it does what chord_model_train_step does, to the bit.\nOwnership: `options` (NULL: all zero) stays the caller's. Threads: any.\n\nReturns: when the work is queued.\n`options`: NULL allowed.",
    'chord_model_train_step': "One step of the optimiser on the batch's mean loss, with dropout. The gradients that are left for\nchord_model_gradient are those before clipping. Same model, same batches, same device: the same bits. With a `result`\nthe call waits for it. With NULL it waits for nothing and reads nothing back: the step is queued, and its loss is\nkept on the device for chord_model_take_losses. Tokens and labels that are none, and that only the device has seen,\nare then told by the next wait; nothing is learnt from such a batch, its loss is NaN, and once it is told the step is\nnot counted (steps queued behind it before that are numbered as if it were). Ownership: `options` and `result`, which\nmay both be NULL, are the caller's. Threads: any.\n\nReturns: after waiting for work.\n`options`: NULL allowed.\n`result`: NULL allowed.",
    'chord_model_take_losses': "The losses of training steps that were given no `result`, the oldest first, and how many sequences of each were right\n(`correct` may be NULL): as many as are kept, but at most `capacity`; `count` is how many. Each is taken once. The\ndevice keeps those of the last CHORD_KEPT_LOSSES steps; `lost` (may be NULL) is how many older ones were overwritten\nsince the last call. Waits for all steps queued; where that tells an error, the losses are left for the next call.\nOwnership: the arrays are the caller's. Threads: any.\n\nReturns: after waiting for work.\n`losses`: an array [capacity].\n`correct`: an array [capacity], NULL allowed.\n`lost`: NULL allowed.",
    'chord_model_parameter_count': 'Parameters have the names and shapes of the PyTorch code\'s state_dict, e.g. "fs.0.network.0.weight"; blocks behind\nthe first have "blocks.1." in front, and so on. Ownership: the name is the model\'s. Threads: any.\n\nReturns: at once.',
    'chord_model_parameter_name': 'Parameters have the names and shapes of the PyTorch code\'s state_dict, e.g. "fs.0.network.0.weight"; blocks behind\nthe first have "blocks.1." in front, and so on. Ownership: the name is the model\'s. Threads: any.\n\nReturns: at once.\n`name`: owned by `model`.',
    'chord_model_parameter': "A look at a parameter, which may be written, and at its gradient as the last call left it.\nOwnership: the result is the caller's and keeps the memory alive. Threads: any.\n\nReturns: at once.",
    'chord_model_gradient': "A look at a parameter, which may be written, and at its gradient as the last call left it.\nOwnership: the result is the caller's and keeps the memory alive. Threads: any.\n\nReturns: at once.",
    'chord_model_get_parameters': "All parameters, all gradients, and the optimiser's two moments (SGD has the first alone) as one tensor [P] each, of\nthe model's type, which may be read and written: the parameters in the order of chord_model_parameter_name, each row\nby row, without gaps. Gradients and moments are zeros before the first that are computed.\nOwnership: the results are the caller's, look at the model's memory and keep it alive. Threads: any.\n\nReturns: at once.",
    'chord_model_get_gradients': "All parameters, all gradients, and the optimiser's two moments (SGD has the first alone) as one tensor [P] each, of\nthe model's type, which may be read and written: the parameters in the order of chord_model_parameter_name, each row\nby row, without gaps. Gradients and moments are zeros before the first that are computed.\nOwnership: the results are the caller's, look at the model's memory and keep it alive. Threads: any.\n\nReturns: at once.",
    'chord_model_get_moments': "All parameters, all gradients, and the optimiser's two moments (SGD has the first alone) as one tensor [P] each, of\nthe model's type, which may be read and written: the parameters in the order of chord_model_parameter_name, each row\nby row, without gaps. Gradients and moments are zeros before the first that are computed.\nOwnership: the results are the caller's, look at the model's memory and keep it alive. Threads: any.\n\nReturns: at once.",
    'chord_model_set_step': "How many steps there were (info.step): what the optimiser's corrections, and the next step's dropout, follow from.\nOwnership: none. Threads: any.\n\nReturns: at once.",
    'chord_model_save_gradients': 'All gradients by name, to a safetensors file.\nOwnership: none. Threads: any.\n\nReturns: after waiting for work.',
    'chord_model_attention': "out[b, r, :] = row indices[r] of the product W_M ⋯ W_1 that the model's block makes of each input, [B, count, N]:\nwhich positions that row attends to. Residuals are left out.\nOwnership: `indices` stays the caller's and is read before the call returns. Threads: any.\n\nReturns: when the work is queued.\n`indices`: an array [count].",
    'chord_model_attention_with': "The same with options (NULL: all zero), of which lengths matter: rows and columns behind a sequence's end are zero.\nOwnership: as above; `options` stays the caller's. Threads: any.\n\nReturns: when the work is queued.\n`indices`: an array [count].\n`options`: NULL allowed.",
    'chord_task_count': "How many tasks there are, and each of them.\nOwnership: `info` is the caller's, its texts are constants of the library. Threads: any.\n\nReturns: at once.",
    'chord_task_get_info': "How many tasks there are, and each of them.\nOwnership: `info` is the caller's, its texts are constants of the library. Threads: any.\n\nReturns: at once.",
    'chord_task_get_published_accuracy': 'The test accuracy that the paper has for a task with sequences of this length, in percent; -1 where it has none.\nOwnership: none. Threads: any.\n\nReturns: at once.',
    'chord_dataset_create': "Ownership: the result is the caller's; `options` stays the caller's. Threads: any.\n\nReturns: after long work of its own.",
    'chord_dataset_destroy': 'Ownership: takes `dataset`; batches of it live on. Threads: any.\n\nReturns: at once.\n`dataset`: NULL allowed.',
    'chord_dataset_get_info': "Ownership: `info` is the caller's. Threads: any.\n\nReturns: at once.",
    'chord_dataset_read': "The sequences first … first + count − 1 in the dataset's own order: inputs [count, N] or [count, N, features] and\nlabels [count], of the types the info names. The sizes must be exactly theirs. Ownership: the arrays are the\ncaller's. Threads: any.\n\nReturns: at once.\n`inputs`: an array [input_bytes].\n`labels`: an array [label_bytes].",
    'chord_dataset_encoding': 'What was needed to make sequences of the files beside the task\'s rules, to be kept with a model: a JSON object. It is\n{"grey": [values…]}, in the order of their tokens, for pathfinder, and {} for the others.\nOwnership: the dataset\'s, valid until it is destroyed. Threads: any.\n\nReturns: at once.\n`json`: owned by `dataset`.',
    'chord_encoder_create': "`encoding`: as the model keeps it; NULL is {}. `length`: positions of a sequence; 0: the task's.\nOwnership: the result is the caller's. Threads: any.\n\nReturns: at once.\n`encoding`: NULL allowed.",
    'chord_encoder_destroy': 'Ownership: takes `encoder`. Threads: any.\n\nReturns: at once.\n`encoder`: NULL allowed.',
    'chord_encoder_get_info': "Ownership: `info` is the caller's. Threads: any.\n\nReturns: at once.",
    'chord_encoder_encode': "The tokens of a raw input, `length` of them; `capacity` says how many there is place for. `used`, which may be NULL,\nbecomes the number of positions before the padding. Ownership: the arrays are the caller's. Threads: any.\n\nReturns: at once.\n`bytes`: an array [size].\n`tokens`: an array [capacity].\n`used`: NULL allowed.",
    'chord_encoder_symbol': 'A token for people: "[MIN", "a", "<CLS>", "37".\nOwnership: the encoder\'s, valid until it is destroyed. Threads: any.\n\nReturns: at once.\n`text`: owned by `encoder`.',
    'chord_generate_files': "Makes files that chord_dataset_create can read, by the published rules of the task: a tenth of the sequences for\nvalidation, a tenth for test. They are a function of task, count and seed. All of them are there afterwards, or,\nwhere that fails, none. Ownership: `options` stays the caller's. Threads: any.\n\nReturns: after long work of its own.",
    'chord_batches_create': "Ownership: the result is the caller's and keeps the dataset's data alive. Threads: any.\n\nReturns: at once.",
    'chord_batches_destroy': 'Ownership: takes `batches` and stops its thread. Threads: any.\n\nReturns: after waiting for work.\n`batches`: NULL allowed.',
    'chord_batches_count': 'How many batches the whole pass has, those before `first` included.\nOwnership: none. Threads: any.\n\nReturns: at once.',
    'chord_batches_next': "The next batch, of `count` sequences; 0 at the end, and of a batch that has none of the part.\nOwnership: the arrays are the library's, valid until the next call with these batches. Threads: one at a time.\n\nReturns: after waiting for work.\n`inputs`: owned by `batches`.\n`labels`: owned by `batches`.",
    'chord_write_file': "Makes these bytes the content of a file: as a whole and for good, or, where that fails, not at all, so that neither a\ncrash nor a full disk leaves half of one. Ownership: `data` stays the caller's. Threads: any.\n\nReturns: at once.\n`data`: an array [bytes].",
    'chord_tensor_read_npy': "A tensor from and to NumPy's npy format: float32, float64, int32, int64, of up to CHORD_MAX_RANK dimensions, row by\nrow. Writing replaces the file as a whole or leaves it as it was. Ownership: the result of reading is the caller's.\nThreads: any.\n\nReturns: when the work is queued.",
    'chord_tensor_write_npy': "A tensor from and to NumPy's npy format: float32, float64, int32, int64, of up to CHORD_MAX_RANK dimensions, row by\nrow. Writing replaces the file as a whole or leaves it as it was. Ownership: the result of reading is the caller's.\nThreads: any.\n\nReturns: after waiting for work.",
    'chord_npy_writer_create': "Ownership: the result is the caller's. Threads: any.\n\nReturns: at once.\n`shape`: an array [rank].",
    'chord_npy_writer_write': "The next numbers, row by row; no more of them than the shape has.\nOwnership: `data` stays the caller's. Threads: one at a time.\n\nReturns: at once.\n`data`: an array [bytes].",
    'chord_npy_writer_commit': 'Puts the file in its place, once all its numbers are written. Without it, the file stays as it was.\nOwnership: none. Threads: one at a time.\n\nReturns: at once.',
    'chord_npy_writer_destroy': 'Ownership: takes `writer`. Threads: any.\n\nReturns: at once.\n`writer`: NULL allowed.',
}

// Generated from chord.h by bindings/generate; not to be edited.
// Conventions

pub const CHORD_VERSION_MAJOR: i32 = 0;
pub const CHORD_VERSION_MINOR: i32 = 2;
pub const CHORD_VERSION_PATCH: i32 = 0;
/// Grows with every incompatible change of this header; it is the library's SOVERSION.
pub const CHORD_ABI_VERSION: i32 = 1;
/// 0 or 1
pub type chord_flag = i32;
// Errors

/// 0 is success, everything else an error. Values are never reused.
pub type chord_status = i32;
pub const CHORD_SUCCESS: i32 = 0;
/// a value outside its range, or memory shared where it must not be
pub const CHORD_ERROR_INVALID_ARGUMENT: i32 = 1;
/// NULL, destroyed, or a handle of another kind
pub const CHORD_ERROR_INVALID_HANDLE: i32 = 2;
/// shapes or strides that do not fit together
pub const CHORD_ERROR_INVALID_SHAPE: i32 = 3;
/// element types that do not fit together
pub const CHORD_ERROR_INVALID_TYPE: i32 = 4;
/// sizes beyond what can be addressed
pub const CHORD_ERROR_TOO_LARGE: i32 = 5;
pub const CHORD_ERROR_OUT_OF_MEMORY: i32 = 6;
pub const CHORD_ERROR_NO_SUCH_DEVICE: i32 = 7;
/// the device or its runtime failed
pub const CHORD_ERROR_DEVICE_FAILURE: i32 = 8;
/// the kernels could not be compiled for the device
pub const CHORD_ERROR_COMPILATION_FAILED: i32 = 9;
/// a file could not be read or written
pub const CHORD_ERROR_IO_FAILURE: i32 = 10;
/// used in a forked child
pub const CHORD_ERROR_FORKED: i32 = 11;
/// the device or this build cannot do that
pub const CHORD_ERROR_UNSUPPORTED: i32 = 12;
/// objects of different contexts
pub const CHORD_ERROR_CONTEXT_MISMATCH: i32 = 13;
/// a defect of this library
pub const CHORD_ERROR_INTERNAL: i32 = 14;
/// a file whose content is not what it should be
pub const CHORD_ERROR_INVALID_FILE: i32 = 15;
/// a callback asked to stop
pub const CHORD_ERROR_STOPPED: i32 = 16;
// Library and log

pub type chord_log_level = i32;
pub const CHORD_LOG_INFO: i32 = 0;
pub const CHORD_LOG_WARNING: i32 = 1;
pub type chord_log_callback = Option<unsafe extern "C" fn(level: chord_log_level, message: *const c_char, user: *mut c_void)>;

// Devices

/// A backend: one way of compiling and running the kernels that this library was built with.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct chord_backend_info {
    pub struct_size: usize,
    /// 0 where it cannot be used here; `detail` says why and what to do
    pub available: chord_flag,
    /// 0
    pub reserved: i32,
    /// host, cuda, runtime, dpcpp, adaptivecpp
    pub name: [c_char; 32],
    /// what it runs on, or why it cannot
    pub detail: [c_char; 1024],
}
impl Default for chord_backend_info {
    /// All zero but `struct_size`.
    fn default() -> Self {
        // SAFETY: numbers, texts, null pointers and absent callbacks are all zero.
        let mut zero: Self = unsafe { core::mem::zeroed() };
        zero.struct_size = core::mem::size_of::<Self>();
        zero
    }
}

pub type chord_device_kind = i32;
/// this process's own threads
pub const CHORD_DEVICE_HOST: i32 = 0;
/// a SYCL CPU device
pub const CHORD_DEVICE_CPU: i32 = 1;
pub const CHORD_DEVICE_GPU: i32 = 2;
pub const CHORD_DEVICE_OTHER: i32 = 3;
#[repr(C)]
#[derive(Clone, Copy)]
pub struct chord_device_info {
    pub struct_size: usize,
    /// CHORD_DEVICE_…
    pub kind: chord_device_kind,
    /// cores or multiprocessors
    pub units: i32,
    /// all it has, in use or not
    pub memory_bytes: u64,
    /// 1: tensors can be touched by the host (chord_tensor_map) and wrap host memory
    pub host_readable: chord_flag,
    /// 1: it computes in double precision
    pub has_float64: chord_flag,
    /// opens this very device
    pub selector: [c_char; 64],
    /// the name of its backend
    pub backend: [c_char; 32],
    /// its maker's, for people
    pub name: [c_char; 256],
}
impl Default for chord_device_info {
    /// All zero but `struct_size`.
    fn default() -> Self {
        // SAFETY: numbers, texts, null pointers and absent callbacks are all zero.
        let mut zero: Self = unsafe { core::mem::zeroed() };
        zero.struct_size = core::mem::size_of::<Self>();
        zero
    }
}

// Context

/// A device opened for work: an in-order queue and a pool of memory.
#[repr(C)]
pub struct chord_context {
    _private: [u8; 0],
}

#[repr(C)]
#[derive(Clone, Copy)]
pub struct chord_memory_info {
    pub struct_size: usize,
    /// what tensors and running operations have now
    pub bytes_in_use: u64,
    /// the most that was ever in use
    pub peak_bytes: u64,
    /// held from the device, in use or kept for reuse
    pub reserved_bytes: u64,
    /// how often the device was asked; constant once a repeated operation is warm
    pub device_allocations: u64,
}
impl Default for chord_memory_info {
    /// All zero but `struct_size`.
    fn default() -> Self {
        // SAFETY: numbers, texts, null pointers and absent callbacks are all zero.
        let mut zero: Self = unsafe { core::mem::zeroed() };
        zero.struct_size = core::mem::size_of::<Self>();
        zero
    }
}

// Tensor

/// An array in a context's memory: type, shape and strides.
#[repr(C)]
pub struct chord_tensor {
    _private: [u8; 0],
}

pub type chord_type = i32;
pub const CHORD_FLOAT32: i32 = 0;
pub const CHORD_FLOAT64: i32 = 1;
pub const CHORD_INT32: i32 = 2;
pub const CHORD_INT64: i32 = 3;
pub const CHORD_MAX_RANK: i32 = 8;
pub type chord_release_callback = Option<unsafe extern "C" fn(user: *mut c_void)>;

#[repr(C)]
#[derive(Clone, Copy)]
pub struct chord_tensor_info {
    pub struct_size: usize,
    /// CHORD_FLOAT32, …
    pub type_: chord_type,
    /// dimensions, 0 to CHORD_MAX_RANK
    pub rank: i32,
    /// `rank` extents, then zeros
    pub shape: [i64; 8],
    /// likewise, counted in elements
    pub strides: [i64; 8],
    /// what its elements take
    pub bytes: u64,
}
impl Default for chord_tensor_info {
    /// All zero but `struct_size`.
    fn default() -> Self {
        // SAFETY: numbers, texts, null pointers and absent callbacks are all zero.
        let mut zero: Self = unsafe { core::mem::zeroed() };
        zero.struct_size = core::mem::size_of::<Self>();
        zero
    }
}

/// DLPack (version 1): exchange with NumPy, PyTorch, JAX and others without a copy, for host-readable memory and
/// that of NVIDIA GPUs (kDLCUDA). Includers of dlpack.h have this type in full.
#[repr(C)]
pub struct DLManagedTensorVersioned {
    _private: [u8; 0],
}

// Pattern

/// Where the non-zeros of a factor are.
#[repr(C)]
pub struct chord_pattern {
    _private: [u8; 0],
}

// Product of one factor

// Chain

/// M factors that share a pattern. They are applied in stored order: chain(v) = W_M ⋯ W_2 W_1 v, W_1 being weights[0].
#[repr(C)]
pub struct chord_chain {
    _private: [u8; 0],
}

// Matrix

/// A matrix in host memory, dense or sparse, float64: what is to be factorised. It is in no context, never changes, and
/// can be used in a forked child. One that is not square is held as the upper left part of a square one: a dense one
/// takes the memory of n², n being the longer side.
#[repr(C)]
pub struct chord_matrix {
    _private: [u8; 0],
}

#[repr(C)]
#[derive(Clone, Copy)]
pub struct chord_matrix_info {
    pub struct_size: usize,
    /// rows, and columns; the larger of the two where they differ
    pub n: i64,
    /// numbers held: rows · columns, or the entries of a sparse one
    pub stored: i64,
    /// of those, the ones that are not 0
    pub nonzeros: i64,
    /// 1: only entries are held
    pub sparse: chord_flag,
    /// 1: it equals its transpose, exactly
    pub symmetric: chord_flag,
    /// Frobenius
    pub norm: f64,
    /// matrix-market, npy, png, safetensors, memory
    pub format: [c_char; 32],
    /// as the matrix was given
    pub rows: i64,
    /// likewise; n is the larger of the two
    pub columns: i64,
}
impl Default for chord_matrix_info {
    /// All zero but `struct_size`.
    fn default() -> Self {
        // SAFETY: numbers, texts, null pointers and absent callbacks are all zero.
        let mut zero: Self = unsafe { core::mem::zeroed() };
        zero.struct_size = core::mem::size_of::<Self>();
        zero
    }
}

// Factorisation

/// A matrix X approximated by a chain of factors: X̂ ≈ X, found by minimising ½‖X − X̂‖² (Frobenius). The stored factors
/// make P = W_M ⋯ W_2 W_1, W_1 being weights[0]; X̂ follows from P as the constraint says.
///
/// X̂ may be a sum of parts, of which that is one: it can also have a matrix of low rank and single entries. A fit has
/// factors alone unless its options ask for others, or give numbers to be split between factors and a low rank.
#[repr(C)]
pub struct chord_factorization {
    _private: [u8; 0],
}

pub type chord_constraint = i32;
/// X̂ = P
pub const CHORD_CONSTRAINT_NONE: i32 = 0;
/// X̂ = P, no weight below 0
pub const CHORD_CONSTRAINT_NONNEGATIVE: i32 = 1;
/// X̂ = P, no weight below 0, rows of every factor and of X̂ sum to 1
pub const CHORD_CONSTRAINT_STOCHASTIC: i32 = 2;
/// X̂ = ½(P + Pᵀ)
pub const CHORD_CONSTRAINT_SYMMETRIC: i32 = 3;
/// X̂ = P Pᵀ: symmetric, no eigenvalue below 0; P has half the factors
pub const CHORD_CONSTRAINT_SEMIDEFINITE: i32 = 4;
pub type chord_stop = i32;
/// a stationary point, as exactly as the numbers allow
pub const CHORD_STOP_GRADIENT: i32 = 0;
/// hardly any progress any more
pub const CHORD_STOP_IMPROVEMENT: i32 = 1;
/// as many as were allowed
pub const CHORD_STOP_ITERATIONS: i32 = 2;
/// as long as was allowed
pub const CHORD_STOP_SECONDS: i32 = 3;
/// the callback wanted it, or chord_job_cancel
pub const CHORD_STOP_CANCELLED: i32 = 4;
/// Under CHORD_CONSTRAINT_SYMMETRIC the low-rank part is U Vᵀ + V Uᵀ; under CHORD_CONSTRAINT_SEMIDEFINITE it is U Uᵀ and
/// has no "v".
pub type chord_part_kind = i32;
/// what the constraint makes of P; tensor "weights" [M, N, L]
pub const CHORD_PART_FACTORS: i32 = 0;
/// U Vᵀ; tensors "u" and "v" [N, rank]
pub const CHORD_PART_LOW_RANK: i32 = 1;
/// single entries; "entry_rows", "entry_columns" (int32), "entry_values" [count]
pub const CHORD_PART_ENTRIES: i32 = 2;
/// for the size of a part that there is not to be
pub const CHORD_NO_PART: i32 = -1;
/// What a value is called, in files and on command lines, and what it means, in a line.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct chord_name_info {
    pub struct_size: usize,
    /// "semidefinite"
    pub name: *const c_char,
    /// for people
    pub description: *const c_char,
}
impl Default for chord_name_info {
    /// All zero but `struct_size`.
    fn default() -> Self {
        // SAFETY: numbers, texts, null pointers and absent callbacks are all zero.
        let mut zero: Self = unsafe { core::mem::zeroed() };
        zero.struct_size = core::mem::size_of::<Self>();
        zero
    }
}

#[repr(C)]
#[derive(Clone, Copy)]
pub struct chord_factorize_progress {
    pub struct_size: usize,
    /// which start is being worked on, from 0,
    pub start: i32,
    /// of how many
    pub starts: i32,
    /// iterations so far, of all starts together
    pub iteration: i64,
    /// ‖X − X̂‖ now
    pub error: f64,
    /// the lowest so far: what would be the result now
    pub best_error: f64,
    /// best_error / ‖X‖; 0 for X = 0
    pub relative_error: f64,
    /// the norm of the gradient, X scaled to norm 1
    pub gradient: f64,
    /// time since the beginning
    pub seconds: f64,
    /// of best_error where that is an estimate (chord_factorize_operator); 0: it is none
    pub standard_error: f64,
}
impl Default for chord_factorize_progress {
    /// All zero but `struct_size`.
    fn default() -> Self {
        // SAFETY: numbers, texts, null pointers and absent callbacks are all zero.
        let mut zero: Self = unsafe { core::mem::zeroed() };
        zero.struct_size = core::mem::size_of::<Self>();
        zero
    }
}

/// Returns 0 to go on, anything else to stop: the best so far is then the result. It comes in the thread that called
/// chord_factorize, may call this library and must not throw; the thread may end in it.
pub type chord_factorize_callback = Option<unsafe extern "C" fn(progress: *const chord_factorize_progress, user: *mut c_void) -> i32>;

/// Leaves in the first row of `values`, of [pieces, numbers], the sum of all rows of all processes, which must be the
/// same bits everywhere; 0, or anything else where others are gone: the fit then fails with CHORD_ERROR_STOPPED. Called
/// in the thread of the fit, by all processes as often and with as many numbers; may not call this library with its
/// context.
pub type chord_sum_callback = Option<unsafe extern "C" fn(values: *mut f64, pieces: i64, numbers: i64, user: *mut c_void) -> i32>;

/// Processes that fit one matrix together: X's columns are cut into pieces, and each process has some that follow each
/// other. All call chord_factorize with the same arguments, but for these, the checkpoint and the callback, and get the
/// same result, which depends on the number of pieces, not of processes. The time is that of the process with the first
/// piece; who is asked by its callback to stop ends all of them. Where `whole` says what all of X is, for factors alone,
/// only the columns of this process's pieces are looked at, of each those from n·piece/pieces up to the next one's.
/// Without it, every process has all of X, and each start of the race is fitted by one of them alone.
/// chord_mpi.h does all this over MPI.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct chord_factorize_peers {
    pub struct_size: usize,
    /// of all processes
    pub pieces: i64,
    /// the first that this process has, from 0
    pub first: i64,
    /// how many it has, at least 1
    pub count: i64,
    /// over all of them
    pub sum: chord_sum_callback,
    /// what it is given
    pub user: *mut c_void,
    /// NULL, or what all of X is
    pub whole: *const chord_matrix_info,
}
impl Default for chord_factorize_peers {
    /// All zero but `struct_size`.
    fn default() -> Self {
        // SAFETY: numbers, texts, null pointers and absent callbacks are all zero.
        let mut zero: Self = unsafe { core::mem::zeroed() };
        zero.struct_size = core::mem::size_of::<Self>();
        zero
    }
}

/// All zero but struct_size is a good choice.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct chord_factorize_options {
    pub struct_size: usize,
    /// in X̂'s product, at most 4096, or CHORD_NO_PART; 0: ⌈log2 n⌉, at least 1, or with
    ///                                    `numbers` what is found
    pub factors: i64,
    /// CHORD_CONSTRAINT_…
    pub constraint: chord_constraint,
    /// bits of the numbers computed with: 0 or 64, or 32
    pub precision: i32,
    /// starts tried in a race, of which the best goes on; 0: a few, of different kinds
    pub restarts: i32,
    /// 0
    pub reserved: i32,
    /// of everything that is drawn
    pub seed: u64,
    /// the most of all starts together; 0: no limit
    pub iterations: i64,
    /// the most it may take; 0: no limit
    pub seconds: f64,
    /// stops at ‖gradient‖ ≤ this, X scaled to norm 1; 0: 1e-10 (float32: 1e-6)
    pub gradient_tolerance: f64,
    /// stops when 1000 iterations lower the error by less than this share; 0: 1e-4
    pub improvement_tolerance: f64,
    /// NULL, or where to go on from: same n, pattern, parts and constraint
    pub resume: *const chord_factorization,
    /// NULL, or a file that is given the best result so far every few seconds
    pub checkpoint: *const c_char,
    /// the time from one to the next; 0: 2
    pub checkpoint_seconds: f64,
    /// NULL, or called now and then, in the thread of the call
    pub callback: chord_factorize_callback,
    /// what it is given
    pub user: *mut c_void,
    /// the time from one call to the next; 0: 0.1
    pub callback_seconds: f64,
    /// of all parts together, at most; 0: as many as the parts asked for have
    pub numbers: i64,
    /// of the low-rank part; 0: none, or with `numbers` what is found; CHORD_NO_PART
    pub rank: i64,
    /// single ones; two numbers each
    pub entries: i64,
    /// NULL, or others that share the work; not for jobs
    pub peers: *const chord_factorize_peers,
    /// 1: where the error would be an estimate it is found, at the end, by all columns
    ///                                          of X, whatever the time limit
    pub exact_error: chord_flag,
    /// 0
    pub reserved_too: i32,
}
impl Default for chord_factorize_options {
    /// All zero but `struct_size`.
    fn default() -> Self {
        // SAFETY: numbers, texts, null pointers and absent callbacks are all zero.
        let mut zero: Self = unsafe { core::mem::zeroed() };
        zero.struct_size = core::mem::size_of::<Self>();
        zero
    }
}

/// X as a function: out = X · in, or Xᵀ · in if `transposed` is 1. Both are n × columns values in host memory, row by
/// row, and at most 64 columns. Returns 0, anything else to end it all with CHORD_ERROR_STOPPED. It comes in the thread
/// of the call, may call this library and must not throw.
pub type chord_operator_apply = Option<unsafe extern "C" fn(in_: *const f64, out: *mut f64, columns: i64, transposed: chord_flag, user: *mut c_void) -> i32>;

/// A factorisation that runs in a thread of the library's, to be looked at and ended from any other.
#[repr(C)]
pub struct chord_job {
    _private: [u8; 0],
}

#[repr(C)]
#[derive(Clone, Copy)]
pub struct chord_factorization_info {
    pub struct_size: usize,
    /// rows, and columns, of X̂; the larger of the two where they differ
    pub n: i64,
    /// of the pattern
    pub links: i64,
    /// in X̂'s product: those stored, or twice as many for CHORD_CONSTRAINT_SEMIDEFINITE
    pub factors: i64,
    /// numbers stored, of all parts: of factors alone, stored factors · n · links
    pub nonzeros: i64,
    /// CHORD_CONSTRAINT_…
    pub constraint: chord_constraint,
    /// bits of the stored numbers
    pub precision: i32,
    /// CHORD_STOP_…: why the run ended
    pub stop: chord_stop,
    /// 0
    pub reserved: i32,
    /// these and the seconds include the runs it was resumed from
    pub iterations: i64,
    /// how long it took
    pub seconds: f64,
    /// ‖X − X̂‖
    pub error: f64,
    /// error / ‖X‖; 0 for X = 0
    pub relative_error: f64,
    /// that it was drawn by
    pub seed: u64,
    /// of the error where that is an estimate (chord_factorize_operator); 0: it is none
    pub standard_error: f64,
    /// of X̂
    pub rows: i64,
    /// of X̂
    pub columns: i64,
}
impl Default for chord_factorization_info {
    /// All zero but `struct_size`.
    fn default() -> Self {
        // SAFETY: numbers, texts, null pointers and absent callbacks are all zero.
        let mut zero: Self = unsafe { core::mem::zeroed() };
        zero.struct_size = core::mem::size_of::<Self>();
        zero
    }
}

#[repr(C)]
#[derive(Clone, Copy)]
pub struct chord_part_info {
    pub struct_size: usize,
    /// CHORD_PART_…
    pub kind: chord_part_kind,
    /// 0
    pub reserved: i32,
    /// stored factors, rank, or entries
    pub size: i64,
    /// that are stored: M · N · L, (rows + columns) · rank, or two for each entry, its value and its place
    pub numbers: i64,
}
impl Default for chord_part_info {
    /// All zero but `struct_size`.
    fn default() -> Self {
        // SAFETY: numbers, texts, null pointers and absent callbacks are all zero.
        let mut zero: Self = unsafe { core::mem::zeroed() };
        zero.struct_size = core::mem::size_of::<Self>();
        zero
    }
}

// Model

/// A network with Chord attention: embedding (or a linear map of reals) [+ learned positions] → dropout → blocks →
/// dropout → pooling → head. A block makes V = g(E) and factors W_m = f_m(E) from its input E (N×width) by small
/// networks that work row by row (linear, GELU, linear), and then V ← W_m V (+ the first V, with residuals) for all m.
///
/// It is described by a JSON object, e.g. {"preset": "adding", "length": 512, "width": 64}. chord_model_key_get_info
/// tells the keys, their ranges and defaults; unknown ones are refused. "preset" is the name of a task
/// (chord_task_get_info): the values that keys not given have. Without it, the keys that are required must be there, and
/// vocabulary for tokens, features for reals.
///
/// Inputs are int32 [B, N] for "input": "tokens", and reals [B, N, features] for "reals".
///
/// Sequences may be shorter than N: chord_train_options.lengths. One of length n is computed as if every block had n
/// rows alone: V has n rows, each factor is its leading n×n part, and the head is given zeros for the rows that are
/// missing (for "pooling": "cls" it sees row 0, as always). What the inputs have behind n is never looked at, be it NaN
/// or no token, and no gradient comes from or goes to it.
#[repr(C)]
pub struct chord_model {
    _private: [u8; 0],
}

pub type chord_key_kind = i32;
pub const CHORD_KEY_INTEGER: i32 = 0;
pub const CHORD_KEY_REAL: i32 = 1;
pub const CHORD_KEY_BOOLEAN: i32 = 2;
/// one of a few texts
pub const CHORD_KEY_CHOICE: i32 = 3;
/// A key of the JSON that describes a model.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct chord_model_key_info {
    pub struct_size: usize,
    /// "hidden_f"
    pub name: *const c_char,
    /// what it means, in a line
    pub description: *const c_char,
    /// CHORD_KEY_…
    pub kind: chord_key_kind,
    /// 1: must be given where there is no preset
    pub required: chord_flag,
    /// lowest <= an integer <= highest; lowest <= a real < highest, which may be infinite
    pub lowest: f64,
    /// see lowest
    pub highest: f64,
    /// the only values it may have, as a JSON array; "" where its kind and range say it all
    pub choices: *const c_char,
    /// as JSON; "" for a required key, and for one that follows from others unless given
    pub default_value: *const c_char,
}
impl Default for chord_model_key_info {
    /// All zero but `struct_size`.
    fn default() -> Self {
        // SAFETY: numbers, texts, null pointers and absent callbacks are all zero.
        let mut zero: Self = unsafe { core::mem::zeroed() };
        zero.struct_size = core::mem::size_of::<Self>();
        zero
    }
}

#[repr(C)]
#[derive(Clone, Copy)]
pub struct chord_model_info {
    pub struct_size: usize,
    /// numbers that training changes
    pub parameters: i64,
    /// training steps so far
    pub step: i64,
    /// of its first parameters and its dropout
    pub seed: u64,
    /// positions of a sequence
    pub length: i64,
    /// reals per position; 0 for tokens
    pub features: i64,
    /// 0 for reals
    pub vocabulary: i64,
    /// outputs of a sequence
    pub classes: i64,
    /// CHORD_INT32, or CHORD_FLOAT32 or CHORD_FLOAT64 for reals
    pub input_type: chord_type,
    /// CHORD_INT32, or for mse that of the outputs
    pub label_type: chord_type,
    /// CHORD_FLOAT32 or CHORD_FLOAT64
    pub output_type: chord_type,
    /// 0
    pub reserved: i32,
}
impl Default for chord_model_info {
    /// All zero but `struct_size`.
    fn default() -> Self {
        // SAFETY: numbers, texts, null pointers and absent callbacks are all zero.
        let mut zero: Self = unsafe { core::mem::zeroed() };
        zero.struct_size = core::mem::size_of::<Self>();
        zero
    }
}

pub type chord_memory_mode = i32;
/// normal where it fits into the memory available, else low
pub const CHORD_MEMORY_AUTO: i32 = 0;
/// the factors of all sequences are kept for the backward pass
pub const CHORD_MEMORY_NORMAL: i32 = 1;
/// one factor at a time is made, and made again in the backward pass
pub const CHORD_MEMORY_LOW: i32 = 2;
pub type chord_optimizer = i32;
/// AdamW, where there is a weight decay
pub const CHORD_OPTIMIZER_ADAM: i32 = 0;
/// m ← momentum · m + (1 − momentum) · g; p ← p − learning_rate / (1 − momentum) · m
pub const CHORD_OPTIMIZER_SGD: i32 = 1;
/// All zero but struct_size is PyTorch's Adam with a learning rate of 0.001.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct chord_train_options {
    pub struct_size: usize,
    /// 0: 0.001
    pub learning_rate: f64,
    /// 0: 0.9
    pub beta1: f64,
    /// 0: 0.999
    pub beta2: f64,
    /// 0: 1e-8
    pub epsilon: f64,
    /// AdamW's: each step takes learning_rate · weight_decay of every parameter; 0: none
    pub weight_decay: f64,
    /// the norm of all gradients together is scaled down to at most this; 0: it is not
    pub clip_norm: f64,
    /// sequences computed at a time, whose gradients are summed; 0: what suits the device: on
    /// the host as many as caches hold, elsewhere and of a share of a batch all of them
    pub micro_batch: i64,
    /// CHORD_MEMORY_…
    pub memory: chord_memory_mode,
    /// CHORD_OPTIMIZER_…
    pub optimizer: chord_optimizer,
    /// of SGD: 0 to below 1
    pub momentum: f64,
    /// NULL, or int32 [B]: the positions of each sequence that count; the rest is padding
    pub lengths: *const chord_tensor,
    /// the place of the first of these sequences in the whole batch: dropout is drawn by it
    pub first_sequence: i64,
    /// how many sequences that has: the mean is taken over them; 0: these alone
    pub whole_batch: i64,
    /// 1: with dropout, as the next training step has it
    pub dropout: chord_flag,
    /// 1: adds to the gradients that are there
    pub accumulate: chord_flag,
}
impl Default for chord_train_options {
    /// All zero but `struct_size`.
    fn default() -> Self {
        // SAFETY: numbers, texts, null pointers and absent callbacks are all zero.
        let mut zero: Self = unsafe { core::mem::zeroed() };
        zero.struct_size = core::mem::size_of::<Self>();
        zero
    }
}

#[repr(C)]
#[derive(Clone, Copy)]
pub struct chord_model_memory {
    pub struct_size: usize,
    /// parameters; for training also gradients and moments
    pub parameter_bytes: u64,
    /// what lives during a step
    pub activation_bytes: u64,
    /// both together: the most of the context's memory that will be in use
    pub peak_bytes: u64,
    /// CHORD_MEMORY_NORMAL or CHORD_MEMORY_LOW: what was chosen
    pub memory: chord_memory_mode,
    /// 0
    pub reserved: i32,
}
impl Default for chord_model_memory {
    /// All zero but `struct_size`.
    fn default() -> Self {
        // SAFETY: numbers, texts, null pointers and absent callbacks are all zero.
        let mut zero: Self = unsafe { core::mem::zeroed() };
        zero.struct_size = core::mem::size_of::<Self>();
        zero
    }
}

#[repr(C)]
#[derive(Clone, Copy)]
pub struct chord_step_result {
    pub struct_size: usize,
    /// the batch's mean
    pub loss: f64,
    /// sequences whose class, or value within the tolerance, is right
    pub correct: i64,
    /// sequences
    pub count: i64,
}
impl Default for chord_step_result {
    /// All zero but `struct_size`.
    fn default() -> Self {
        // SAFETY: numbers, texts, null pointers and absent callbacks are all zero.
        let mut zero: Self = unsafe { core::mem::zeroed() };
        zero.struct_size = core::mem::size_of::<Self>();
        zero
    }
}

pub type chord_layer = i32;
/// inputs → E [B, N, width]: embedding or linear map, positions, dropout
pub const CHORD_LAYER_EMBEDDING: i32 = 0;
/// E, the input of a block → V = g(E) [B, N, channels], with dropout
pub const CHORD_LAYER_VALUES: i32 = 1;
/// E → W_m = f_m(E) [B, N, links]
pub const CHORD_LAYER_FACTOR: i32 = 2;
/// V [B, N, channels] → dropout, pooling, the head's first layer: [B, its outputs]
pub const CHORD_LAYER_HEAD: i32 = 3;
/// that → outputs [B, classes]: GELU and a second layer, or, where there is none, itself
pub const CHORD_LAYER_OUTPUTS: i32 = 4;
pub const CHORD_KEPT_LOSSES: i32 = 256;
// Dataset

/// A task of the paper: what there is to learn, and how the paper did.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct chord_task_info {
    pub struct_size: usize,
    /// "image": of the task, and of the preset of its model
    pub name: *const c_char,
    /// for people: "Images (CIFAR-10)"
    pub title: *const c_char,
    /// what the folder of its files holds; "" for a generated task
    pub data: *const c_char,
    /// 1: its sequences are made from a seed, of any length and number, without files
    pub generated: chord_flag,
    /// 1: chord_encoder_create makes sequences of its raw inputs
    pub has_encoder: chord_flag,
    /// 1: chord_generate_files makes files like those it is read from
    pub has_files_generator: chord_flag,
    /// of a sequence; for a generated task only a default
    pub length: i64,
    /// reals per position; 0 for tokens
    pub features: i64,
    /// 0 for reals
    pub vocabulary: i64,
    /// 1 for a label that is a real
    pub classes: i64,
    /// sequences of a generated task by default; 0 where the files tell
    pub train_count: i64,
    /// likewise, for validation and for test each
    pub eval_count: i64,
    /// how the paper trained
    pub epochs: i64,
    /// sequences a step, in the paper
    pub batch: i64,
    /// likewise
    pub learning_rate: f64,
}
impl Default for chord_task_info {
    /// All zero but `struct_size`.
    fn default() -> Self {
        // SAFETY: numbers, texts, null pointers and absent callbacks are all zero.
        let mut zero: Self = unsafe { core::mem::zeroed() };
        zero.struct_size = core::mem::size_of::<Self>();
        zero
    }
}

/// Told now and then how much of something long is done, by the thread that asked for it. Returns 0 to go on, anything
/// else to stop: the call then fails with CHORD_ERROR_STOPPED. It may call this library and must not throw.
pub type chord_progress_callback = Option<unsafe extern "C" fn(done: i64, total: i64, user: *mut c_void) -> i32>;

/// Labelled sequences of a task, from files or made on the fly; in no context. Those from files are decoded once and
/// kept in one file in the user's cache, which is mapped; it is made anew when the files have changed. Where it cannot
/// be written, they are kept in memory.
#[repr(C)]
pub struct chord_dataset {
    _private: [u8; 0],
}

/// All zero or NULL but struct_size, task and split is the paper's setting.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct chord_dataset_options {
    pub struct_size: usize,
    /// the name of a task (chord_task_get_info)
    pub task: *const c_char,
    /// train, validation, test; all: train, then validation
    pub split: *const c_char,
    /// the folder with the files; NULL for generated tasks
    pub data: *const c_char,
    /// positions of a sequence; 0: the task's, which is the only one unless it is generated
    pub length: i64,
    /// sequences; 0: the task's, or all that the files have
    pub count: i64,
    /// what a generated task is drawn by
    pub seed: u64,
    /// which `count` of the files' sequences: 0 for the first, else drawn by this seed, in their order
    pub sample: u64,
    /// as chord_dataset_encoding gave it and a model keeps it; NULL: the files' own
    pub encoding: *const c_char,
    /// NULL, or told about files being decoded
    pub progress: chord_progress_callback,
    /// for `progress`
    pub user: *mut c_void,
}
impl Default for chord_dataset_options {
    /// All zero but `struct_size`.
    fn default() -> Self {
        // SAFETY: numbers, texts, null pointers and absent callbacks are all zero.
        let mut zero: Self = unsafe { core::mem::zeroed() };
        zero.struct_size = core::mem::size_of::<Self>();
        zero
    }
}

#[repr(C)]
#[derive(Clone, Copy)]
pub struct chord_dataset_info {
    pub struct_size: usize,
    /// sequences
    pub count: i64,
    /// positions of a sequence
    pub length: i64,
    /// reals per position; 0 for tokens
    pub features: i64,
    /// 0 for reals
    pub vocabulary: i64,
    /// 1 for a label that is a real
    pub classes: i64,
    /// CHORD_INT32 for tokens, CHORD_FLOAT32 for reals
    pub input_type: chord_type,
    /// CHORD_INT32 for classes, CHORD_FLOAT32 for reals
    pub label_type: chord_type,
}
impl Default for chord_dataset_info {
    /// All zero but `struct_size`.
    fn default() -> Self {
        // SAFETY: numbers, texts, null pointers and absent callbacks are all zero.
        let mut zero: Self = unsafe { core::mem::zeroed() };
        zero.struct_size = core::mem::size_of::<Self>();
        zero
    }
}

/// Makes tokens of a task's raw inputs, as its dataset does: of a ListOps expression, of the bytes of a review, of a PNG
/// of 32 × 32 pixels.
#[repr(C)]
pub struct chord_encoder {
    _private: [u8; 0],
}

#[repr(C)]
#[derive(Clone, Copy)]
pub struct chord_encoder_info {
    pub struct_size: usize,
    /// positions it makes
    pub length: i64,
    /// tokens there are
    pub vocabulary: i64,
}
impl Default for chord_encoder_info {
    /// All zero but `struct_size`.
    fn default() -> Self {
        // SAFETY: numbers, texts, null pointers and absent callbacks are all zero.
        let mut zero: Self = unsafe { core::mem::zeroed() };
        zero.struct_size = core::mem::size_of::<Self>();
        zero
    }
}

/// All zero or NULL but struct_size, task and output is a good choice.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct chord_generate_options {
    pub struct_size: usize,
    /// one whose info says has_files_generator
    pub task: *const c_char,
    /// the folder, made where it is missing
    pub output: *const c_char,
    /// sequences of all splits together; 0: 10,000
    pub count: i64,
    /// that they are drawn by
    pub seed: u64,
    /// or NULL
    pub progress: chord_progress_callback,
    /// for `progress`
    pub user: *mut c_void,
}
impl Default for chord_generate_options {
    /// All zero but `struct_size`.
    fn default() -> Self {
        // SAFETY: numbers, texts, null pointers and absent callbacks are all zero.
        let mut zero: Self = unsafe { core::mem::zeroed() };
        zero.struct_size = core::mem::size_of::<Self>();
        zero
    }
}

/// One pass over a dataset, batch by batch; the next ones are prepared by a thread of its own.
#[repr(C)]
pub struct chord_batches {
    _private: [u8; 0],
}

#[repr(C)]
#[derive(Clone, Copy)]
pub struct chord_batches_options {
    pub struct_size: usize,
    /// sequences in a batch, at least 1
    pub batch: i64,
    /// the batch to begin with, from 0: the same ones follow as in a whole pass
    pub first: i64,
    /// with the epoch it decides about the order, if shuffled
    pub seed: u64,
    /// with the seed it decides about the order, if shuffled
    pub epoch: i64,
    /// 1: each (seed, epoch) has an order of its own
    pub shuffle: chord_flag,
    /// 1: a last batch that is not full is left out
    pub drop_last: chord_flag,
    /// from 0
    pub part_first: i64,
    /// 0: all from there on
    pub part_count: i64,
}
impl Default for chord_batches_options {
    /// All zero but `struct_size`.
    fn default() -> Self {
        // SAFETY: numbers, texts, null pointers and absent callbacks are all zero.
        let mut zero: Self = unsafe { core::mem::zeroed() };
        zero.struct_size = core::mem::size_of::<Self>();
        zero
    }
}

// Files

/// An npy file of any size, written piece by piece from host memory.
#[repr(C)]
pub struct chord_npy_writer {
    _private: [u8; 0],
}

extern "C" {
    /// The name of a status, e.g. "CHORD_ERROR_INVALID_SHAPE"; "unknown status" for values that are none.
    /// Ownership: a constant of the library. Threads: any.
    ///
    /// Returns: at once.
    pub fn chord_status_name(status: chord_status) -> *const c_char;

    /// What went wrong in this thread's last call that failed: what, where, and what was expected. Empty if none has.
    /// Ownership: the library's; valid until this thread's next failing call. Threads: each has its own. Never NULL.
    ///
    /// Returns: at once.
    pub fn chord_last_error() -> *const c_char;

    /// The same into memory of the caller's, cut where `capacity` bytes do not hold it and its NUL; `length` (may be NULL)
    /// is the whole text's, without the NUL. For runtimes that move between threads: call it with the failing call, before
    /// they can. Ownership: `text` is the caller's. Threads: each has its own error.
    ///
    /// Returns: at once.
    /// `text`: an array [capacity].
    /// `length`: NULL allowed.
    pub fn chord_last_error_copy(text: *mut c_char, capacity: usize, length: *mut usize) -> chord_status;

    /// The version of the library in use, which may differ from the header's. Pointers may be NULL.
    /// Ownership: none. Threads: any.
    ///
    /// Returns: at once.
    /// `major`: NULL allowed.
    /// `minor`: NULL allowed.
    /// `patch`: NULL allowed.
    pub fn chord_version(major: *mut i32, minor: *mut i32, patch: *mut i32) -> chord_status;

    /// CHORD_ABI_VERSION of the library in use.
    /// Ownership: none. Threads: any.
    ///
    /// Returns: at once.
    pub fn chord_abi_version(version: *mut i32) -> chord_status;

    /// Where messages go, e.g. "compiling kernels…"; silent until set, and again with NULL. The callback may call this
    /// library, but not open the device it is told about, and must not throw. It comes in whatever thread uses the library,
    /// in several at once, too. The function returns when the callback set before is no longer running, so that what it uses
    /// can go; called by such a callback, it does not wait.
    /// Ownership: `user` stays the caller's. Threads: any.
    ///
    /// Returns: after waiting for work.
    /// `callback`: NULL allowed.
    /// `user`: NULL allowed.
    pub fn chord_set_log_callback(callback: chord_log_callback, user: *mut c_void) -> chord_status;

    /// The folder in which compiled kernels are kept; empty for a user without one, where nothing is kept.
    /// Ownership: the library's, valid until the process ends. Threads: any.
    ///
    /// Returns: at once.
    /// `path`: valid as long as the process.
    pub fn chord_cache_directory(path: *mut *const c_char) -> chord_status;

    /// The text that is given to the SYCL compiler at run time: all kernels, each with an entry point of its own.
    /// Ownership: the library's, valid until the process ends. Threads: any.
    ///
    /// Returns: at once.
    /// `source`: valid as long as the process.
    pub fn chord_kernel_source(source: *mut *const c_char) -> chord_status;

    /// The kernels as PTX, as the NVIDIA driver gets them; NULL where the library was built without (chord-info says why).
    /// Ownership: the library's, valid until the process ends. Threads: any.
    ///
    /// Returns: at once.
    /// `ptx`: valid as long as the process.
    pub fn chord_kernel_ptx(ptx: *mut *const c_char) -> chord_status;

    /// How many backends there are, and each of them. The first call loads the device runtimes.
    /// Ownership: `info` is the caller's. Threads: any.
    ///
    /// Returns: at once.
    pub fn chord_backend_count(count: *mut i32) -> chord_status;

    /// How many backends there are, and each of them. The first call loads the device runtimes.
    /// Ownership: `info` is the caller's. Threads: any.
    ///
    /// Returns: at once.
    pub fn chord_backend_get_info(index: i32, info: *mut chord_backend_info) -> chord_status;

    /// How many devices there are, and each of them; the host is number 0.
    /// Ownership: `info` is the caller's. Threads: any.
    ///
    /// Returns: at once.
    pub fn chord_device_count(count: *mut i32) -> chord_status;

    /// How many devices there are, and each of them; the host is number 0.
    /// Ownership: `info` is the caller's. Threads: any.
    ///
    /// Returns: at once.
    pub fn chord_device_get_info(index: i32, info: *mut chord_device_info) -> chord_status;

    /// Opens a device. `selector`: NULL or "auto" (the environment's CHORD_DEVICE, else the first GPU, else the host),
    /// "auto:float64" (the same, passing over GPUs without float64), "host", "cpu" (a SYCL CPU device), "gpu", "cuda" (an
    /// NVIDIA GPU through its driver), a SYCL driver ("opencl", "level_zero", "sycl_cuda", "hip", "omp"), or one of their
    /// devices by number ("cuda:1"). CUDA_VISIBLE_DEVICES and its like hold. The first SYCL context
    /// of a machine compiles the kernels, which takes seconds; later ones find them in the cache (OpenCL devices; on others
    /// the SYCL runtime keeps them if SYCL_CACHE_PERSISTENT=1).
    /// Ownership: the caller's. Threads: any.
    ///
    /// Returns: after long work of its own.
    /// `selector`: NULL allowed.
    pub fn chord_context_create(selector: *const c_char, context: *mut *mut chord_context) -> chord_status;

    /// A context on a CUDA stream of the caller's, so that its work and ours come in order without a wait. `stream` is a
    /// CUstream (or cudaStream_t) of the device's primary context, which PyTorch and the CUDA runtime use too; NULL is the
    /// default stream. `device` is CUDA's number of the device.
    /// Ownership: the context is the caller's; the stream stays the caller's, who destroys it after the context and all
    /// objects in it. Threads: any.
    ///
    /// Returns: after long work of its own.
    /// `stream`: NULL allowed.
    pub fn chord_context_create_on_cuda_stream(device: i32, stream: *mut c_void, context: *mut *mut chord_context) -> chord_status;

    /// A context on a SYCL queue of the caller's; chord_sycl.hpp is the safe way to call it. `queue` is a sycl::queue*, in
    /// order, of the SYCL runtime that chord::sycl_runtime() of that header names in `runtime`; the context keeps a copy.
    /// Ownership: the context is the caller's, the queue stays the caller's. Threads: any.
    ///
    /// Returns: after long work of its own.
    pub fn chord_context_create_on_sycl_queue(queue: *mut c_void, runtime: *const c_char, context: *mut *mut chord_context) -> chord_status;

    /// The stream a CUDA context works on, a CUstream, and the number of its device (`device` may be NULL). Others can order
    /// their work after ours with it (cuStreamWaitEvent), or hand it to __dlpack__(stream=…) before an import.
    /// Ownership: the context's. Threads: any.
    ///
    /// Returns: at once.
    /// `device`: NULL allowed.
    /// `stream`: owned by `context`.
    pub fn chord_context_get_cuda_stream(context: *mut chord_context, device: *mut i32, stream: *mut *mut c_void) -> chord_status;

    /// Ownership: takes `context`; it closes when no object in it is left. Threads: any.
    ///
    /// Returns: after waiting for work.
    /// `context`: NULL allowed.
    pub fn chord_context_destroy(context: *mut chord_context) -> chord_status;

    /// Waits for the work queued so far and destroys the context and all objects in it, whoever has their handles: these are
    /// CHORD_ERROR_INVALID_HANDLE from then on, also when they are destroyed once more. Memory that was exported by DLPack
    /// lives until it is given back. An error of queued work is reported, and the context closed nevertheless.
    /// Ownership: takes `context` and the objects in it. Threads: any; a call in another thread that uses one of them ends
    /// first, and the object with it.
    ///
    /// Returns: after waiting for work.
    pub fn chord_context_close(context: *mut chord_context) -> chord_status;

    /// How many objects are alive in a context, itself left out; or in the whole process, if `context` is NULL, those that
    /// are in none (matrices, datasets, …) and contexts included. Ownership: none. Threads: any.
    ///
    /// Returns: at once.
    /// `context`: NULL allowed.
    pub fn chord_context_count_objects(context: *const chord_context, count: *mut i64) -> chord_status;

    /// Ownership: `info` is the caller's. Threads: any.
    ///
    /// Returns: at once.
    pub fn chord_context_get_device(context: *const chord_context, info: *mut chord_device_info) -> chord_status;

    /// Returns when all work queued so far is done; reports the first error of queued work since the last wait.
    /// Ownership: none. Threads: any; others may go on queueing meanwhile.
    ///
    /// Returns: after waiting for work.
    pub fn chord_context_wait(context: *mut chord_context) -> chord_status;

    /// Ownership: `info` is the caller's. Threads: any.
    ///
    /// Returns: at once.
    pub fn chord_context_get_memory(context: *const chord_context, info: *mut chord_memory_info) -> chord_status;

    /// Waits, then gives the memory kept for reuse back to the device.
    /// Ownership: none. Threads: any.
    ///
    /// Returns: after waiting for work.
    pub fn chord_context_trim(context: *mut chord_context) -> chord_status;

    /// A new tensor, contiguous, its values undefined. Extents may be 0; the product of the others, in bytes, is below 2^63.
    /// Ownership: the result is the caller's. Threads: any.
    ///
    /// Returns: at once.
    /// `shape`: an array [rank].
    pub fn chord_tensor_create(context: *mut chord_context, type_: chord_type, rank: i32, shape: *const i64, tensor: *mut *mut chord_tensor) -> chord_status;

    /// A new tensor with a copy of contiguous host memory.
    /// Ownership: the result is the caller's; `data` stays the caller's and is free to go. Threads: any.
    ///
    /// Returns: when the work is queued.
    /// `shape`: an array [rank].
    /// `data`: an array [elements of the shape].
    pub fn chord_tensor_create_from_host(context: *mut chord_context, type_: chord_type, rank: i32, shape: *const i64, data: *const c_void, tensor: *mut *mut chord_tensor) -> chord_status;

    /// The same from `bytes` of it, which must be exactly the tensor's size: for languages that know how much they have.
    /// Ownership: as above. Threads: any.
    ///
    /// Returns: when the work is queued.
    /// `shape`: an array [rank].
    /// `data`: an array [bytes].
    pub fn chord_tensor_create_from_bytes(context: *mut chord_context, type_: chord_type, rank: i32, shape: *const i64, data: *const c_void, bytes: usize, tensor: *mut *mut chord_tensor) -> chord_status;

    /// Host memory used in place, without a copy, on devices whose info says host_readable. `strides` count elements; NULL
    /// means contiguous. Overlapping elements (a stride of 0, say) make it read-only.
    /// Ownership: `data` stays the caller's and must live until `release` (which may be NULL) is called: once, after the
    /// last tensor that looks at it is gone and the queue has drained. On failure it is not called. Threads: any; `release`
    /// is called in the thread that destroys the last tensor, or whose call was the last to use it, and may not end it.
    ///
    /// Returns: at once.
    /// `shape`: an array [rank].
    /// `strides`: an array [rank], NULL allowed.
    /// `data`: an array [elements of the shape].
    /// `release`: NULL allowed.
    /// `user`: NULL allowed.
    pub fn chord_tensor_wrap(context: *mut chord_context, type_: chord_type, rank: i32, shape: *const i64, strides: *const i64, data: *mut c_void, release: chord_release_callback, user: *mut c_void, tensor: *mut *mut chord_tensor) -> chord_status;

    /// Another look at a tensor's memory: a slice, a transpose, a repetition. `offset` and `strides` count elements from the
    /// tensor's first; NULL strides mean contiguous. It stays between the tensor's lowest and highest element in memory.
    /// Ownership: the result is the caller's and keeps the memory alive. Threads: any.
    ///
    /// Returns: at once.
    /// `shape`: an array [rank].
    /// `strides`: an array [rank], NULL allowed.
    pub fn chord_tensor_view(tensor: *const chord_tensor, rank: i32, shape: *const i64, strides: *const i64, offset: i64, view: *mut *mut chord_tensor) -> chord_status;

    /// Ownership: takes `tensor`. Threads: any; queued work that uses it is not disturbed.
    ///
    /// Returns: after waiting for work.
    /// `tensor`: NULL allowed.
    pub fn chord_tensor_destroy(tensor: *mut chord_tensor) -> chord_status;

    /// The elements, contiguous in host memory. `bytes` must be exactly the tensor's size. to_host waits for the work before
    /// it; from_host only until `data` is read. `data` may not be memory that the tensor itself uses in place.
    /// Ownership: `data` is the caller's. Threads: any.
    ///
    /// Returns: after waiting for work.
    /// `data`: an array [bytes].
    pub fn chord_tensor_to_host(tensor: *const chord_tensor, data: *mut c_void, bytes: usize) -> chord_status;

    /// The elements, contiguous in host memory. `bytes` must be exactly the tensor's size. to_host waits for the work before
    /// it; from_host only until `data` is read. `data` may not be memory that the tensor itself uses in place.
    /// Ownership: `data` is the caller's. Threads: any.
    ///
    /// Returns: when the work is queued.
    /// `data`: an array [bytes].
    pub fn chord_tensor_from_host(tensor: *mut chord_tensor, data: *const c_void, bytes: usize) -> chord_status;

    /// tensor = value everywhere; to = from (same type and shape, one context).
    /// Ownership: none. Threads: any.
    ///
    /// Returns: when the work is queued.
    pub fn chord_tensor_fill(tensor: *mut chord_tensor, value: f64) -> chord_status;

    /// tensor = value everywhere; to = from (same type and shape, one context).
    /// Ownership: none. Threads: any.
    ///
    /// Returns: when the work is queued.
    pub fn chord_tensor_copy(from: *const chord_tensor, to: *mut chord_tensor) -> chord_status;

    /// Ownership: `info` is the caller's. Threads: any.
    ///
    /// Returns: at once.
    pub fn chord_tensor_get_info(tensor: *const chord_tensor, info: *mut chord_tensor_info) -> chord_status;

    /// The first element, where the device's memory is host_readable; otherwise CHORD_ERROR_UNSUPPORTED. Wait for the
    /// context before touching it, and do not touch it while work on it is queued.
    /// Ownership: the tensor's. Threads: any.
    ///
    /// Returns: at once.
    /// `data`: owned by `tensor`.
    pub fn chord_tensor_data(tensor: *const chord_tensor, data: *mut *mut c_void) -> chord_status;

    /// The same with the wait in it: all work queued so far is done when it returns, and the memory is the caller's, to read
    /// and to write, until chord_tensor_unmap. Work with it that is queued meanwhile, by whatever thread, races with the
    /// caller. Ownership: the memory is the tensor's, which must not be destroyed meanwhile. Threads: any.
    ///
    /// Returns: after waiting for work.
    /// `data`: owned by `tensor`.
    pub fn chord_tensor_map(tensor: *mut chord_tensor, data: *mut *mut c_void) -> chord_status;

    /// The memory is the library's again, with what was written to it.
    /// Ownership: ends what chord_tensor_map began. Threads: any.
    ///
    /// Returns: at once.
    pub fn chord_tensor_unmap(tensor: *mut chord_tensor) -> chord_status;

    /// A repetition (elements that share memory) is exported as read-only. Waits for the work queued so far, so that the
    /// values are there. Ownership: the result is the caller's, who calls its deleter once, in any thread; it keeps the
    /// memory alive. Threads: any.
    ///
    /// Returns: after waiting for work.
    pub fn chord_tensor_to_dlpack(tensor: *const chord_tensor, managed: *mut *mut DLManagedTensorVersioned) -> chord_status;

    /// The same for a consumer that works on a CUDA stream, without waiting: the stream waits instead, and when the deleter
    /// is called, our later work waits for what the stream has been given until then. `stream` is as in Python's
    /// __dlpack__(stream=…): −1 orders nothing, 1 is the legacy default stream, 2 that of the thread, anything else a
    /// CUstream's address, which must be valid until the deleter has been called. Only for tensors of CUDA contexts.
    /// Ownership: as above. Threads: any.
    ///
    /// Returns: when the work is queued.
    pub fn chord_tensor_to_dlpack_on_cuda_stream(tensor: *const chord_tensor, stream: isize, managed: *mut *mut DLManagedTensorVersioned) -> chord_status;

    /// Ownership: takes `managed` when it succeeds: its deleter is called once, after the last tensor that looks at it is
    /// gone and the queue has drained. On failure it stays the caller's. Threads: any. Memory of an NVIDIA GPU goes to a
    /// context of that device; the producer has ordered its work before the context's stream
    /// (chord_context_get_cuda_stream).
    ///
    /// Returns: at once.
    pub fn chord_tensor_from_dlpack(context: *mut chord_context, managed: *mut DLManagedTensorVersioned, tensor: *mut *mut chord_tensor) -> chord_status;

    /// Offsets 0, 1, b, b², … for b = `base` ≥ 2; `links` of them, or, if 0, ⌊log2 n⌋ + 1 for base 2 and all
    /// powers below n for others. They wrap around n.
    /// Ownership: the result is the caller's. Threads: any.
    ///
    /// Returns: at once.
    pub fn chord_pattern_create_chord(context: *mut chord_context, n: i64, base: i64, links: i64, pattern: *mut *mut chord_pattern) -> chord_status;

    /// Offsets 0, 1, −1, b, −b, …; `links` of them, or all with b^k ≤ n / 2 if 0.
    /// Ownership: the result is the caller's. Threads: any.
    ///
    /// Returns: at once.
    pub fn chord_pattern_create_symmetric(context: *mut chord_context, n: i64, base: i64, links: i64, pattern: *mut *mut chord_pattern) -> chord_status;

    /// Any offsets: of any size and sign, in any order, repeated or not.
    /// Ownership: the result is the caller's; `offsets` stays the caller's. Threads: any.
    ///
    /// Returns: at once.
    /// `offsets`: an array [links].
    pub fn chord_pattern_create_custom(context: *mut chord_context, n: i64, links: i64, offsets: *const i64, pattern: *mut *mut chord_pattern) -> chord_status;

    /// Ownership: takes `pattern`. Threads: any.
    ///
    /// Returns: at once.
    /// `pattern`: NULL allowed.
    pub fn chord_pattern_destroy(pattern: *mut chord_pattern) -> chord_status;

    /// Either pointer may be NULL.
    /// Ownership: none. Threads: any.
    ///
    /// Returns: at once.
    /// `n`: NULL allowed.
    /// `links`: NULL allowed.
    pub fn chord_pattern_get_size(pattern: *const chord_pattern, n: *mut i64, links: *mut i64) -> chord_status;

    /// The offsets as given; `capacity` must be at least the number of links.
    /// Ownership: `offsets` is the caller's. Threads: any.
    ///
    /// Returns: at once.
    /// `offsets`: an array [capacity].
    pub fn chord_pattern_get_offsets(pattern: *const chord_pattern, offsets: *mut i64, capacity: i64) -> chord_status;

    /// How many factors of a chord pattern connect every row with every column: (b − 1)·⌈log_b n⌉; 0 for n = 1.
    /// Ownership: none. Threads: any.
    ///
    /// Returns: at once.
    pub fn chord_full_chain_length(n: i64, base: i64, factors: *mut i64) -> chord_status;

    /// z[i,:] (+)= Σ_k w[i,k] · v[(i+o_k) mod N, :]
    /// Ownership: none. Threads: any.
    ///
    /// Returns: when the work is queued.
    pub fn chord_product(pattern: *const chord_pattern, w: *const chord_tensor, v: *const chord_tensor, z: *mut chord_tensor, accumulate: chord_flag) -> chord_status;

    /// dv[j,:] (+)= Σ_k w[(j−o_k) mod N, k] · dz[(j−o_k) mod N, :], the product with the transpose.
    /// Ownership: none. Threads: any.
    ///
    /// Returns: when the work is queued.
    pub fn chord_product_gradient_values(pattern: *const chord_pattern, w: *const chord_tensor, dz: *const chord_tensor, dv: *mut chord_tensor, accumulate: chord_flag) -> chord_status;

    /// dw[i,k] (+)= ⟨dz[i,:], v[(i+o_k) mod N, :]⟩, summed over the batch where dw has none.
    /// Ownership: none. Threads: any.
    ///
    /// Returns: when the work is queued.
    pub fn chord_product_gradient_weights(pattern: *const chord_pattern, dz: *const chord_tensor, v: *const chord_tensor, dw: *mut chord_tensor, accumulate: chord_flag) -> chord_status;

    /// weights: [M, N, L], or [M, B, N, L] with factors of each sequence's own; M = 0 is the identity. residual: 1 adds the
    /// first v again after every factor.
    /// Ownership: the result is the caller's; it looks at `weights`, whose values may change between calls, and keeps its
    /// memory alive. Threads: any.
    ///
    /// Returns: at once.
    pub fn chord_chain_create(pattern: *const chord_pattern, weights: *const chord_tensor, residual: chord_flag, chain: *mut *mut chord_chain) -> chord_status;

    /// Ownership: takes `chain`. Threads: any.
    ///
    /// Returns: after waiting for work.
    /// `chain`: NULL allowed.
    pub fn chord_chain_destroy(chain: *mut chord_chain) -> chord_status;

    /// z = chain(v), both [N, D] or [B, N, D]. tape: NULL, or [M − 1, …] of v's shape, in which the outputs of all factors
    /// but the last are left for chord_chain_gradient. Ownership: none. Threads: any.
    ///
    /// Returns: when the work is queued.
    /// `tape`: NULL allowed.
    pub fn chord_chain_apply(chain: *const chord_chain, v: *const chord_tensor, z: *mut chord_tensor, tape: *mut chord_tensor) -> chord_status;

    /// z = chainᵀ(v): the transpose of the same linear map, residuals included.
    /// Ownership: none. Threads: any.
    ///
    /// Returns: when the work is queued.
    pub fn chord_chain_apply_transposed(chain: *const chord_chain, v: *const chord_tensor, z: *mut chord_tensor) -> chord_status;

    /// out[r,:] = row indices[r] of the product W_M ⋯ W_1 (residuals left out), [count, N] or [B, count, N], without forming
    /// it: O(M·N·L) a row.
    /// Ownership: `indices` stays the caller's and is read before the call returns. Threads: any.
    ///
    /// Returns: when the work is queued.
    /// `indices`: an array [count].
    pub fn chord_chain_rows(chain: *const chord_chain, indices: *const i64, count: i64, out: *mut chord_tensor) -> chord_status;

    /// out = the product W_M ⋯ W_1 (residuals left out) as a dense matrix, [N, N] or [B, N, N].
    /// Ownership: none. Threads: any.
    ///
    /// Returns: when the work is queued.
    pub fn chord_chain_dense(chain: *const chord_chain, out: *mut chord_tensor) -> chord_status;

    /// The gradient of ⟨g, chain(v)⟩ with respect to every factor, dw of the weights' shape, and to v, dv of v's shape or
    /// NULL. tape: as chord_chain_apply left it for the same v and weights, or NULL to compute the intermediates again,
    /// which takes about half as long again and less memory. Ownership: none. Threads: any.
    ///
    /// Returns: when the work is queued.
    /// `tape`: NULL allowed.
    /// `dv`: NULL allowed.
    pub fn chord_chain_gradient(chain: *const chord_chain, v: *const chord_tensor, tape: *const chord_tensor, g: *const chord_tensor, dw: *mut chord_tensor, dv: *mut chord_tensor, accumulate: chord_flag) -> chord_status;

    /// Reads a file: MatrixMarket (coordinate files become sparse, all others dense), NumPy's npy, PNG (grey levels from 0
    /// to 255), or safetensors with one tensor of two dimensions. The content tells which, not the name.
    /// CHORD_ERROR_INVALID_FILE if it is none of them, damaged, or has values that are not finite.
    /// Ownership: the result is the caller's. Threads: any.
    ///
    /// Returns: at once.
    pub fn chord_matrix_read(path: *const c_char, matrix: *mut *mut chord_matrix) -> chord_status;

    /// A matrix of n·n finite values, row by row.
    /// Ownership: the result is the caller's; `values` stays the caller's and is free to go. Threads: any.
    ///
    /// Returns: at once.
    /// `values`: an array [n * n].
    pub fn chord_matrix_create_dense(n: i64, values: *const f64, matrix: *mut *mut chord_matrix) -> chord_status;

    /// A matrix of `count` finite entries in any order, rows and columns counted from 0; those at one place are summed.
    /// Ownership: the result is the caller's; the arrays stay the caller's and are free to go. Threads: any.
    ///
    /// Returns: at once.
    /// `rows`: an array [count].
    /// `columns`: an array [count].
    /// `values`: an array [count].
    pub fn chord_matrix_create_sparse(n: i64, count: i64, rows: *const i64, columns: *const i64, values: *const f64, matrix: *mut *mut chord_matrix) -> chord_status;

    /// The same two for matrices that need not be square: rows · columns values, or entries.
    /// Ownership: the result is the caller's; the arrays stay the caller's and are free to go. Threads: any.
    ///
    /// Returns: at once.
    /// `values`: an array [rows * columns].
    pub fn chord_matrix_create_rectangle(rows: i64, columns: i64, values: *const f64, matrix: *mut *mut chord_matrix) -> chord_status;

    /// The same two for matrices that need not be square: rows · columns values, or entries.
    /// Ownership: the result is the caller's; the arrays stay the caller's and are free to go. Threads: any.
    ///
    /// Returns: at once.
    /// `entry_rows`: an array [count].
    /// `entry_columns`: an array [count].
    /// `values`: an array [count].
    pub fn chord_matrix_create_sparse_rectangle(rows: i64, columns: i64, count: i64, entry_rows: *const i64, entry_columns: *const i64, values: *const f64, matrix: *mut *mut chord_matrix) -> chord_status;

    /// Ownership: takes `matrix`. Threads: any.
    ///
    /// Returns: at once.
    /// `matrix`: NULL allowed.
    pub fn chord_matrix_destroy(matrix: *mut chord_matrix) -> chord_status;

    /// Ownership: `info` is the caller's. Threads: any.
    ///
    /// Returns: at once.
    pub fn chord_matrix_get_info(matrix: *const chord_matrix, info: *mut chord_matrix_info) -> chord_status;

    /// All rows · columns values, row by row. `bytes` must be exactly their size.
    /// Ownership: `values` is the caller's. Threads: any.
    ///
    /// Returns: at once.
    /// `values`: an array [bytes / 8].
    pub fn chord_matrix_to_dense(matrix: *const chord_matrix, values: *mut f64, bytes: usize) -> chord_status;

    /// values[r,:] = row indices[r], count · columns values, without making a sparse matrix dense.
    /// Ownership: the arrays are the caller's. Threads: any.
    ///
    /// Returns: at once.
    /// `indices`: an array [count].
    /// `values`: an array [count * columns].
    pub fn chord_matrix_rows(matrix: *const chord_matrix, indices: *const i64, count: i64, values: *mut f64) -> chord_status;

    /// The best approximation of a rank (the truncated SVD), for comparison: its error ‖X − X_r‖ (Frobenius), all singular
    /// values in falling order, as many as the shorter side has, and X_r row by row, rows · columns values. Each pointer may
    /// be NULL. rank: 0 to the shorter side. Takes O(n³) and the memory of a few dense matrices; uses oneMKL's LAPACK, or
    /// the system's, and says CHORD_ERROR_UNSUPPORTED without either. Ownership: the arrays are the caller's. Threads: any.
    ///
    /// Returns: after long work of its own.
    /// `error`: NULL allowed.
    /// `singular_values`: an array [min(rows, columns)], NULL allowed.
    /// `approximation`: an array [rows * columns], NULL allowed.
    pub fn chord_matrix_truncated_svd(matrix: *const chord_matrix, rank: i64, error: *mut f64, singular_values: *mut f64, approximation: *mut f64) -> chord_status;

    /// The constraints, CHORD_CONSTRAINT_… from 0 to count - 1; the kinds of parts, CHORD_PART_…, and the reasons to stop,
    /// CHORD_STOP_…, likewise.
    /// Ownership: `info` is the caller's, its texts are constants of the library. Threads: any.
    ///
    /// Returns: at once.
    pub fn chord_constraint_count(count: *mut i32) -> chord_status;

    /// The constraints, CHORD_CONSTRAINT_… from 0 to count - 1; the kinds of parts, CHORD_PART_…, and the reasons to stop,
    /// CHORD_STOP_…, likewise.
    /// Ownership: `info` is the caller's, its texts are constants of the library. Threads: any.
    ///
    /// Returns: at once.
    pub fn chord_constraint_get_info(constraint: chord_constraint, info: *mut chord_name_info) -> chord_status;

    /// The constraints, CHORD_CONSTRAINT_… from 0 to count - 1; the kinds of parts, CHORD_PART_…, and the reasons to stop,
    /// CHORD_STOP_…, likewise.
    /// Ownership: `info` is the caller's, its texts are constants of the library. Threads: any.
    ///
    /// Returns: at once.
    pub fn chord_part_kind_count(count: *mut i32) -> chord_status;

    /// The constraints, CHORD_CONSTRAINT_… from 0 to count - 1; the kinds of parts, CHORD_PART_…, and the reasons to stop,
    /// CHORD_STOP_…, likewise.
    /// Ownership: `info` is the caller's, its texts are constants of the library. Threads: any.
    ///
    /// Returns: at once.
    pub fn chord_part_kind_get_info(kind: chord_part_kind, info: *mut chord_name_info) -> chord_status;

    /// The constraints, CHORD_CONSTRAINT_… from 0 to count - 1; the kinds of parts, CHORD_PART_…, and the reasons to stop,
    /// CHORD_STOP_…, likewise.
    /// Ownership: `info` is the caller's, its texts are constants of the library. Threads: any.
    ///
    /// Returns: at once.
    pub fn chord_stop_count(count: *mut i32) -> chord_status;

    /// The constraints, CHORD_CONSTRAINT_… from 0 to count - 1; the kinds of parts, CHORD_PART_…, and the reasons to stop,
    /// CHORD_STOP_…, likewise.
    /// Ownership: `info` is the caller's, its texts are constants of the library. Threads: any.
    ///
    /// Returns: at once.
    pub fn chord_stop_get_info(stop: chord_stop, info: *mut chord_name_info) -> chord_status;

    /// Fits factors of `pattern`, in its context, and the other parts asked for to `matrix`. One that is not square takes a
    /// pattern of its longer side: what the factors make beyond it does not count; constraints but
    /// CHORD_CONSTRAINT_NONNEGATIVE are refused then, and so is a sparse one with n beyond 4096. A sparse one is not made
    /// dense for factors alone; beside other parts it is, with n up to 4096. A larger one, where there is no constraint, is
    /// fitted as chord_factorize_operator does. Returns when done. With a time, and no tolerance, a run that has converged
    /// begins elsewhere, until the time is over or the result exact; the best is kept. A run that stops early, for whatever
    /// reason but an error, gives its best result so far. Same arguments, same device, same result, to the bit, if neither
    /// time nor the callback ends it. Ownership: the result is the caller's; `matrix` and `options` (NULL: all zero) stay
    /// the caller's. Threads: any; the context can be used meanwhile, also by the callback.
    ///
    /// Returns: after long work of its own.
    /// `options`: NULL allowed.
    pub fn chord_factorize(pattern: *const chord_pattern, matrix: *const chord_matrix, options: *const chord_factorize_options, factorization: *mut *mut chord_factorization) -> chord_status;

    /// What chord_factorize does, to a matrix that is never formed: it is known by `apply` alone, which is given `user`, and
    /// its rows and columns are as many as the pattern's. There is no constraint, and there are no single entries. The low
    /// rank is that of a randomised SVD, the factors beside it are fitted to X's products with random columns, and the error
    /// is estimated by others: standard_error tells how well. At equal numbers the result is not worse than the randomised
    /// SVD, as far as the estimate can tell. A time limit holds to one call of `apply`, from when the low rank is there.
    /// Ownership: the result is the caller's; `user` and `options` stay the caller's. Threads: any.
    ///
    /// Returns: after long work of its own.
    /// `user`: NULL allowed.
    /// `options`: NULL allowed.
    pub fn chord_factorize_operator(pattern: *const chord_pattern, apply: chord_operator_apply, user: *mut c_void, options: *const chord_factorize_options, factorization: *mut *mut chord_factorization) -> chord_status;

    /// How much memory chord_factorize_operator will use with these arguments, beside what `apply` does.
    /// Ownership: none. Threads: any.
    ///
    /// Returns: at once.
    /// `options`: NULL allowed.
    pub fn chord_factorize_operator_memory(pattern: *const chord_pattern, options: *const chord_factorize_options, bytes: *mut u64) -> chord_status;

    /// Begins what chord_factorize would do, and returns. The options have no callback: the job is asked instead.
    /// Ownership: the result is the caller's; `matrix` and `options` stay the caller's and may go: the job keeps what it
    /// needs. Threads: any.
    ///
    /// Returns: at once.
    /// `options`: NULL allowed.
    pub fn chord_factorize_start(pattern: *const chord_pattern, matrix: *const chord_matrix, options: *const chord_factorize_options, job: *mut *mut chord_job) -> chord_status;

    /// Where the job is: done (1) or not (0), and its progress (all zero before the first of it). Either pointer may be
    /// NULL. Never waits. Ownership: `progress` is the caller's. Threads: any.
    ///
    /// Returns: at once.
    /// `done`: NULL allowed.
    /// `progress`: NULL allowed.
    pub fn chord_job_poll(job: *const chord_job, done: *mut chord_flag, progress: *mut chord_factorize_progress) -> chord_status;

    /// Asks the job to end soon with its best result so far; nothing where it is done. Never waits.
    /// Ownership: none. Threads: any.
    ///
    /// Returns: at once.
    pub fn chord_job_cancel(job: *mut chord_job) -> chord_status;

    /// Waits until the job is done, but at most so many seconds; less than 0: as long as it takes. `done` (may be NULL) is 0
    /// where it is not yet. Ownership: none. Threads: any, several at once.
    ///
    /// Returns: after long work of its own.
    pub fn chord_job_wait(job: *const chord_job, seconds: f64, done: *mut chord_flag) -> chord_status;

    /// Waits, and gives the result, or the error that ended the job as chord_factorize would have.
    /// Ownership: the result is the caller's; every call gives another handle. Threads: any.
    ///
    /// Returns: at once.
    pub fn chord_job_get_factorization(job: *const chord_job, factorization: *mut *mut chord_factorization) -> chord_status;

    /// Ownership: takes `job`; one that is not done is cancelled, without waiting for its end. A process that exits waits
    /// for that. Threads: any.
    ///
    /// Returns: at once.
    /// `job`: NULL allowed.
    pub fn chord_job_destroy(job: *mut chord_job) -> chord_status;

    /// How much of the context's memory chord_factorize will use with these arguments.
    /// Ownership: none. Threads: any.
    ///
    /// Returns: at once.
    /// `options`: NULL allowed.
    pub fn chord_factorize_memory(pattern: *const chord_pattern, matrix: *const chord_matrix, options: *const chord_factorize_options, bytes: *mut u64) -> chord_status;

    /// Ownership: takes `factorization`. Threads: any.
    ///
    /// Returns: after waiting for work.
    /// `factorization`: NULL allowed.
    pub fn chord_factorization_destroy(factorization: *mut chord_factorization) -> chord_status;

    /// Ownership: `info` is the caller's. Threads: any.
    ///
    /// Returns: at once.
    pub fn chord_factorization_get_info(factorization: *const chord_factorization, info: *mut chord_factorization_info) -> chord_status;

    /// How many parts X̂ is the sum of, and each of them. A kind that the caller does not know may be among them.
    /// Ownership: `info` is the caller's. Threads: any.
    ///
    /// Returns: at once.
    pub fn chord_factorization_part_count(factorization: *const chord_factorization, count: *mut i32) -> chord_status;

    /// How many parts X̂ is the sum of, and each of them. A kind that the caller does not know may be among them.
    /// Ownership: `info` is the caller's. Threads: any.
    ///
    /// Returns: at once.
    pub fn chord_factorization_get_part(factorization: *const chord_factorization, index: i32, info: *mut chord_part_info) -> chord_status;

    /// A tensor that a part is stored as, by the name that CHORD_PART_… tells and the file has.
    /// Ownership: the result is the caller's and looks at the factorisation's memory. Threads: any.
    ///
    /// Returns: at once.
    pub fn chord_factorization_get_tensor(factorization: *const chord_factorization, name: *const c_char, tensor: *mut *mut chord_tensor) -> chord_status;

    /// z = X̂ v, or X̂ᵀ v if `transposed` is 1; [N, D] or [B, N, D] of the factorisation's precision. Where X̂ is not square v
    /// has as many rows as X̂, or X̂ᵀ, has columns, and z as many as it has rows.
    /// Ownership: none. Threads: any.
    ///
    /// Returns: when the work is queued.
    pub fn chord_factorization_apply(factorization: *const chord_factorization, v: *const chord_tensor, z: *mut chord_tensor, transposed: chord_flag) -> chord_status;

    /// out[r,:] = row indices[r] of X̂, [count, columns], without forming it.
    /// Ownership: `indices` stays the caller's and is read before the call returns. Threads: any.
    ///
    /// Returns: when the work is queued.
    /// `indices`: an array [count].
    pub fn chord_factorization_rows(factorization: *const chord_factorization, indices: *const i64, count: i64, out: *mut chord_tensor) -> chord_status;

    /// out = X̂, [rows, columns].
    /// Ownership: none. Threads: any.
    ///
    /// Returns: when the work is queued.
    pub fn chord_factorization_dense(factorization: *const chord_factorization, out: *mut chord_tensor) -> chord_status;

    /// P as a chain. CHORD_ERROR_UNSUPPORTED where X̂ has parts beside its factors, or is not square: a chain is not what it
    /// is.
    /// Ownership: the result is the caller's and keeps the weights alive. Threads: any.
    ///
    /// Returns: at once.
    pub fn chord_factorization_get_chain(factorization: *const chord_factorization, chain: *mut *mut chord_chain) -> chord_status;

    /// The stored factors, [M, N, L] (CHORD_ERROR_UNSUPPORTED where X̂ has none), and their pattern.
    /// Ownership: the results are the caller's; the tensor looks at the factorisation's memory. Threads: any.
    ///
    /// Returns: at once.
    pub fn chord_factorization_get_weights(factorization: *const chord_factorization, weights: *mut *mut chord_tensor) -> chord_status;

    /// The stored factors, [M, N, L] (CHORD_ERROR_UNSUPPORTED where X̂ has none), and their pattern.
    /// Ownership: the results are the caller's; the tensor looks at the factorisation's memory. Threads: any.
    ///
    /// Returns: at once.
    pub fn chord_factorization_get_pattern(factorization: *const chord_factorization, pattern: *mut *mut chord_pattern) -> chord_status;

    /// A safetensors file is written, replaced as a whole or left as it was, and read: the tensors of all parts and
    /// `offsets` [L], with a list of the parts and the rest of the info as metadata. A file with a part that this version
    /// does not know is CHORD_ERROR_UNSUPPORTED, and named. Ownership: the result of loading is the caller's. Threads: any.
    ///
    /// Returns: after waiting for work.
    pub fn chord_factorization_save(factorization: *const chord_factorization, path: *const c_char) -> chord_status;

    /// A safetensors file is written, replaced as a whole or left as it was, and read: the tensors of all parts and
    /// `offsets` [L], with a list of the parts and the rest of the info as metadata. A file with a part that this version
    /// does not know is CHORD_ERROR_UNSUPPORTED, and named. Ownership: the result of loading is the caller's. Threads: any.
    ///
    /// Returns: when the work is queued.
    pub fn chord_factorization_load(context: *mut chord_context, path: *const c_char, factorization: *mut *mut chord_factorization) -> chord_status;

    /// The whole description of a preset, as JSON.
    /// Ownership: the library's, valid until the process ends. Threads: any.
    ///
    /// Returns: at once.
    /// `json`: valid as long as the process.
    pub fn chord_model_preset(name: *const c_char, json: *mut *const c_char) -> chord_status;

    /// How many presets there are, and the name of each.
    /// Ownership: the name is a constant of the library. Threads: any.
    ///
    /// Returns: at once.
    pub fn chord_model_preset_count(count: *mut i32) -> chord_status;

    /// How many presets there are, and the name of each.
    /// Ownership: the name is a constant of the library. Threads: any.
    ///
    /// Returns: at once.
    /// `name`: valid as long as the process.
    pub fn chord_model_preset_name(index: i32, name: *mut *const c_char) -> chord_status;

    /// How many keys there are beside "preset", and each of them, in the order of the JSON that the library writes.
    /// Ownership: `info` is the caller's, its texts are the library's, valid until the process ends. Threads: any.
    ///
    /// Returns: at once.
    pub fn chord_model_key_count(count: *mut i32) -> chord_status;

    /// How many keys there are beside "preset", and each of them, in the order of the JSON that the library writes.
    /// Ownership: `info` is the caller's, its texts are the library's, valid until the process ends. Threads: any.
    ///
    /// Returns: at once.
    pub fn chord_model_key_get_info(index: i32, info: *mut chord_model_key_info) -> chord_status;

    /// A new model, its parameters drawn by `seed` (PyTorch's default distributions); the seed is also that of its dropout.
    /// Ownership: the result is the caller's; `json` stays the caller's. Threads: any.
    ///
    /// Returns: when the work is queued.
    pub fn chord_model_create(context: *mut chord_context, json: *const c_char, seed: u64, model: *mut *mut chord_model) -> chord_status;

    /// The model of a safetensors file: one of chord_model_save, or any with the tensor names of the paper's PyTorch code.
    /// `json` describes the model; NULL takes the description the file itself has. Unused embedding.weight and
    /// pos_embedding.weight are passed over with a message to the log; everything else must fit exactly.
    /// Ownership: the result is the caller's. Threads: any.
    ///
    /// Returns: when the work is queued.
    /// `json`: NULL allowed.
    pub fn chord_model_load(context: *mut chord_context, path: *const c_char, json: *const c_char, model: *mut *mut chord_model) -> chord_status;

    /// Writes a safetensors file, which is replaced as a whole or left as it was. with_optimizer: 1 also stores what
    /// training needs to go on as if it had not stopped: the optimiser's moments, the step, the seed. `note` (NULL: none) is
    /// any text to keep with it, for chord_model_note. Same model, same bytes.
    /// Ownership: none. Threads: any.
    ///
    /// Returns: after waiting for work.
    /// `note`: NULL allowed.
    pub fn chord_model_save(model: *const chord_model, path: *const c_char, with_optimizer: chord_flag, note: *const c_char) -> chord_status;

    /// The note the model's file had; "" if none.
    /// Ownership: the model's. Threads: any.
    ///
    /// Returns: at once.
    /// `note`: owned by `model`.
    pub fn chord_model_note(model: *const chord_model, note: *mut *const c_char) -> chord_status;

    /// Ownership: takes `model`; tensors that look at its parameters stay valid. Threads: any.
    ///
    /// Returns: after waiting for work.
    /// `model`: NULL allowed.
    pub fn chord_model_destroy(model: *mut chord_model) -> chord_status;

    /// The description with all its keys, as JSON.
    /// Ownership: the model's. Threads: any.
    ///
    /// Returns: at once.
    /// `json`: owned by `model`.
    pub fn chord_model_description(model: *const chord_model, json: *mut *const c_char) -> chord_status;

    /// Ownership: `info` is the caller's. Threads: any.
    ///
    /// Returns: after waiting for work.
    pub fn chord_model_get_info(model: *const chord_model, info: *mut chord_model_info) -> chord_status;

    /// What a training step (training: 1) or a forward pass (0) of `batch` sequences will need, before any of it is taken.
    /// Ownership: `info` is the caller's. Threads: any.
    ///
    /// Returns: at once.
    /// `options`: NULL allowed.
    pub fn chord_model_plan(model: *const chord_model, batch: i64, training: chord_flag, options: *const chord_train_options, info: *mut chord_model_memory) -> chord_status;

    /// outputs [B, classes] = model(inputs), without dropout. inputs: tokens int32 [B, N] or reals [B, N, features].
    /// Tokens outside the vocabulary are CHORD_ERROR_INVALID_ARGUMENT: at once where they were copied from the host, and of
    /// tokens that only the device has seen (copied between tensors, written through a pointer) at the next wait.
    /// Ownership: none. Threads: any.
    ///
    /// Returns: when the work is queued.
    pub fn chord_model_forward(model: *mut chord_model, inputs: *const chord_tensor, outputs: *mut chord_tensor) -> chord_status;

    /// The same with options (NULL: all zero), of which micro_batch, memory, lengths, dropout and first_sequence matter.
    /// Lengths are checked as tokens are; of inputs with lengths that hold what is no token, the device tells at the next
    /// wait whether that is padding.
    /// Ownership: `options` stays the caller's. Threads: any.
    ///
    /// Returns: when the work is queued.
    /// `options`: NULL allowed.
    pub fn chord_model_forward_with(model: *mut chord_model, inputs: *const chord_tensor, options: *const chord_train_options, outputs: *mut chord_tensor) -> chord_status;

    /// Loss and correct answers of a batch, without dropout. labels: int32 [B] classes, or for mse reals [B]. Tokens and
    /// labels that are none are CHORD_ERROR_INVALID_ARGUMENT, here and in the two below; nothing is learnt from such a
    /// batch. Ownership: `result` is the caller's. Threads: any.
    ///
    /// Returns: after waiting for work.
    pub fn chord_model_evaluate(model: *mut chord_model, inputs: *const chord_tensor, labels: *const chord_tensor, result: *mut chord_step_result) -> chord_status;

    /// The same with options (NULL: all zero), of which those matter that do in chord_model_forward_with.
    /// Ownership: `options` stays the caller's, `result` is the caller's. Threads: any.
    ///
    /// Returns: after waiting for work.
    /// `options`: NULL allowed.
    pub fn chord_model_evaluate_with(model: *mut chord_model, inputs: *const chord_tensor, labels: *const chord_tensor, options: *const chord_train_options, result: *mut chord_step_result) -> chord_status;

    /// The gradients of the batch's mean loss, left for chord_model_gradient; the parameters stay. Of `options` (NULL: all
    /// zero) those matter that are no optimiser's: several processes, or several calls, share a batch by telling each its
    /// first_sequence and the whole_batch; the sum of what they get (accumulate) is the gradient of the whole, to the bit
    /// that of a training step with such a micro_batch where one model does it all in order. `result` is that of these
    /// sequences alone. Where the call fails, the gradients are undefined.
    /// Ownership: `result` is the caller's and may be NULL. Threads: any.
    ///
    /// Returns: after waiting for work.
    /// `options`: NULL allowed.
    /// `result`: NULL allowed.
    pub fn chord_model_gradients(model: *mut chord_model, inputs: *const chord_tensor, labels: *const chord_tensor, options: *const chord_train_options, result: *mut chord_step_result) -> chord_status;

    /// The gradients of ⟨doutputs, model(inputs)⟩, for losses of somebody else's: with respect to the parameters, left as
    /// above, and to inputs that are reals, dinputs of their shape, or NULL. doutputs: [B, classes]. Of `options` those
    /// matter as above, but for whole_batch: dropout and first_sequence must be those of the forward pass, which is computed
    /// again. Ownership: `options` stays the caller's. Threads: any.
    ///
    /// Returns: when the work is queued.
    /// `dinputs`: NULL allowed.
    /// `options`: NULL allowed.
    pub fn chord_model_backward(model: *mut chord_model, inputs: *const chord_tensor, doutputs: *const chord_tensor, dinputs: *mut chord_tensor, options: *const chord_train_options) -> chord_status;

    /// The layers of a model one by one, for those who put something of their own between them: sequences that several
    /// processes share, other ways of mixing rows. What is between these layers is chord_product, with residuals.
    /// `block` and `factor` count from 0, and are 0 for layers that have none. Of `options` (NULL: all zero) first_sequence
    /// and dropout matter. Tokens that are none are told as by chord_model_forward.
    /// Ownership: `options` stays the caller's; `out` is contiguous. Threads: any.
    ///
    /// Returns: when the work is queued.
    /// `options`: NULL allowed.
    pub fn chord_model_layer_forward(model: *mut chord_model, layer: chord_layer, block: i64, factor: i64, in_: *const chord_tensor, options: *const chord_train_options, out: *mut chord_tensor) -> chord_status;

    /// The gradients of ⟨dout, layer(in)⟩: with respect to the layer's parameters, left beside those of the other layers
    /// (with options.accumulate they are added to those that are there), and to its input, din of the input's shape,
    /// contiguous, or NULL. accumulate: 1 adds to what din has; only for the layers of a block, which share their input.
    /// Ownership: `options` (may be NULL) stays the caller's. Threads: any.
    ///
    /// Returns: when the work is queued.
    /// `options`: NULL allowed.
    /// `din`: NULL allowed.
    pub fn chord_model_layer_backward(model: *mut chord_model, layer: chord_layer, block: i64, factor: i64, in_: *const chord_tensor, dout: *const chord_tensor, options: *const chord_train_options, din: *mut chord_tensor, accumulate: chord_flag) -> chord_status;

    /// The loss of outputs [B, classes], and its gradient, doutputs of their shape, contiguous, or NULL. Of `options` (NULL:
    /// all zero) whole_batch matters. Ownership: `options` stays the caller's, `result` is the caller's. Threads: any.
    ///
    /// Returns: after waiting for work.
    /// `options`: NULL allowed.
    /// `doutputs`: NULL allowed.
    pub fn chord_model_loss(model: *mut chord_model, outputs: *const chord_tensor, labels: *const chord_tensor, options: *const chord_train_options, doutputs: *mut chord_tensor, result: *mut chord_step_result) -> chord_status;

    /// One step of the optimiser with the gradients that are there, whoever computed them; clip_norm holds. With those of
    /// chord_model_gradients of the same batch with dropout it does what chord_model_train_step does, to the bit.
    /// Ownership: `options` (NULL: all zero) stays the caller's. Threads: any.
    ///
    /// Returns: when the work is queued.
    /// `options`: NULL allowed.
    pub fn chord_model_apply_gradients(model: *mut chord_model, options: *const chord_train_options) -> chord_status;

    /// One step of the optimiser on the batch's mean loss, with dropout. The gradients that are left for
    /// chord_model_gradient are those before clipping. Same model, same batches, same device: the same bits. With a `result`
    /// the call waits for it. With NULL it waits for nothing and reads nothing back: the step is queued, and its loss is
    /// kept on the device for chord_model_take_losses. Tokens and labels that are none, and that only the device has seen,
    /// are then told by the next wait; nothing is learnt from such a batch, its loss is NaN, and once it is told the step is
    /// not counted (steps queued behind it before that are numbered as if it were). Ownership: `options` and `result`, which
    /// may both be NULL, are the caller's. Threads: any.
    ///
    /// Returns: after waiting for work.
    /// `options`: NULL allowed.
    /// `result`: NULL allowed.
    pub fn chord_model_train_step(model: *mut chord_model, inputs: *const chord_tensor, labels: *const chord_tensor, options: *const chord_train_options, result: *mut chord_step_result) -> chord_status;

    /// The losses of training steps that were given no `result`, the oldest first, and how many sequences of each were right
    /// (`correct` may be NULL): as many as are kept, but at most `capacity`; `count` is how many. Each is taken once. The
    /// device keeps those of the last CHORD_KEPT_LOSSES steps; `lost` (may be NULL) is how many older ones were overwritten
    /// since the last call. Waits for all steps queued; where that tells an error, the losses are left for the next call.
    /// Ownership: the arrays are the caller's. Threads: any.
    ///
    /// Returns: after waiting for work.
    /// `losses`: an array [capacity].
    /// `correct`: an array [capacity], NULL allowed.
    /// `lost`: NULL allowed.
    pub fn chord_model_take_losses(model: *mut chord_model, capacity: i64, losses: *mut f64, correct: *mut i64, count: *mut i64, lost: *mut i64) -> chord_status;

    /// Parameters have the names and shapes of the PyTorch code's state_dict, e.g. "fs.0.network.0.weight"; blocks behind
    /// the first have "blocks.1." in front, and so on. Ownership: the name is the model's. Threads: any.
    ///
    /// Returns: at once.
    pub fn chord_model_parameter_count(model: *const chord_model, count: *mut i64) -> chord_status;

    /// Parameters have the names and shapes of the PyTorch code's state_dict, e.g. "fs.0.network.0.weight"; blocks behind
    /// the first have "blocks.1." in front, and so on. Ownership: the name is the model's. Threads: any.
    ///
    /// Returns: at once.
    /// `name`: owned by `model`.
    pub fn chord_model_parameter_name(model: *const chord_model, index: i64, name: *mut *const c_char) -> chord_status;

    /// A look at a parameter, which may be written, and at its gradient as the last call left it.
    /// Ownership: the result is the caller's and keeps the memory alive. Threads: any.
    ///
    /// Returns: at once.
    pub fn chord_model_parameter(model: *const chord_model, name: *const c_char, tensor: *mut *mut chord_tensor) -> chord_status;

    /// A look at a parameter, which may be written, and at its gradient as the last call left it.
    /// Ownership: the result is the caller's and keeps the memory alive. Threads: any.
    ///
    /// Returns: at once.
    pub fn chord_model_gradient(model: *const chord_model, name: *const c_char, tensor: *mut *mut chord_tensor) -> chord_status;

    /// All parameters, all gradients, and the optimiser's two moments (SGD has the first alone) as one tensor [P] each, of
    /// the model's type, which may be read and written: the parameters in the order of chord_model_parameter_name, each row
    /// by row, without gaps. Gradients and moments are zeros before the first that are computed.
    /// Ownership: the results are the caller's, look at the model's memory and keep it alive. Threads: any.
    ///
    /// Returns: at once.
    pub fn chord_model_get_parameters(model: *const chord_model, parameters: *mut *mut chord_tensor) -> chord_status;

    /// All parameters, all gradients, and the optimiser's two moments (SGD has the first alone) as one tensor [P] each, of
    /// the model's type, which may be read and written: the parameters in the order of chord_model_parameter_name, each row
    /// by row, without gaps. Gradients and moments are zeros before the first that are computed.
    /// Ownership: the results are the caller's, look at the model's memory and keep it alive. Threads: any.
    ///
    /// Returns: at once.
    pub fn chord_model_get_gradients(model: *mut chord_model, gradients: *mut *mut chord_tensor) -> chord_status;

    /// All parameters, all gradients, and the optimiser's two moments (SGD has the first alone) as one tensor [P] each, of
    /// the model's type, which may be read and written: the parameters in the order of chord_model_parameter_name, each row
    /// by row, without gaps. Gradients and moments are zeros before the first that are computed.
    /// Ownership: the results are the caller's, look at the model's memory and keep it alive. Threads: any.
    ///
    /// Returns: at once.
    pub fn chord_model_get_moments(model: *mut chord_model, first: *mut *mut chord_tensor, second: *mut *mut chord_tensor) -> chord_status;

    /// How many steps there were (info.step): what the optimiser's corrections, and the next step's dropout, follow from.
    /// Ownership: none. Threads: any.
    ///
    /// Returns: at once.
    pub fn chord_model_set_step(model: *mut chord_model, step: i64) -> chord_status;

    /// All gradients by name, to a safetensors file.
    /// Ownership: none. Threads: any.
    ///
    /// Returns: after waiting for work.
    pub fn chord_model_save_gradients(model: *const chord_model, path: *const c_char) -> chord_status;

    /// out[b, r, :] = row indices[r] of the product W_M ⋯ W_1 that the model's block makes of each input, [B, count, N]:
    /// which positions that row attends to. Residuals are left out.
    /// Ownership: `indices` stays the caller's and is read before the call returns. Threads: any.
    ///
    /// Returns: when the work is queued.
    /// `indices`: an array [count].
    pub fn chord_model_attention(model: *mut chord_model, inputs: *const chord_tensor, block: i64, indices: *const i64, count: i64, out: *mut chord_tensor) -> chord_status;

    /// The same with options (NULL: all zero), of which lengths matter: rows and columns behind a sequence's end are zero.
    /// Ownership: as above; `options` stays the caller's. Threads: any.
    ///
    /// Returns: when the work is queued.
    /// `indices`: an array [count].
    /// `options`: NULL allowed.
    pub fn chord_model_attention_with(model: *mut chord_model, inputs: *const chord_tensor, block: i64, indices: *const i64, count: i64, options: *const chord_train_options, out: *mut chord_tensor) -> chord_status;

    /// How many tasks there are, and each of them.
    /// Ownership: `info` is the caller's, its texts are constants of the library. Threads: any.
    ///
    /// Returns: at once.
    pub fn chord_task_count(count: *mut i32) -> chord_status;

    /// How many tasks there are, and each of them.
    /// Ownership: `info` is the caller's, its texts are constants of the library. Threads: any.
    ///
    /// Returns: at once.
    pub fn chord_task_get_info(index: i32, info: *mut chord_task_info) -> chord_status;

    /// The test accuracy that the paper has for a task with sequences of this length, in percent; -1 where it has none.
    /// Ownership: none. Threads: any.
    ///
    /// Returns: at once.
    pub fn chord_task_get_published_accuracy(index: i32, length: i64, percent: *mut f64) -> chord_status;

    /// Ownership: the result is the caller's; `options` stays the caller's. Threads: any.
    ///
    /// Returns: after long work of its own.
    pub fn chord_dataset_create(options: *const chord_dataset_options, dataset: *mut *mut chord_dataset) -> chord_status;

    /// Ownership: takes `dataset`; batches of it live on. Threads: any.
    ///
    /// Returns: at once.
    /// `dataset`: NULL allowed.
    pub fn chord_dataset_destroy(dataset: *mut chord_dataset) -> chord_status;

    /// Ownership: `info` is the caller's. Threads: any.
    ///
    /// Returns: at once.
    pub fn chord_dataset_get_info(dataset: *const chord_dataset, info: *mut chord_dataset_info) -> chord_status;

    /// The sequences first … first + count − 1 in the dataset's own order: inputs [count, N] or [count, N, features] and
    /// labels [count], of the types the info names. The sizes must be exactly theirs. Ownership: the arrays are the
    /// caller's. Threads: any.
    ///
    /// Returns: at once.
    /// `inputs`: an array [input_bytes].
    /// `labels`: an array [label_bytes].
    pub fn chord_dataset_read(dataset: *const chord_dataset, first: i64, count: i64, inputs: *mut c_void, input_bytes: usize, labels: *mut c_void, label_bytes: usize) -> chord_status;

    /// What was needed to make sequences of the files beside the task's rules, to be kept with a model: a JSON object. It is
    /// {"grey": [values…]}, in the order of their tokens, for pathfinder, and {} for the others.
    /// Ownership: the dataset's, valid until it is destroyed. Threads: any.
    ///
    /// Returns: at once.
    /// `json`: owned by `dataset`.
    pub fn chord_dataset_encoding(dataset: *const chord_dataset, json: *mut *const c_char) -> chord_status;

    /// `encoding`: as the model keeps it; NULL is {}. `length`: positions of a sequence; 0: the task's.
    /// Ownership: the result is the caller's. Threads: any.
    ///
    /// Returns: at once.
    /// `encoding`: NULL allowed.
    pub fn chord_encoder_create(task: *const c_char, encoding: *const c_char, length: i64, encoder: *mut *mut chord_encoder) -> chord_status;

    /// Ownership: takes `encoder`. Threads: any.
    ///
    /// Returns: at once.
    /// `encoder`: NULL allowed.
    pub fn chord_encoder_destroy(encoder: *mut chord_encoder) -> chord_status;

    /// Ownership: `info` is the caller's. Threads: any.
    ///
    /// Returns: at once.
    pub fn chord_encoder_get_info(encoder: *const chord_encoder, info: *mut chord_encoder_info) -> chord_status;

    /// The tokens of a raw input, `length` of them; `capacity` says how many there is place for. `used`, which may be NULL,
    /// becomes the number of positions before the padding. Ownership: the arrays are the caller's. Threads: any.
    ///
    /// Returns: at once.
    /// `bytes`: an array [size].
    /// `tokens`: an array [capacity].
    /// `used`: NULL allowed.
    pub fn chord_encoder_encode(encoder: *const chord_encoder, bytes: *const c_void, size: usize, tokens: *mut i32, capacity: i64, used: *mut i64) -> chord_status;

    /// A token for people: "[MIN", "a", "<CLS>", "37".
    /// Ownership: the encoder's, valid until it is destroyed. Threads: any.
    ///
    /// Returns: at once.
    /// `text`: owned by `encoder`.
    pub fn chord_encoder_symbol(encoder: *const chord_encoder, token: i32, text: *mut *const c_char) -> chord_status;

    /// Makes files that chord_dataset_create can read, by the published rules of the task: a tenth of the sequences for
    /// validation, a tenth for test. They are a function of task, count and seed. All of them are there afterwards, or,
    /// where that fails, none. Ownership: `options` stays the caller's. Threads: any.
    ///
    /// Returns: after long work of its own.
    pub fn chord_generate_files(options: *const chord_generate_options) -> chord_status;

    /// Ownership: the result is the caller's and keeps the dataset's data alive. Threads: any.
    ///
    /// Returns: at once.
    pub fn chord_batches_create(dataset: *const chord_dataset, options: *const chord_batches_options, batches: *mut *mut chord_batches) -> chord_status;

    /// Ownership: takes `batches` and stops its thread. Threads: any.
    ///
    /// Returns: after waiting for work.
    /// `batches`: NULL allowed.
    pub fn chord_batches_destroy(batches: *mut chord_batches) -> chord_status;

    /// How many batches the whole pass has, those before `first` included.
    /// Ownership: none. Threads: any.
    ///
    /// Returns: at once.
    pub fn chord_batches_count(batches: *const chord_batches, count: *mut i64) -> chord_status;

    /// The next batch, of `count` sequences; 0 at the end, and of a batch that has none of the part.
    /// Ownership: the arrays are the library's, valid until the next call with these batches. Threads: one at a time.
    ///
    /// Returns: after waiting for work.
    /// `inputs`: owned by `batches`.
    /// `labels`: owned by `batches`.
    pub fn chord_batches_next(batches: *mut chord_batches, inputs: *mut *const c_void, labels: *mut *const c_void, count: *mut i64) -> chord_status;

    /// Makes these bytes the content of a file: as a whole and for good, or, where that fails, not at all, so that neither a
    /// crash nor a full disk leaves half of one. Ownership: `data` stays the caller's. Threads: any.
    ///
    /// Returns: at once.
    /// `data`: an array [bytes].
    pub fn chord_write_file(path: *const c_char, data: *const c_void, bytes: usize) -> chord_status;

    /// A tensor from and to NumPy's npy format: float32, float64, int32, int64, of up to CHORD_MAX_RANK dimensions, row by
    /// row. Writing replaces the file as a whole or leaves it as it was. Ownership: the result of reading is the caller's.
    /// Threads: any.
    ///
    /// Returns: when the work is queued.
    pub fn chord_tensor_read_npy(context: *mut chord_context, path: *const c_char, tensor: *mut *mut chord_tensor) -> chord_status;

    /// A tensor from and to NumPy's npy format: float32, float64, int32, int64, of up to CHORD_MAX_RANK dimensions, row by
    /// row. Writing replaces the file as a whole or leaves it as it was. Ownership: the result of reading is the caller's.
    /// Threads: any.
    ///
    /// Returns: after waiting for work.
    pub fn chord_tensor_write_npy(tensor: *const chord_tensor, path: *const c_char) -> chord_status;

    /// Ownership: the result is the caller's. Threads: any.
    ///
    /// Returns: at once.
    /// `shape`: an array [rank].
    pub fn chord_npy_writer_create(path: *const c_char, type_: chord_type, rank: i32, shape: *const i64, writer: *mut *mut chord_npy_writer) -> chord_status;

    /// The next numbers, row by row; no more of them than the shape has.
    /// Ownership: `data` stays the caller's. Threads: one at a time.
    ///
    /// Returns: at once.
    /// `data`: an array [bytes].
    pub fn chord_npy_writer_write(writer: *mut chord_npy_writer, data: *const c_void, bytes: usize) -> chord_status;

    /// Puts the file in its place, once all its numbers are written. Without it, the file stays as it was.
    /// Ownership: none. Threads: one at a time.
    ///
    /// Returns: at once.
    pub fn chord_npy_writer_commit(writer: *mut chord_npy_writer) -> chord_status;

    /// Ownership: takes `writer`. Threads: any.
    ///
    /// Returns: at once.
    /// `writer`: NULL allowed.
    pub fn chord_npy_writer_destroy(writer: *mut chord_npy_writer) -> chord_status;
}

// The sizes are those of C, or this does not compile; the offsets are tested.
const _: [(); 1072] = [(); core::mem::size_of::<chord_backend_info>()];
const _: [(); 384] = [(); core::mem::size_of::<chord_device_info>()];
const _: [(); 40] = [(); core::mem::size_of::<chord_memory_info>()];
const _: [(); 152] = [(); core::mem::size_of::<chord_tensor_info>()];
const _: [(); 96] = [(); core::mem::size_of::<chord_matrix_info>()];
const _: [(); 24] = [(); core::mem::size_of::<chord_name_info>()];
const _: [(); 72] = [(); core::mem::size_of::<chord_factorize_progress>()];
const _: [(); 56] = [(); core::mem::size_of::<chord_factorize_peers>()];
const _: [(); 160] = [(); core::mem::size_of::<chord_factorize_options>()];
const _: [(); 120] = [(); core::mem::size_of::<chord_factorization_info>()];
const _: [(); 32] = [(); core::mem::size_of::<chord_part_info>()];
const _: [(); 64] = [(); core::mem::size_of::<chord_model_key_info>()];
const _: [(); 80] = [(); core::mem::size_of::<chord_model_info>()];
const _: [(); 112] = [(); core::mem::size_of::<chord_train_options>()];
const _: [(); 40] = [(); core::mem::size_of::<chord_model_memory>()];
const _: [(); 32] = [(); core::mem::size_of::<chord_step_result>()];
const _: [(); 120] = [(); core::mem::size_of::<chord_task_info>()];
const _: [(); 88] = [(); core::mem::size_of::<chord_dataset_options>()];
const _: [(); 56] = [(); core::mem::size_of::<chord_dataset_info>()];
const _: [(); 24] = [(); core::mem::size_of::<chord_encoder_info>()];
const _: [(); 56] = [(); core::mem::size_of::<chord_generate_options>()];
const _: [(); 64] = [(); core::mem::size_of::<chord_batches_options>()];

#[cfg(test)]
mod layout {
    macro_rules! offsets {
        ($struct:ident: $(($offset:expr, $member:ident)),+) => {{
            let value = super::$struct::default();
            let start = core::ptr::addr_of!(value) as usize;
            $(assert_eq!(core::ptr::addr_of!(value.$member) as usize - start, $offset);)+
        }};
    }
    #[test]
    fn members_lie_where_c_has_them() {
        offsets!(chord_backend_info: (0, struct_size), (8, available), (12, reserved), (16, name), (48, detail));
        offsets!(chord_device_info: (0, struct_size), (8, kind), (12, units), (16, memory_bytes), (24, host_readable), (28, has_float64), (32, selector), (96, backend), (128, name));
        offsets!(chord_memory_info: (0, struct_size), (8, bytes_in_use), (16, peak_bytes), (24, reserved_bytes), (32, device_allocations));
        offsets!(chord_tensor_info: (0, struct_size), (8, type_), (12, rank), (16, shape), (80, strides), (144, bytes));
        offsets!(chord_matrix_info: (0, struct_size), (8, n), (16, stored), (24, nonzeros), (32, sparse), (36, symmetric), (40, norm), (48, format), (80, rows), (88, columns));
        offsets!(chord_name_info: (0, struct_size), (8, name), (16, description));
        offsets!(chord_factorize_progress: (0, struct_size), (8, start), (12, starts), (16, iteration), (24, error), (32, best_error), (40, relative_error), (48, gradient), (56, seconds), (64, standard_error));
        offsets!(chord_factorize_peers: (0, struct_size), (8, pieces), (16, first), (24, count), (32, sum), (40, user), (48, whole));
        offsets!(chord_factorize_options: (0, struct_size), (8, factors), (16, constraint), (20, precision), (24, restarts), (28, reserved), (32, seed), (40, iterations), (48, seconds), (56, gradient_tolerance), (64, improvement_tolerance), (72, resume), (80, checkpoint), (88, checkpoint_seconds), (96, callback), (104, user), (112, callback_seconds), (120, numbers), (128, rank), (136, entries), (144, peers), (152, exact_error), (156, reserved_too));
        offsets!(chord_factorization_info: (0, struct_size), (8, n), (16, links), (24, factors), (32, nonzeros), (40, constraint), (44, precision), (48, stop), (52, reserved), (56, iterations), (64, seconds), (72, error), (80, relative_error), (88, seed), (96, standard_error), (104, rows), (112, columns));
        offsets!(chord_part_info: (0, struct_size), (8, kind), (12, reserved), (16, size), (24, numbers));
        offsets!(chord_model_key_info: (0, struct_size), (8, name), (16, description), (24, kind), (28, required), (32, lowest), (40, highest), (48, choices), (56, default_value));
        offsets!(chord_model_info: (0, struct_size), (8, parameters), (16, step), (24, seed), (32, length), (40, features), (48, vocabulary), (56, classes), (64, input_type), (68, label_type), (72, output_type), (76, reserved));
        offsets!(chord_train_options: (0, struct_size), (8, learning_rate), (16, beta1), (24, beta2), (32, epsilon), (40, weight_decay), (48, clip_norm), (56, micro_batch), (64, memory), (68, optimizer), (72, momentum), (80, lengths), (88, first_sequence), (96, whole_batch), (104, dropout), (108, accumulate));
        offsets!(chord_model_memory: (0, struct_size), (8, parameter_bytes), (16, activation_bytes), (24, peak_bytes), (32, memory), (36, reserved));
        offsets!(chord_step_result: (0, struct_size), (8, loss), (16, correct), (24, count));
        offsets!(chord_task_info: (0, struct_size), (8, name), (16, title), (24, data), (32, generated), (36, has_encoder), (40, has_files_generator), (48, length), (56, features), (64, vocabulary), (72, classes), (80, train_count), (88, eval_count), (96, epochs), (104, batch), (112, learning_rate));
        offsets!(chord_dataset_options: (0, struct_size), (8, task), (16, split), (24, data), (32, length), (40, count), (48, seed), (56, sample), (64, encoding), (72, progress), (80, user));
        offsets!(chord_dataset_info: (0, struct_size), (8, count), (16, length), (24, features), (32, vocabulary), (40, classes), (48, input_type), (52, label_type));
        offsets!(chord_encoder_info: (0, struct_size), (8, length), (16, vocabulary));
        offsets!(chord_generate_options: (0, struct_size), (8, task), (16, output), (24, count), (32, seed), (40, progress), (48, user));
        offsets!(chord_batches_options: (0, struct_size), (8, batch), (16, first), (24, seed), (32, epoch), (40, shuffle), (44, drop_last), (48, part_first), (56, part_count));
    }
}

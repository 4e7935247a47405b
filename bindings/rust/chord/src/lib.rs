//! SparseChord: square matrices as products of about log₂N sparse factors, and networks with such attention.
//!
//! ```
//! use chord::{Chain, Context, Pattern, Tensor};
//!
//! # fn main() -> chord::Result<()> {
//! let context = Context::open("host")?;
//! let pattern = Pattern::chord(&context, 1024, 2, 0)?; // offsets 0, 1, 2, 4, …, 512
//! let weights = Tensor::from_vec(&context, &[10, 1024, 11], vec![1.0f32 / 11.0; 10 * 1024 * 11])?;
//! let chain = Chain::new(&pattern, &weights, false)?;
//! let v = Tensor::from_slice(&context, &[1024, 2], &vec![1.0f32; 2048])?;
//! let z = chain.apply(&v)?; // W₁₀ ⋯ W₂ W₁ v
//! assert!((z.to_vec::<f32>()?[0] - 1.0).abs() < 1e-5);
//! # Ok(())
//! # }
//! ```
//!
//! Objects own their handles and may be dropped in any order. All are `Send` and `Sync` but [`Batches`], which one thread
//! uses at a time. Work on tensors is queued; what hands values to the host waits for it. The documentation of each
//! function, with mathematics and shapes, is in [`sys`], which is chord.h.
#![warn(missing_docs)]
// C's characters are unsigned on some machines, and usize is no i64 on others.
#![allow(clippy::unnecessary_cast)]

pub use chord_sys as sys;

mod callback;
mod chain;
mod context;
mod data;
mod dlpack;
mod encoder;
mod error;
mod factorize;
mod gradients;
mod handle;
mod job;
mod map;
mod matrix;
mod model;
mod tasks;
mod tensor;

pub use chain::{full_chain_length, Chain, Pattern};
pub use context::{devices, Context, Device, Memory};
pub use data::{Batch, BatchOptions, Batches, Dataset, DatasetOptions, Values};
pub use dlpack::ManagedTensor;
pub use encoder::Encoder;
pub use error::{Error, ErrorKind, Result};
pub use factorize::{Constraint, Factorization, FactorizeOptions, Progress, Stop};
pub use job::Job;
pub use map::Mapped;
pub use matrix::Matrix;
pub use model::{Model, Optimizer, Step, TrainOptions};
pub use tasks::{tasks, Task};
pub use tensor::{Element, Tensor};

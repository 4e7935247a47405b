//! Factors fitted to a matrix.
use crate::callback::Callback;
use crate::chain::{Chain, Pattern};
use crate::context::Context;
use crate::error::{check, Error, ErrorKind, Result};
use crate::handle::{c_path, filled, made, owned};
use crate::matrix::Matrix;
use crate::sys;
use crate::tensor::Tensor;
use core::ffi::c_void;
use std::fmt;
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::ptr;

/// What X̂ must be.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[repr(i32)]
pub enum Constraint {
    /// Anything.
    None = sys::CHORD_CONSTRAINT_NONE,
    /// No weight below 0.
    Nonnegative = sys::CHORD_CONSTRAINT_NONNEGATIVE,
    /// No weight below 0, rows sum to 1.
    Stochastic = sys::CHORD_CONSTRAINT_STOCHASTIC,
    /// ½(P + Pᵀ).
    Symmetric = sys::CHORD_CONSTRAINT_SYMMETRIC,
    /// P Pᵀ.
    Semidefinite = sys::CHORD_CONSTRAINT_SEMIDEFINITE,
}

/// Why a run ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Stop {
    /// At a stationary point.
    Gradient,
    /// With hardly any progress any more.
    Improvement,
    /// After as many iterations as were allowed.
    Iterations,
    /// After as much time as was allowed.
    Seconds,
    /// Because the closure wanted it.
    Cancelled,
    /// For a reason this crate does not know yet.
    Other(i32),
}

/// How far a run is.
#[derive(Debug, Clone, Copy)]
pub struct Progress {
    /// Iterations of all starts.
    pub iteration: i64,
    /// ‖X − X̂‖ now.
    pub error: f64,
    /// The lowest so far, over ‖X‖.
    pub relative_error: f64,
    /// Since the beginning.
    pub seconds: f64,
}

impl From<&sys::chord_factorize_progress> for Progress {
    fn from(now: &sys::chord_factorize_progress) -> Self {
        Progress {
            iteration: now.iteration,
            error: now.error,
            relative_error: now.relative_error,
            seconds: now.seconds,
        }
    }
}

/// How to fit; the default is a good choice.
#[derive(Debug, Clone)]
pub struct FactorizeOptions {
    /// Factors in X̂'s product; 0: ⌈log₂ n⌉, or with `numbers` what is found; -1: none.
    pub factors: i64,
    /// Of the low-rank part; 0: none, or with `numbers` what is found; -1: none.
    pub rank: i64,
    /// Single ones; two numbers each.
    pub entries: i64,
    /// Of all parts together, at most; 0: as many as the parts have.
    pub numbers: i64,
    /// What X̂ must be.
    pub constraint: Constraint,
    /// Bits of the numbers computed with: 64 or 32.
    pub precision: i32,
    /// Starts tried in a race; 0: a few.
    pub restarts: i32,
    /// What random starts are drawn by.
    pub seed: u64,
    /// The most iterations; 0: no limit.
    pub iterations: i64,
    /// The most time; 0: no limit.
    pub seconds: f64,
    /// A file that is given the best result so far every few seconds.
    pub checkpoint: Option<PathBuf>,
}

impl Default for FactorizeOptions {
    fn default() -> Self {
        FactorizeOptions {
            factors: 0,
            rank: 0,
            entries: 0,
            numbers: 0,
            constraint: Constraint::None,
            precision: 64,
            restarts: 0,
            seed: 0,
            iterations: 0,
            seconds: 0.0,
            checkpoint: None,
        }
    }
}

impl FactorizeOptions {
    /// What `start` makes of them as C takes them; they live during that call alone.
    pub(crate) fn given<T>(&self, start: impl FnOnce(sys::chord_factorize_options) -> Result<T>) -> Result<T> {
        let checkpoint = self.checkpoint.as_deref().map(c_path).transpose()?;
        start(sys::chord_factorize_options {
            factors: self.factors,
            rank: self.rank,
            entries: self.entries,
            numbers: self.numbers,
            constraint: self.constraint as i32,
            precision: self.precision,
            restarts: self.restarts,
            seed: self.seed,
            iterations: self.iterations,
            seconds: self.seconds,
            checkpoint: checkpoint.as_ref().map_or(ptr::null(), |path| path.as_ptr()),
            ..Default::default()
        })
    }
}

owned! {
    /// X̂ ≈ X as a product of sparse factors.
    ///
    /// ```
    /// use chord::{Context, Factorization, FactorizeOptions, Matrix, Pattern};
    /// use std::ops::ControlFlow;
    ///
    /// # fn main() -> chord::Result<()> {
    /// let context = Context::open("host")?;
    /// let values: Vec<f64> = (0..256).map(|i| (i / 16 + i % 16) as f64).collect();
    /// let matrix = Matrix::dense(16, &values)?;
    /// let pattern = Pattern::chord(&context, 16, 2, 0)?;
    /// let options = FactorizeOptions { iterations: 300, ..Default::default() };
    /// let factors = Factorization::fit(&context, &pattern, &matrix, &options, |progress| {
    ///     if progress.seconds > 10.0 { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    /// })?;
    /// assert!(factors.relative_error()? < 0.05);
    /// # Ok(())
    /// # }
    /// ```
    Factorization, chord_factorization, chord_factorization_destroy, context: Context
}

impl Factorization {
    /// Fits factors of `pattern`, which is in `context`, to a matrix. The closure is told now and then, in this thread,
    /// and may stop the run; the best so far is then the result.
    pub fn fit(
        context: &Context,
        pattern: &Pattern,
        matrix: &Matrix,
        options: &FactorizeOptions,
        mut progress: impl FnMut(Progress) -> ControlFlow<()>,
    ) -> Result<Self> {
        let mut callback = Callback::new(&mut progress);
        let user = &mut callback as *mut Callback<Progress> as *mut c_void;
        let fitted = options.given(|given| {
            let given = sys::chord_factorize_options { callback: Some(tell), user, ..given };
            // SAFETY: what the options point to lives during the call, which alone uses it.
            made(|place| unsafe { sys::chord_factorize(pattern.get(), matrix.get(), &given, place) })
        });
        let fitted = fitted.map(|handle| Self::owning(handle, context));
        callback.finish();
        fitted
    }
    pub(crate) fn owning(handle: *mut sys::chord_factorization, context: &Context) -> Self {
        Factorization { handle, context: context.clone() }
    }
    /// Reads a file.
    pub fn load(context: &Context, path: impl AsRef<Path>) -> Result<Self> {
        let path = c_path(path.as_ref())?;
        let handle = made(|place| unsafe { sys::chord_factorization_load(context.get(), path.as_ptr(), place) })?;
        Ok(Self::owning(handle, context))
    }
    /// Writes a safetensors file.
    pub fn save(&self, path: impl AsRef<Path>) -> Result<()> {
        let path = c_path(path.as_ref())?;
        check(unsafe { sys::chord_factorization_save(self.get(), path.as_ptr()) })
    }
    /// X̂ v, in a new tensor.
    pub fn apply(&self, v: &Tensor) -> Result<Tensor> {
        self.applied(v, 0)
    }
    /// X̂ᵀ v, in a new tensor.
    pub fn apply_transposed(&self, v: &Tensor) -> Result<Tensor> {
        self.applied(v, 1)
    }
    fn applied(&self, v: &Tensor, transposed: i32) -> Result<Tensor> {
        let z = v.with_rows(if transposed == 0 { self.info()?.rows } else { self.info()?.columns } as usize)?;
        check(unsafe { sys::chord_factorization_apply(self.get(), v.get(), z.get(), transposed) })?;
        Ok(z)
    }
    /// out[r,:] = row indices[r] of X̂, without forming it.
    pub fn rows_to(&self, indices: &[i64], out: &mut Tensor) -> Result<()> {
        let (data, count) = (indices.as_ptr(), indices.len() as i64);
        // SAFETY: the indices are as many as the count says.
        check(unsafe { sys::chord_factorization_rows(self.get(), data, count, out.get()) })
    }
    /// X̂, row by row.
    pub fn to_dense(&self) -> Result<Vec<f64>> {
        let info = self.info()?;
        let shape = [info.rows as usize, info.columns as usize];
        let single = info.precision == 32;
        let kind = if single { sys::CHORD_FLOAT32 } else { sys::CHORD_FLOAT64 };
        let out = Tensor::of_type(&self.context, kind, &shape)?;
        check(unsafe { sys::chord_factorization_dense(self.get(), out.get()) })?;
        if single {
            return Ok(out.to_vec::<f32>()?.into_iter().map(f64::from).collect());
        }
        out.to_vec()
    }
    /// The stored factors as a chain.
    pub fn chain(&self) -> Result<Chain> {
        made(|place| unsafe { sys::chord_factorization_get_chain(self.get(), place) }).map(Chain::owning)
    }
    /// The stored factors, [M, N, L], in place.
    pub fn weights(&self) -> Result<Tensor> {
        Tensor::made(&self.context, |place| unsafe { sys::chord_factorization_get_weights(self.get(), place) })
    }
    /// The pattern of the factors.
    pub fn pattern(&self) -> Result<Pattern> {
        made(|place| unsafe { sys::chord_factorization_get_pattern(self.get(), place) }).map(Pattern::owning)
    }
    /// ‖X − X̂‖ / ‖X‖.
    pub fn relative_error(&self) -> Result<f64> {
        Ok(self.info()?.relative_error)
    }
    /// Why the run ended.
    pub fn stop(&self) -> Result<Stop> {
        Ok(match self.info()?.stop {
            sys::CHORD_STOP_GRADIENT => Stop::Gradient,
            sys::CHORD_STOP_IMPROVEMENT => Stop::Improvement,
            sys::CHORD_STOP_ITERATIONS => Stop::Iterations,
            sys::CHORD_STOP_SECONDS => Stop::Seconds,
            sys::CHORD_STOP_CANCELLED => Stop::Cancelled,
            other => Stop::Other(other),
        })
    }
    /// All that is known about it.
    pub fn info(&self) -> Result<sys::chord_factorization_info> {
        filled(|info| unsafe { sys::chord_factorization_get_info(self.get(), info) })
    }
}

impl fmt::Debug for Factorization {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Factorization").field("relative_error", &self.relative_error()).finish()
    }
}

/// # Safety
/// Called by chord_factorize, with what `fit` gave it.
unsafe extern "C" fn tell(now: *const sys::chord_factorize_progress, user: *mut c_void) -> i32 {
    let (now, callback) = (&*now, &mut *(user as *mut Callback<Progress>));
    callback.call(now.into())
}

impl std::str::FromStr for Constraint {
    type Err = Error;
    fn from_str(name: &str) -> Result<Self> {
        Ok(match name {
            "none" => Constraint::None,
            "nonnegative" => Constraint::Nonnegative,
            "stochastic" => Constraint::Stochastic,
            "symmetric" => Constraint::Symmetric,
            "semidefinite" => Constraint::Semidefinite,
            _ => return Err(Error::new(ErrorKind::InvalidArgument, format!("there is no constraint {name}"))),
        })
    }
}

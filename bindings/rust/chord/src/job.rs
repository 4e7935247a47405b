//! Factorisations that run beside.
use crate::chain::Pattern;
use crate::context::Context;
use crate::error::{check, Result};
use crate::factorize::{Factorization, FactorizeOptions, Progress};
use crate::handle::{filled, made, owned};
use crate::matrix::Matrix;
use crate::sys;
use std::fmt;
use std::ptr;
use std::time::Duration;

owned! {
    /// A factorisation in a thread of the library's, to be looked at and ended from any other. One that is dropped before
    /// its end is cancelled, without a wait.
    ///
    /// ```
    /// use chord::{Context, FactorizeOptions, Job, Matrix, Pattern};
    /// use std::time::Duration;
    ///
    /// # fn main() -> chord::Result<()> {
    /// let context = Context::open("host")?;
    /// let values: Vec<f64> = (0..256).map(|i| (i / 16 + i % 16) as f64).collect();
    /// let (pattern, matrix) = (Pattern::chord(&context, 16, 2, 0)?, Matrix::dense(16, &values)?);
    /// let options = FactorizeOptions { iterations: 300, ..Default::default() };
    /// let job = Job::start(&context, &pattern, &matrix, &options)?;
    /// while !job.wait_for(Duration::from_millis(100))? {
    ///     println!("iteration {}", job.progress()?.iteration);
    /// }
    /// assert!(job.factorization()?.relative_error()? < 0.05);
    /// # Ok(())
    /// # }
    /// ```
    Job, chord_job, chord_job_destroy, context: Context
}

impl Job {
    /// Begins what [`Factorization::fit`] does, and returns.
    pub fn start(context: &Context, pattern: &Pattern, matrix: &Matrix, options: &FactorizeOptions) -> Result<Self> {
        let handle = options.given(|given| {
            // SAFETY: what the options point to lives during the call; the job keeps what it needs.
            made(|place| unsafe { sys::chord_factorize_start(pattern.get(), matrix.get(), &given, place) })
        })?;
        Ok(Job { handle, context: context.clone() })
    }
    /// Whether it has come to its end, whichever.
    pub fn done(&self) -> Result<bool> {
        let mut done = 0;
        check(unsafe { sys::chord_job_poll(self.get(), &mut done, ptr::null_mut()) })?;
        Ok(done != 0)
    }
    /// Where it is; all zero before the first of it.
    pub fn progress(&self) -> Result<Progress> {
        let now: sys::chord_factorize_progress =
            filled(|now| unsafe { sys::chord_job_poll(self.get(), ptr::null_mut(), now) })?;
        Ok((&now).into())
    }
    /// Asks it to end soon with its best result so far.
    pub fn cancel(&self) -> Result<()> {
        check(unsafe { sys::chord_job_cancel(self.get()) })
    }
    /// Waits at most so long, and tells whether it is done.
    pub fn wait_for(&self, time: Duration) -> Result<bool> {
        let mut done = 0;
        check(unsafe { sys::chord_job_wait(self.get(), time.as_secs_f64(), &mut done) })?;
        Ok(done != 0)
    }
    /// Waits, and gives the result, or the error that ended it.
    pub fn factorization(&self) -> Result<Factorization> {
        let handle = made(|place| unsafe { sys::chord_job_get_factorization(self.get(), place) })?;
        Ok(Factorization::owning(handle, &self.context))
    }
}

impl fmt::Debug for Job {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Job").field("done", &self.done()).field("progress", &self.progress()).finish()
    }
}

//! Closures that the library calls. A panic in one stops the work and goes on where the call began.
use std::any::Any;
use std::ops::ControlFlow;
use std::panic::{catch_unwind, resume_unwind, AssertUnwindSafe};

/// A closure, and the panic it ended with.
pub(crate) struct Callback<'a, P> {
    closure: &'a mut dyn FnMut(P) -> ControlFlow<()>,
    panic: Option<Box<dyn Any + Send>>,
}

impl<'a, P> Callback<'a, P> {
    pub(crate) fn new(closure: &'a mut dyn FnMut(P) -> ControlFlow<()>) -> Self {
        Callback { closure, panic: None }
    }

    /// What C is told: 0 to go on, 1 to stop.
    pub(crate) fn call(&mut self, progress: P) -> i32 {
        match catch_unwind(AssertUnwindSafe(|| (self.closure)(progress))) {
            Ok(ControlFlow::Continue(())) => 0,
            Ok(ControlFlow::Break(())) => 1,
            Err(panic) => {
                self.panic = Some(panic);
                1
            }
        }
    }

    /// To be called when C has returned.
    pub(crate) fn finish(self) {
        if let Some(panic) = self.panic {
            resume_unwind(panic);
        }
    }
}

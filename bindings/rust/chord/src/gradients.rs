//! Gradients of a model: for losses of one's own, and for batches that several share.
use crate::error::{check, Result};
use crate::handle::{c_text, filled};
use crate::model::{Model, Step, TrainOptions};
use crate::sys;
use crate::tensor::Tensor;
use std::ptr;

impl Model {
    /// Leaves the gradients of the batch's mean loss; the parameters stay.
    pub fn compute_gradients(&mut self, inputs: &Tensor, labels: &Tensor, options: &TrainOptions) -> Result<Step> {
        let given = options.given();
        let step: sys::chord_step_result = filled(|place| unsafe {
            sys::chord_model_gradients(self.get(), inputs.get(), labels.get(), &given, place)
        })?;
        Ok(step.into())
    }
    /// Leaves the gradients of ⟨doutputs, model(inputs)⟩ with respect to the parameters, and puts those of inputs that are
    /// reals into `dinputs`.
    pub fn backward(
        &mut self,
        inputs: &Tensor,
        doutputs: &Tensor,
        dinputs: Option<&mut Tensor>,
        options: &TrainOptions,
    ) -> Result<()> {
        let given = options.given();
        let dinputs = dinputs.map_or(ptr::null_mut(), |tensor| tensor.get());
        check(unsafe { sys::chord_model_backward(self.get(), inputs.get(), doutputs.get(), dinputs, &given) })
    }
    /// One step of the optimiser with the gradients that are there, whoever computed them.
    pub fn apply_gradients(&mut self, options: &TrainOptions) -> Result<()> {
        check(unsafe { sys::chord_model_apply_gradients(self.get(), &options.given()) })
    }
    /// All gradients as one tensor, in the order of the parameters' names; in place, and may be written.
    pub fn gradients(&self) -> Result<Tensor> {
        Tensor::made(self.context(), |place| unsafe { sys::chord_model_get_gradients(self.get(), place) })
    }
    /// A look at a parameter's gradient.
    pub fn gradient(&self, name: &str) -> Result<Tensor> {
        let name = c_text(name)?;
        Tensor::made(self.context(), |place| unsafe { sys::chord_model_gradient(self.get(), name.as_ptr(), place) })
    }
    /// The optimiser's two moments, likewise; SGD has the first alone.
    pub fn moments(&self) -> Result<(Tensor, Tensor)> {
        let mut second = ptr::null_mut();
        let first = Tensor::made(self.context(), |place| unsafe {
            sys::chord_model_get_moments(self.get(), place, &mut second)
        })?;
        Ok((first, Tensor::owning(second, self.context())))
    }
    /// Makes this the number of steps there were.
    pub fn set_step(&mut self, step: i64) -> Result<()> {
        check(unsafe { sys::chord_model_set_step(self.get(), step) })
    }
}

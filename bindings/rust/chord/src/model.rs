//! Networks with chains as attention.
use crate::context::Context;
use crate::data::{Batch, Values};
use crate::error::{check, Result};
use crate::handle::{c_path, c_text, filled, made, owned, told};
use crate::sys;
use crate::tensor::Tensor;
use std::fmt;
use std::path::Path;
use std::ptr;

/// What makes a step of the gradients.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Optimizer {
    /// Adam, or AdamW where there is a weight decay.
    #[default]
    Adam,
    /// Stochastic gradient descent, with momentum.
    Sgd,
}

/// How to step; the default is PyTorch's Adam.
#[derive(Debug, Clone, Default)]
pub struct TrainOptions {
    /// 0: 0.001.
    pub learning_rate: f64,
    /// Adam's; 0: 0.9.
    pub beta1: f64,
    /// Adam's; 0: 0.999.
    pub beta2: f64,
    /// Adam's; 0: 1e-8.
    pub epsilon: f64,
    /// AdamW's; 0: none.
    pub weight_decay: f64,
    /// The most that the gradients' norm may be; 0: anything.
    pub clip_norm: f64,
    /// Sequences computed at a time; 0: the whole batch.
    pub micro_batch: i64,
    /// Adam or SGD.
    pub optimizer: Optimizer,
    /// SGD's.
    pub momentum: f64,
    /// For gradients: the place of the first of these sequences in the whole batch, by which dropout is drawn.
    pub first_sequence: i64,
    /// For gradients: how many sequences the whole batch has; 0: these alone.
    pub whole_batch: i64,
    /// For gradients: whether dropout is there, as the next training step has it.
    pub dropout: bool,
    /// For gradients: whether they are added to those that are there.
    pub accumulate: bool,
}

impl TrainOptions {
    pub(crate) fn given(&self) -> sys::chord_train_options {
        sys::chord_train_options {
            learning_rate: self.learning_rate,
            beta1: self.beta1,
            beta2: self.beta2,
            epsilon: self.epsilon,
            weight_decay: self.weight_decay,
            clip_norm: self.clip_norm,
            micro_batch: self.micro_batch,
            optimizer: match self.optimizer {
                Optimizer::Adam => sys::CHORD_OPTIMIZER_ADAM,
                Optimizer::Sgd => sys::CHORD_OPTIMIZER_SGD,
            },
            momentum: self.momentum,
            first_sequence: self.first_sequence,
            whole_batch: self.whole_batch,
            dropout: self.dropout as i32,
            accumulate: self.accumulate as i32,
            ..Default::default()
        }
    }
}

/// What came of a batch.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Step {
    /// The batch's mean.
    pub loss: f64,
    /// Sequences that were right.
    pub correct: i64,
    /// Sequences.
    pub count: i64,
}

impl From<sys::chord_step_result> for Step {
    fn from(result: sys::chord_step_result) -> Self {
        Step { loss: result.loss, correct: result.correct, count: result.count }
    }
}

owned! {
    /// A network, on the device, described by JSON.
    ///
    /// ```
    /// use chord::{BatchOptions, Context, Dataset, DatasetOptions, Model, TrainOptions};
    ///
    /// # fn main() -> chord::Result<()> {
    /// let context = Context::open("host")?;
    /// let mut model = Model::new(&context, r#"{"preset": "adding", "length": 16}"#, 1)?;
    /// let options = DatasetOptions { length: 16, count: 64, seed: 1, ..Default::default() };
    /// let data = Dataset::new("adding", "train", &options)?;
    /// for batch in data.batches(&BatchOptions { batch: 32, ..Default::default() })? {
    ///     let (inputs, labels) = model.tensors(&batch?)?;
    ///     println!("{}", model.train_step(&inputs, &labels, &TrainOptions::default())?.loss);
    /// }
    /// assert_eq!(model.info()?.step, 2);
    /// # Ok(())
    /// # }
    /// ```
    Model, chord_model, chord_model_destroy, context: Context
}

impl Model {
    /// A new model, its parameters drawn by the seed.
    pub fn new(context: &Context, json: &str, seed: u64) -> Result<Self> {
        let json = c_text(json)?;
        let handle = made(|place| unsafe { sys::chord_model_create(context.get(), json.as_ptr(), seed, place) })?;
        Ok(Model { handle, context: context.clone() })
    }
    /// The model of a file; `json` describes it where the file does not.
    pub fn load(context: &Context, path: impl AsRef<Path>, json: Option<&str>) -> Result<Self> {
        let (path, json) = (c_path(path.as_ref())?, json.map(c_text).transpose()?);
        let json = json.as_ref().map_or(ptr::null(), |json| json.as_ptr());
        let handle = made(|place| unsafe { sys::chord_model_load(context.get(), path.as_ptr(), json, place) })?;
        Ok(Model { handle, context: context.clone() })
    }
    /// Writes a safetensors file, with what training needs to go on if `optimizer`.
    pub fn save(&self, path: impl AsRef<Path>, optimizer: bool, note: &str) -> Result<()> {
        let (path, note) = (c_path(path.as_ref())?, c_text(note)?);
        check(unsafe { sys::chord_model_save(self.get(), path.as_ptr(), optimizer as i32, note.as_ptr()) })
    }
    /// The note its file had.
    pub fn note(&self) -> Result<String> {
        told(|place| unsafe { sys::chord_model_note(self.get(), place) })
    }
    /// The description with all its keys, as JSON.
    pub fn description(&self) -> Result<String> {
        told(|place| unsafe { sys::chord_model_description(self.get(), place) })
    }
    /// Sizes, types, steps so far.
    pub fn info(&self) -> Result<sys::chord_model_info> {
        filled(|info| unsafe { sys::chord_model_get_info(self.get(), info) })
    }
    pub(crate) fn context(&self) -> &Context {
        &self.context
    }
    /// A batch's inputs and labels as tensors of this model's context.
    pub fn tensors(&self, batch: &Batch) -> Result<(Tensor, Tensor)> {
        let tensor = |shape: &[usize], values: &Values| match values {
            Values::Int32(values) => Tensor::from_slice(&self.context, shape, values),
            Values::Float32(values) => Tensor::from_slice(&self.context, shape, values),
        };
        Ok((tensor(&batch.shape, &batch.inputs)?, tensor(&batch.shape[..1], &batch.labels)?))
    }
    /// The outputs, [B, classes].
    pub fn forward(&self, inputs: &Tensor) -> Result<Tensor> {
        let (info, batch) = (self.info()?, inputs.shape()?.first().copied().unwrap_or(0));
        let outputs = Tensor::of_type(&self.context, info.output_type, &[batch, info.classes as usize])?;
        check(unsafe { sys::chord_model_forward(self.get(), inputs.get(), outputs.get()) })?;
        Ok(outputs)
    }
    /// Loss and correct answers, without learning.
    pub fn evaluate(&self, inputs: &Tensor, labels: &Tensor) -> Result<Step> {
        let step: sys::chord_step_result =
            filled(|place| unsafe { sys::chord_model_evaluate(self.get(), inputs.get(), labels.get(), place) })?;
        Ok(step.into())
    }
    /// One step of the optimiser.
    pub fn train_step(&mut self, inputs: &Tensor, labels: &Tensor, options: &TrainOptions) -> Result<Step> {
        let given = options.given();
        let step: sys::chord_step_result = filled(|place| unsafe {
            sys::chord_model_train_step(self.get(), inputs.get(), labels.get(), &given, place)
        })?;
        Ok(step.into())
    }
    /// The same without waiting for it: [`Model::take_losses`] tells later what came of it.
    pub fn queue_step(&mut self, inputs: &Tensor, labels: &Tensor, options: &TrainOptions) -> Result<()> {
        let given = options.given();
        check(unsafe { sys::chord_model_train_step(self.get(), inputs.get(), labels.get(), &given, ptr::null_mut()) })
    }
    /// The losses of queued steps that nobody has taken yet, the oldest first; those of the last 256 are kept.
    pub fn take_losses(&mut self) -> Result<Vec<f64>> {
        let mut losses = vec![0.0; sys::CHORD_KEPT_LOSSES as usize];
        let (capacity, mut count) = (losses.len() as i64, 0);
        // SAFETY: there is place for as many as the capacity says.
        check(unsafe {
            let (correct, lost) = (ptr::null_mut(), ptr::null_mut());
            sys::chord_model_take_losses(self.get(), capacity, losses.as_mut_ptr(), correct, &mut count, lost)
        })?;
        losses.truncate(count as usize);
        Ok(losses)
    }
    /// Which positions these rows attend to, [B, count, N].
    pub fn attention(&self, inputs: &Tensor, block: i64, indices: &[i64]) -> Result<Tensor> {
        let (info, batch) = (self.info()?, inputs.shape()?.first().copied().unwrap_or(0));
        let out = Tensor::of_type(&self.context, info.output_type, &[batch, indices.len(), info.length as usize])?;
        let count = indices.len() as i64;
        // SAFETY: the indices are as many as the count says.
        check(unsafe {
            sys::chord_model_attention(self.get(), inputs.get(), block, indices.as_ptr(), count, out.get())
        })?;
        Ok(out)
    }
    /// The names of the parameters, which are those of the paper's PyTorch code.
    pub fn parameter_names(&self) -> Result<Vec<String>> {
        let mut count = 0;
        check(unsafe { sys::chord_model_parameter_count(self.get(), &mut count) })?;
        (0..count).map(|i| told(|place| unsafe { sys::chord_model_parameter_name(self.get(), i, place) })).collect()
    }
    /// All parameters as one tensor, in the order of their names; in place.
    pub fn parameters(&self) -> Result<Tensor> {
        Tensor::made(&self.context, |place| unsafe { sys::chord_model_get_parameters(self.get(), place) })
    }
    /// A look at a parameter.
    pub fn parameter(&self, name: &str) -> Result<Tensor> {
        let name = c_text(name)?;
        Tensor::made(&self.context, |place| unsafe { sys::chord_model_parameter(self.get(), name.as_ptr(), place) })
    }
}

impl fmt::Debug for Model {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Model").field("parameters", &self.info().map(|info| info.parameters)).finish()
    }
}

/// Sequences shorter than the model: `lengths`, i32 [B], has how many positions of each count. The inputs may hold
/// anything behind them.
///
/// ```
/// # use chord::{Context, Model, Tensor, TrainOptions};
/// # fn main() -> chord::Result<()> {
/// let context = Context::open("host")?;
/// let mut model = Model::new(&context, r#"{"preset": "adding", "length": 4}"#, 1)?;
/// let lengths = Tensor::from_slice(&context, &[1], &[3i32])?;
/// let inputs = |padding: f32| {
///     Tensor::from_slice(&context, &[1, 4, 2], &[0.1, 1.0, 0.2, 0.0, 0.3, 1.0, padding, padding])
/// };
/// let outputs = model.forward_short(&inputs(0.0)?, &lengths)?.to_vec::<f32>()?;
/// assert_eq!(model.forward_short(&inputs(f32::NAN)?, &lengths)?.to_vec::<f32>()?, outputs);
/// let labels = Tensor::from_slice(&context, &[1], &[0.6f32])?;
/// let before = model.evaluate_short(&inputs(f32::NAN)?, &labels, &lengths)?.loss;
/// let step = model.train_step_short(&inputs(f32::NAN)?, &labels, &lengths, &TrainOptions::default())?;
/// assert_eq!(step.loss, before);
/// # Ok(())
/// # }
/// ```
impl Model {
    /// The outputs, [B, classes].
    pub fn forward_short(&self, inputs: &Tensor, lengths: &Tensor) -> Result<Tensor> {
        let (info, batch) = (self.info()?, inputs.shape()?.first().copied().unwrap_or(0));
        let outputs = Tensor::of_type(&self.context, info.output_type, &[batch, info.classes as usize])?;
        let given = TrainOptions::default().given_with(lengths);
        check(unsafe { sys::chord_model_forward_with(self.get(), inputs.get(), &given, outputs.get()) })?;
        Ok(outputs)
    }
    /// Loss and correct answers, without learning.
    pub fn evaluate_short(&self, inputs: &Tensor, labels: &Tensor, lengths: &Tensor) -> Result<Step> {
        let given = TrainOptions::default().given_with(lengths);
        let step: sys::chord_step_result = filled(|place| unsafe {
            sys::chord_model_evaluate_with(self.get(), inputs.get(), labels.get(), &given, place)
        })?;
        Ok(step.into())
    }
    /// One step of the optimiser.
    pub fn train_step_short(
        &mut self,
        inputs: &Tensor,
        labels: &Tensor,
        lengths: &Tensor,
        options: &TrainOptions,
    ) -> Result<Step> {
        let given = options.given_with(lengths);
        let step: sys::chord_step_result = filled(|place| unsafe {
            sys::chord_model_train_step(self.get(), inputs.get(), labels.get(), &given, place)
        })?;
        Ok(step.into())
    }
}

impl TrainOptions {
    /// They point at the lengths, which must live as long.
    fn given_with(&self, lengths: &Tensor) -> sys::chord_train_options {
        sys::chord_train_options { lengths: lengths.get(), ..self.given() }
    }
}

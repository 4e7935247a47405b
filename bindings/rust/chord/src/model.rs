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

/// How Adam steps; the default is PyTorch's.
#[derive(Debug, Clone, Default)]
pub struct TrainOptions {
    /// 0: 0.001.
    pub learning_rate: f64,
    /// AdamW's; 0: none.
    pub weight_decay: f64,
    /// The most that the gradients' norm may be; 0: anything.
    pub clip_norm: f64,
    /// Sequences computed at a time; 0: the whole batch.
    pub micro_batch: i64,
}

impl TrainOptions {
    fn given(&self) -> sys::chord_train_options {
        sys::chord_train_options {
            learning_rate: self.learning_rate,
            weight_decay: self.weight_decay,
            clip_norm: self.clip_norm,
            micro_batch: self.micro_batch,
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
    /// One step of Adam.
    pub fn train_step(&mut self, inputs: &Tensor, labels: &Tensor, options: &TrainOptions) -> Result<Step> {
        let given = options.given();
        let step: sys::chord_step_result = filled(|place| unsafe {
            sys::chord_model_train_step(self.get(), inputs.get(), labels.get(), &given, place)
        })?;
        Ok(step.into())
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

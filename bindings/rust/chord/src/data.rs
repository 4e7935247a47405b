//! The tasks' sequences.
use crate::callback::Callback;
use crate::error::{check, Result};
use crate::handle::{c_path, c_text, filled, made, owned, told};
use crate::sys;
use core::ffi::c_void;
use std::fmt;
use std::ops::ControlFlow;
use std::path::PathBuf;
use std::ptr;

/// Numbers of a batch: tokens and classes, or reals.
#[derive(Debug, Clone, PartialEq)]
pub enum Values {
    /// Tokens, or classes.
    Int32(Vec<i32>),
    /// Reals.
    Float32(Vec<f32>),
}

impl Values {
    /// # Safety
    /// `data` has `count` numbers of the type.
    unsafe fn copied(kind: i32, data: *const c_void, count: usize) -> Self {
        if kind == sys::CHORD_INT32 {
            return Values::Int32(std::slice::from_raw_parts(data as *const i32, count).to_vec());
        }
        Values::Float32(std::slice::from_raw_parts(data as *const f32, count).to_vec())
    }
    fn zeros(kind: i32, count: usize) -> Self {
        if kind == sys::CHORD_INT32 {
            return Values::Int32(vec![0; count]);
        }
        Values::Float32(vec![0.0; count])
    }
    /// Where they are, and how many bytes; both kinds have four a number.
    fn place(&mut self) -> (*mut c_void, usize) {
        match self {
            Values::Int32(values) => (values.as_mut_ptr() as *mut c_void, 4 * values.len()),
            Values::Float32(values) => (values.as_mut_ptr() as *mut c_void, 4 * values.len()),
        }
    }
}

/// Which sequences; all zero or `None` is the paper's setting.
#[derive(Debug, Clone, Default)]
pub struct DatasetOptions {
    /// The folder with the files, for tasks that are not generated.
    pub data: Option<PathBuf>,
    /// Positions of a sequence.
    pub length: i64,
    /// Sequences.
    pub count: i64,
    /// What a generated task is drawn by.
    pub seed: u64,
    /// Which `count` of the files' sequences: 0 for the first, else drawn by this seed.
    pub sample: u64,
    /// As [`Dataset::encoding`] gave it and a model keeps it; `None`: the files' own.
    pub encoding: Option<String>,
}

owned! {
    /// Labelled sequences of a task.
    Dataset, chord_dataset, chord_dataset_destroy
}

impl Dataset {
    /// A task's sequences: of `train`, `validation` or `test`.
    pub fn new(task: &str, split: &str, options: &DatasetOptions) -> Result<Self> {
        Self::with_progress(task, split, options, |_, _| ControlFlow::Continue(()))
    }
    /// The same; the closure is told (done, total) while files are decoded, and may stop that: `ErrorKind::Stopped`.
    pub fn with_progress(
        task: &str,
        split: &str,
        options: &DatasetOptions,
        mut progress: impl FnMut(i64, i64) -> ControlFlow<()>,
    ) -> Result<Self> {
        let (task, split) = (c_text(task)?, c_text(split)?);
        let data = options.data.as_deref().map(c_path).transpose()?;
        let encoding = options.encoding.as_deref().map(c_text).transpose()?;
        let mut told = |(done, total)| progress(done, total);
        let mut callback: Callback<(i64, i64)> = Callback::new(&mut told);
        let given = sys::chord_dataset_options {
            task: task.as_ptr(),
            split: split.as_ptr(),
            data: data.as_ref().map_or(ptr::null(), |path| path.as_ptr()),
            length: options.length,
            count: options.count,
            seed: options.seed,
            sample: options.sample,
            encoding: encoding.as_ref().map_or(ptr::null(), |json| json.as_ptr()),
            progress: Some(tell),
            user: &mut callback as *mut Callback<(i64, i64)> as *mut c_void,
            ..Default::default()
        };
        // SAFETY: what the options point to lives during the call, which alone uses it.
        let handle = made(|place| unsafe { sys::chord_dataset_create(&given, place) });
        let dataset = handle.map(|handle| Dataset { handle });
        callback.finish();
        dataset
    }
    /// What a model that learns from these must keep to encode raw inputs as they were: JSON.
    pub fn encoding(&self) -> Result<String> {
        told(|place| unsafe { sys::chord_dataset_encoding(self.get(), place) })
    }
    /// Sequences in the dataset's own order.
    pub fn read(&self, first: i64, count: usize) -> Result<Batch> {
        let info = self.info()?;
        let shape = shape(&info, count);
        let mut inputs = Values::zeros(info.input_type, shape.iter().product());
        let mut labels = Values::zeros(info.label_type, count);
        let ((inputs_place, input_bytes), (labels_place, label_bytes)) = (inputs.place(), labels.place());
        // SAFETY: both places have as many bytes as the call is told.
        check(unsafe {
            let count = count as i64;
            sys::chord_dataset_read(self.get(), first, count, inputs_place, input_bytes, labels_place, label_bytes)
        })?;
        Ok(Batch { shape, inputs, labels })
    }
    /// Sizes and types.
    pub fn info(&self) -> Result<sys::chord_dataset_info> {
        filled(|info| unsafe { sys::chord_dataset_get_info(self.get(), info) })
    }
    /// One pass, batch by batch, prepared ahead by a thread of its own.
    pub fn batches(&self, options: &BatchOptions) -> Result<Batches> {
        let given = sys::chord_batches_options {
            batch: options.batch,
            first: options.first,
            seed: options.seed,
            epoch: options.epoch,
            shuffle: options.shuffle as i32,
            drop_last: options.drop_last as i32,
            ..Default::default()
        };
        let handle = made(|place| unsafe { sys::chord_batches_create(self.get(), &given, place) })?;
        Ok(Batches { handle, info: self.info()? })
    }
}

impl fmt::Debug for Dataset {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Dataset").field("count", &self.info().map(|info| info.count)).finish()
    }
}

/// How to go through the data.
#[derive(Debug, Clone, Default)]
pub struct BatchOptions {
    /// Sequences in a batch, at least 1.
    pub batch: i64,
    /// The batch to begin with.
    pub first: i64,
    /// With the epoch it decides about the order, if shuffled.
    pub seed: u64,
    /// The pass.
    pub epoch: i64,
    /// Whether each (seed, epoch) has an order of its own.
    pub shuffle: bool,
    /// Whether a last batch that is not full is left out.
    pub drop_last: bool,
}

/// Some sequences with their labels.
#[derive(Debug, Clone, PartialEq)]
pub struct Batch {
    /// [count, length] or [count, length, features].
    pub shape: Vec<usize>,
    /// Row by row.
    pub inputs: Values,
    /// One for each sequence.
    pub labels: Values,
}

owned! {
    /// An iterator over the batches of a pass. One thread uses it at a time.
    only Send Batches, chord_batches, chord_batches_destroy, info: sys::chord_dataset_info
}

impl Batches {
    /// How many batches the whole pass has.
    pub fn count_all(&self) -> Result<i64> {
        let mut count = 0;
        check(unsafe { sys::chord_batches_count(self.get(), &mut count) })?;
        Ok(count)
    }
    fn take(&mut self) -> Result<Option<Batch>> {
        let (mut inputs, mut labels, mut count) = (ptr::null(), ptr::null(), 0);
        check(unsafe { sys::chord_batches_next(self.get(), &mut inputs, &mut labels, &mut count) })?;
        if count == 0 {
            return Ok(None);
        }
        let shape = shape(&self.info, count as usize);
        // SAFETY: the arrays have the shape's numbers of the info's types, and stay until the next call.
        let (inputs, labels) = unsafe {
            (
                Values::copied(self.info.input_type, inputs, shape.iter().product()),
                Values::copied(self.info.label_type, labels, count as usize),
            )
        };
        Ok(Some(Batch { shape, inputs, labels }))
    }
}

impl Iterator for Batches {
    type Item = Result<Batch>;
    fn next(&mut self) -> Option<Self::Item> {
        self.take().transpose()
    }
}

impl fmt::Debug for Batches {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Batches").field("count", &self.count_all()).finish()
    }
}

/// Of the inputs of so many sequences.
fn shape(info: &sys::chord_dataset_info, count: usize) -> Vec<usize> {
    let mut shape = vec![count, info.length as usize];
    if info.features > 0 {
        shape.push(info.features as usize);
    }
    shape
}

/// # Safety
/// Called by chord_dataset_create, with what `with_progress` gave it.
unsafe extern "C" fn tell(done: i64, total: i64, user: *mut c_void) -> i32 {
    (*(user as *mut Callback<(i64, i64)>)).call((done, total))
}

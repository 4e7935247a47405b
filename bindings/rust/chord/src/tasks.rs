//! The tasks there are.
use crate::error::{check, Result};
use crate::handle::{filled, text};
use crate::sys;

/// A task of the paper: what there is to learn.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Task {
    /// Of the task, and of the preset of its model.
    pub name: String,
    /// For people.
    pub title: String,
    /// What the folder of its files holds; empty for a generated task.
    pub data: String,
    /// Whether its sequences are made from a seed.
    pub generated: bool,
    /// Whether [`crate::Encoder`] makes sequences of its raw inputs.
    pub has_encoder: bool,
    /// Positions of a sequence; for a generated task only a default.
    pub length: i64,
    /// What there is to tell apart; 1 for a label that is a real.
    pub classes: i64,
}

impl From<sys::chord_task_info> for Task {
    fn from(info: sys::chord_task_info) -> Self {
        // SAFETY: the texts are constants of the library.
        let (name, title, data) = unsafe { (text(info.name), text(info.title), text(info.data)) };
        Task {
            name,
            title,
            data,
            generated: info.generated != 0,
            has_encoder: info.has_encoder != 0,
            length: info.length,
            classes: info.classes,
        }
    }
}

/// All tasks.
pub fn tasks() -> Result<Vec<Task>> {
    let mut count = 0;
    // SAFETY: the pointers are to values that live here.
    check(unsafe { sys::chord_task_count(&mut count) })?;
    (0..count).map(|index| Ok(filled(|info| unsafe { sys::chord_task_get_info(index, info) })?.into())).collect()
}

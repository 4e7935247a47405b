//! Raw inputs of a task, made tokens.
use crate::error::{check, Result};
use crate::handle::{c_text, filled, made, owned, told};
use crate::sys;
use std::fmt;
use std::ptr;

owned! {
    /// Makes tokens of a task's raw inputs, as its dataset does: of a ListOps expression, of a review's bytes, of a PNG.
    ///
    /// ```
    /// # fn main() -> chord::Result<()> {
    /// let encoder = chord::Encoder::new("listops", None, 16)?;
    /// let (tokens, used) = encoder.encode(b"[MAX 3 7 ]")?;
    /// assert_eq!(tokens.len(), 16);
    /// assert!(used < 16 && tokens[..used].iter().any(|token| encoder.symbol(*token).unwrap() == "[MAX"));
    /// # Ok(())
    /// # }
    /// ```
    Encoder, chord_encoder, chord_encoder_destroy
}

impl Encoder {
    /// `encoding`: as a model keeps it, JSON. `length`: positions of a sequence; 0: the task's.
    pub fn new(task: &str, encoding: Option<&str>, length: i64) -> Result<Self> {
        let (task, encoding) = (c_text(task)?, encoding.map(c_text).transpose()?);
        let encoding = encoding.as_ref().map_or(ptr::null(), |json| json.as_ptr());
        // SAFETY: the texts live during the call.
        let handle = made(|place| unsafe { sys::chord_encoder_create(task.as_ptr(), encoding, length, place) })?;
        Ok(Encoder { handle })
    }
    /// Positions it makes, and tokens there are.
    pub fn info(&self) -> Result<sys::chord_encoder_info> {
        filled(|info| unsafe { sys::chord_encoder_get_info(self.get(), info) })
    }
    /// The tokens of a raw input, and how many positions come before the padding.
    pub fn encode(&self, raw: &[u8]) -> Result<(Vec<i32>, usize)> {
        let mut tokens = vec![0; self.info()?.length as usize];
        let (capacity, mut used) = (tokens.len() as i64, 0);
        // SAFETY: both arrays are as long as the call is told.
        check(unsafe {
            let raw_bytes = raw.as_ptr() as *const core::ffi::c_void;
            sys::chord_encoder_encode(self.get(), raw_bytes, raw.len(), tokens.as_mut_ptr(), capacity, &mut used)
        })?;
        Ok((tokens, used as usize))
    }
    /// A token for people.
    pub fn symbol(&self, token: i32) -> Result<String> {
        told(|place| unsafe { sys::chord_encoder_symbol(self.get(), token, place) })
    }
}

impl fmt::Debug for Encoder {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Encoder").field("length", &self.info().map(|info| info.length)).finish()
    }
}

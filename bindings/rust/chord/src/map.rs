//! A tensor's memory as a slice.
use crate::error::{check, Error, ErrorKind, Result};
use crate::sys;
use crate::tensor::{Element, Tensor};
use std::marker::PhantomData;
use std::ops::{Deref, DerefMut};

/// A tensor's elements, in place, until this is dropped.
pub struct Mapped<'a, T> {
    tensor: &'a mut Tensor,
    data: *mut T,
    count: usize,
    elements: PhantomData<&'a mut [T]>,
}

impl Tensor {
    /// The elements in place, to read and to write, when the work queued so far is done; for contiguous tensors of
    /// devices whose memory the host can touch.
    ///
    /// # Safety
    /// Until the slice is dropped nobody works with the same memory through another object: a view of this tensor, a
    /// chain that looks at it, a model whose parameter it is.
    ///
    /// ```
    /// # fn main() -> chord::Result<()> {
    /// let context = chord::Context::open("host")?;
    /// let mut tensor = chord::Tensor::zeros::<f32>(&context, &[4])?;
    /// // SAFETY: nobody else looks at the tensor.
    /// let mut elements = unsafe { tensor.map::<f32>()? };
    /// elements[2] = 5.0;
    /// drop(elements);
    /// assert_eq!(tensor.to_vec::<f32>()?, [0.0, 0.0, 5.0, 0.0]);
    /// # Ok(())
    /// # }
    /// ```
    pub unsafe fn map<T: Element>(&mut self) -> Result<Mapped<'_, T>> {
        self.require_type::<T>()?;
        if !self.is_contiguous()? {
            return Err(Error::new(ErrorKind::Unsupported, "a tensor with gaps between its rows is no slice"));
        }
        let count = self.len()?;
        let mut data = std::ptr::null_mut();
        check(sys::chord_tensor_map(self.get(), &mut data))?;
        Ok(Mapped { tensor: self, data: data as *mut T, count, elements: PhantomData })
    }
    fn is_contiguous(&self) -> Result<bool> {
        let info = self.info()?;
        let mut expected = 1;
        Ok((0..info.rank as usize).rev().all(|axis| {
            let fits = info.shape[axis] == 1 || info.strides[axis] == expected;
            expected *= info.shape[axis];
            fits
        }))
    }
}

impl<T> Deref for Mapped<'_, T> {
    type Target = [T];
    fn deref(&self) -> &[T] {
        if self.count == 0 {
            return &[];
        }
        // SAFETY: the memory is ours until it is unmapped, and has so many elements.
        unsafe { std::slice::from_raw_parts(self.data, self.count) }
    }
}

impl<T> DerefMut for Mapped<'_, T> {
    fn deref_mut(&mut self) -> &mut [T] {
        if self.count == 0 {
            return &mut [];
        }
        // SAFETY: as above, and nobody else has it.
        unsafe { std::slice::from_raw_parts_mut(self.data, self.count) }
    }
}

impl<T> Drop for Mapped<'_, T> {
    fn drop(&mut self) {
        // SAFETY: ends what `map` began. There is nobody to tell of a failure.
        unsafe { sys::chord_tensor_unmap(self.tensor.get()) };
    }
}

//! Arrays in a context's memory.
use crate::context::Context;
use crate::error::{check, Error, ErrorKind, Result};
use crate::handle::{c_path, filled, made, owned};
use crate::sys;
use core::ffi::c_void;
use std::fmt;
use std::path::Path;
use std::ptr;

mod sealed {
    pub trait Sealed {}
}

/// What tensors hold: f32, f64, i32, i64.
pub trait Element: sealed::Sealed + Copy + Default + Send + 'static {
    /// The type's number in chord.h.
    const TYPE: i32;
}

macro_rules! element {
    ($($type:ty = $number:ident,)+) => {
        $(impl sealed::Sealed for $type {}
        impl Element for $type {
            const TYPE: i32 = sys::$number;
        })+
    };
}
element!(f32 = CHORD_FLOAT32, f64 = CHORD_FLOAT64, i32 = CHORD_INT32, i64 = CHORD_INT64,);

owned! {
    /// An array in a context's memory.
    Tensor, chord_tensor, chord_tensor_destroy, context: Context
}

impl Tensor {
    /// The tensor that a call makes in a context.
    pub(crate) fn made(
        context: &Context,
        call: impl FnOnce(*mut *mut sys::chord_tensor) -> sys::chord_status,
    ) -> Result<Self> {
        Ok(Self::owning(made(call)?, context))
    }

    pub(crate) fn owning(handle: *mut sys::chord_tensor, context: &Context) -> Self {
        Tensor { handle, context: context.clone() }
    }

    /// A new tensor of zeros.
    pub fn zeros<T: Element>(context: &Context, shape: &[usize]) -> Result<Self> {
        let mut tensor = Self::of_type(context, T::TYPE, shape)?;
        tensor.fill(0.0)?;
        Ok(tensor)
    }

    /// A new tensor whose values are yet to be written.
    pub(crate) fn of_type(context: &Context, kind: i32, shape: &[usize]) -> Result<Self> {
        let extents = extents(shape);
        // SAFETY: the shape has as many extents as the rank says.
        Self::made(context, |place| unsafe {
            sys::chord_tensor_create(context.get(), kind, rank(shape), extents.as_ptr(), place)
        })
    }

    /// A new tensor of the same type, shape and context.
    pub(crate) fn like(&self) -> Result<Self> {
        Self::of_type(&self.context, self.info()?.type_, &self.shape()?)
    }

    /// A new batch of the same type and context with other rows; as it is where it has none.
    pub(crate) fn with_rows(&self, rows: usize) -> Result<Self> {
        let mut shape = self.shape()?;
        if let Some(place) = shape.len().checked_sub(2) {
            shape[place] = rows;
        }
        Self::of_type(&self.context, self.info()?.type_, &shape)
    }

    /// The context it is in.
    pub fn context(&self) -> &Context {
        &self.context
    }

    /// A new tensor with a copy of the values, row by row.
    pub fn from_slice<T: Element>(context: &Context, shape: &[usize], values: &[T]) -> Result<Self> {
        require(shape, values.len())?;
        let (extents, data) = (extents(shape), values.as_ptr() as *const c_void);
        // SAFETY: the values are as many as the shape has.
        Self::made(context, |place| unsafe {
            sys::chord_tensor_create_from_host(context.get(), T::TYPE, rank(shape), extents.as_ptr(), data, place)
        })
    }

    /// A tensor that is the vector's memory, without a copy, where the device works in the host's memory.
    pub fn from_vec<T: Element>(context: &Context, shape: &[usize], values: Vec<T>) -> Result<Self> {
        require(shape, values.len())?;
        if values.is_empty() || !context.device()?.host_readable {
            return Self::from_slice(context, shape, &values);
        }
        let extents = extents(shape);
        let mut kept = Box::new(values);
        let data = kept.as_mut_ptr() as *mut c_void;
        let user = Box::into_raw(kept);
        // SAFETY: the vector lives, and nobody else has it, until `free` is called.
        let wrapped = Self::made(context, |place| unsafe {
            sys::chord_tensor_wrap(
                context.get(),
                T::TYPE,
                rank(shape),
                extents.as_ptr(),
                ptr::null(),
                data,
                Some(free::<T>),
                user as *mut c_void,
                place,
            )
        });
        if wrapped.is_err() {
            // SAFETY: on failure `free` is not called.
            unsafe { free::<T>(user as *mut c_void) };
        }
        wrapped
    }

    /// The values, row by row, when the work before is done.
    pub fn to_vec<T: Element>(&self) -> Result<Vec<T>> {
        let mut values = vec![T::default(); self.len()?];
        self.copy_to(&mut values)?;
        Ok(values)
    }

    /// Copies the values to a slice of their number, when the work before is done.
    pub fn copy_to<T: Element>(&self, values: &mut [T]) -> Result<()> {
        self.require_type::<T>()?;
        let bytes = std::mem::size_of_val(values);
        // SAFETY: the library refuses a size that is not the tensor's.
        check(unsafe { sys::chord_tensor_to_host(self.get(), values.as_mut_ptr() as *mut c_void, bytes) })
    }

    /// Takes over the values of a slice.
    pub fn copy_from<T: Element>(&mut self, values: &[T]) -> Result<()> {
        self.require_type::<T>()?;
        let bytes = std::mem::size_of_val(values);
        // SAFETY: the library refuses a size that is not the tensor's.
        check(unsafe { sys::chord_tensor_from_host(self.get(), values.as_ptr() as *const c_void, bytes) })
    }

    /// Makes every element this value.
    pub fn fill(&mut self, value: f64) -> Result<()> {
        check(unsafe { sys::chord_tensor_fill(self.get(), value) })
    }

    /// Takes over the values of a tensor of the same type and shape.
    pub fn assign(&mut self, other: &Tensor) -> Result<()> {
        check(unsafe { sys::chord_tensor_copy(other.get(), self.get()) })
    }

    /// Another look at the memory; `strides` and `offset` count elements, `None` is contiguous.
    pub fn view(&self, shape: &[usize], strides: Option<&[i64]>, offset: i64) -> Result<Tensor> {
        if strides.map_or(false, |strides| strides.len() != shape.len()) {
            return Err(Error::new(ErrorKind::InvalidShape, "there must be as many strides as extents"));
        }
        let (extents, strides) = (extents(shape), strides.map_or(ptr::null(), <[i64]>::as_ptr));
        // SAFETY: both arrays have as many elements as the rank says.
        Self::made(&self.context, |place| unsafe {
            sys::chord_tensor_view(self.get(), rank(shape), extents.as_ptr(), strides, offset, place)
        })
    }

    /// The shape.
    pub fn shape(&self) -> Result<Vec<usize>> {
        let info = self.info()?;
        Ok(info.shape[..info.rank as usize].iter().map(|extent| *extent as usize).collect())
    }

    /// How many elements there are.
    pub fn len(&self) -> Result<usize> {
        Ok(self.shape()?.iter().product())
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> Result<bool> {
        Ok(self.len()? == 0)
    }

    /// Reads a file of NumPy's.
    pub fn read_npy(context: &Context, path: impl AsRef<Path>) -> Result<Self> {
        let path = c_path(path.as_ref())?;
        Self::made(context, |place| unsafe { sys::chord_tensor_read_npy(context.get(), path.as_ptr(), place) })
    }

    /// Writes a file of NumPy's.
    pub fn write_npy(&self, path: impl AsRef<Path>) -> Result<()> {
        let path = c_path(path.as_ref())?;
        check(unsafe { sys::chord_tensor_write_npy(self.get(), path.as_ptr()) })
    }

    pub(crate) fn info(&self) -> Result<sys::chord_tensor_info> {
        filled(|info| unsafe { sys::chord_tensor_get_info(self.get(), info) })
    }

    pub(crate) fn require_type<T: Element>(&self) -> Result<()> {
        if self.info()?.type_ == T::TYPE {
            return Ok(());
        }
        let wanted = std::any::type_name::<T>();
        Err(Error::new(ErrorKind::InvalidType, format!("the tensor does not hold {wanted}")))
    }
}

impl fmt::Debug for Tensor {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Tensor").field("shape", &self.shape()).finish()
    }
}

/// # Safety
/// `user` comes from `from_vec`, and this is its end.
unsafe extern "C" fn free<T>(user: *mut c_void) {
    drop(Box::from_raw(user as *mut Vec<T>));
}

fn extents(shape: &[usize]) -> Vec<i64> {
    shape.iter().map(|extent| *extent as i64).collect()
}

fn rank(shape: &[usize]) -> i32 {
    shape.len() as i32
}

fn require(shape: &[usize], count: usize) -> Result<()> {
    let wanted = shape.iter().try_fold(1usize, |product, extent| product.checked_mul(*extent));
    if wanted == Some(count) {
        return Ok(());
    }
    Err(Error::new(ErrorKind::InvalidShape, format!("{count} values do not fit the shape {shape:?}")))
}

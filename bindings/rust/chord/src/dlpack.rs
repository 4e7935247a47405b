//! Arrays exchanged with others without a copy, as DLPack (version 1) has them.
use crate::context::Context;
use crate::error::Result;
use crate::handle::made;
use crate::sys;
use crate::tensor::Tensor;
use core::ffi::c_void;
use std::fmt;
use std::mem::ManuallyDrop;

/// DLPack's DLManagedTensorVersioned.
#[repr(C)]
struct Managed {
    version: [u32; 2],
    manager: *mut c_void,
    deleter: Option<unsafe extern "C" fn(*mut Managed)>,
    flags: u64,
    data: *mut c_void,
    device: [i32; 2],
    rank: i32,
    element: [u8; 4],
    shape: *const i64,
    strides: *const i64,
    byte_offset: u64,
}

const READ_ONLY: u64 = 1;

/// Memory of somebody's, with its shape and the duty to give it back, which happens when this is dropped.
///
/// ```
/// use chord::{Context, ManagedTensor, Tensor};
///
/// # fn main() -> chord::Result<()> {
/// let context = Context::open("host")?;
/// let exported = Tensor::from_vec(&context, &[2, 3], vec![1.0f32; 6])?.to_dlpack()?;
/// assert_eq!(exported.shape(), [2, 3]);
/// let pointer = exported.into_raw(); // for another library, whose it is from here on
/// // SAFETY: the pointer is one of DLPack's, and nobody else has it.
/// let imported = unsafe { ManagedTensor::from_raw(pointer) };
/// assert_eq!(Tensor::from_dlpack(&context, imported)?.to_vec::<f32>()?, [1.0; 6]);
/// # Ok(())
/// # }
/// ```
pub struct ManagedTensor(*mut Managed);

// SAFETY: DLPack's deleter may be called in any thread, and nothing else is done with the memory here.
unsafe impl Send for ManagedTensor {}

impl ManagedTensor {
    /// Takes over what another library gave.
    ///
    /// # Safety
    /// `pointer` is a DLManagedTensorVersioned of version 1, and the caller's to give. Nobody changes its memory while
    /// tensors made of it are used, but by work that comes before.
    pub unsafe fn from_raw(pointer: *mut c_void) -> Self {
        ManagedTensor(pointer as *mut Managed)
    }
    /// A DLManagedTensorVersioned for another library, which calls its deleter once.
    pub fn into_raw(self) -> *mut c_void {
        ManuallyDrop::new(self).0 as *mut c_void
    }
    /// The extents.
    pub fn shape(&self) -> &[i64] {
        let managed = self.managed();
        if managed.rank == 0 {
            return &[];
        }
        // SAFETY: there are as many extents as the rank says, as long as this lives.
        unsafe { std::slice::from_raw_parts(managed.shape, managed.rank as usize) }
    }
    /// DLPack's kind of device, 1 being the host and 2 CUDA, and its number.
    pub fn device(&self) -> (i32, i32) {
        (self.managed().device[0], self.managed().device[1])
    }
    /// Whether its memory may only be read.
    pub fn read_only(&self) -> bool {
        self.managed().flags & READ_ONLY != 0
    }
    fn managed(&self) -> &Managed {
        // SAFETY: the pointer is valid until the deleter is called, which `drop` does.
        unsafe { &*self.0 }
    }
}

impl Drop for ManagedTensor {
    fn drop(&mut self) {
        if let Some(delete) = self.managed().deleter {
            // SAFETY: it is ours, and this is its end.
            unsafe { delete(self.0) };
        }
    }
}

impl fmt::Debug for ManagedTensor {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("ManagedTensor").field("shape", &self.shape()).field("device", &self.device()).finish()
    }
}

impl Tensor {
    /// The same memory for another library, when the work queued so far is done.
    pub fn to_dlpack(&self) -> Result<ManagedTensor> {
        let managed = made(|place| unsafe { sys::chord_tensor_to_dlpack(self.get(), place) })?;
        Ok(ManagedTensor(managed as *mut Managed))
    }
    /// A tensor that is another library's memory, which it gets back when the last tensor of it is gone.
    pub fn from_dlpack(context: &Context, given: ManagedTensor) -> Result<Self> {
        let pointer = given.0 as *mut sys::DLManagedTensorVersioned;
        let tensor =
            Self::made(context, |place| unsafe { sys::chord_tensor_from_dlpack(context.get(), pointer, place) })?;
        std::mem::forget(given); // it is the tensor's now; where that failed, it is dropped here
        Ok(tensor)
    }
}

//! Devices, and contexts: devices opened for work.
use crate::error::{check, Result};
use crate::handle::{c_text, filled, made, member, owned};
use crate::sys;
use std::fmt;
use std::sync::Arc;

/// A device there is.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Device {
    /// Opens this very device.
    pub selector: String,
    /// Its name, for people.
    pub name: String,
    /// The backend that runs it.
    pub backend: String,
    /// Cores or multiprocessors.
    pub units: i32,
    /// Its memory.
    pub memory_bytes: u64,
    /// Whether tensors lie in memory that the host can use.
    pub host_readable: bool,
    /// Whether it computes in float64.
    pub has_float64: bool,
}

impl From<sys::chord_device_info> for Device {
    fn from(info: sys::chord_device_info) -> Self {
        Device {
            selector: member(&info.selector),
            name: member(&info.name),
            backend: member(&info.backend),
            units: info.units,
            memory_bytes: info.memory_bytes,
            host_readable: info.host_readable != 0,
            has_float64: info.has_float64 != 0,
        }
    }
}

/// All devices; the host is the first.
pub fn devices() -> Result<Vec<Device>> {
    let mut count = 0;
    // SAFETY: the pointers are to values that live here.
    check(unsafe { sys::chord_device_count(&mut count) })?;
    (0..count).map(|index| Ok(filled(|info| unsafe { sys::chord_device_get_info(index, info) })?.into())).collect()
}

/// Bytes of a context's memory.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Memory {
    /// What tensors and running operations have now.
    pub in_use: u64,
    /// The most there ever was.
    pub peak: u64,
    /// What is held from the device, in use or kept for reuse.
    pub reserved: u64,
}

owned! {
    Opened, chord_context, chord_context_destroy
}

/// A device opened for work: an in-order queue and a pool of memory. Clones are the same context, which closes when
/// no object in it is left.
#[derive(Clone)]
pub struct Context(Arc<Opened>);

impl Context {
    /// Opens what a selector says: `auto`, `host`, `gpu`, `cuda:1`, …
    pub fn open(selector: &str) -> Result<Self> {
        let selector = c_text(selector)?;
        // SAFETY: the text lives during the call.
        let handle = made(|place| unsafe { sys::chord_context_create(selector.as_ptr(), place) })?;
        Ok(Context(Arc::new(Opened { handle })))
    }
    pub(crate) fn get(&self) -> *mut sys::chord_context {
        self.0.get()
    }
    /// Which device it is.
    pub fn device(&self) -> Result<Device> {
        Ok(filled(|info| unsafe { sys::chord_context_get_device(self.get(), info) })?.into())
    }
    /// Returns when all work queued so far is done, with the first error of it.
    pub fn wait(&self) -> Result<()> {
        check(unsafe { sys::chord_context_wait(self.get()) })
    }
    /// Gives memory kept for reuse back to the device.
    pub fn trim(&self) -> Result<()> {
        check(unsafe { sys::chord_context_trim(self.get()) })
    }
    /// How much memory is in use.
    pub fn memory(&self) -> Result<Memory> {
        let info: sys::chord_memory_info = filled(|info| unsafe { sys::chord_context_get_memory(self.get(), info) })?;
        Ok(Memory { in_use: info.bytes_in_use, peak: info.peak_bytes, reserved: info.reserved_bytes })
    }
}

impl fmt::Debug for Context {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Context").field(&self.device().map(|device| device.selector)).finish()
    }
}

//! What all objects of the library have in common.
use crate::error::{check, Error, ErrorKind, Result};
use crate::sys;
use std::ffi::{CStr, CString};
use std::os::raw::c_char;
use std::ptr;

/// Declares a type that owns a handle of C: destroyed when dropped, and sent and shared between threads as the header
/// promises ("Threads: any").
macro_rules! owned {
    ($(#[$doc:meta])* $name:ident, $handle:ident, $destroy:ident $(, $member:ident: $type:ty)*) => {
        owned!($(#[$doc])* only Send $name, $handle, $destroy $(, $member: $type)*);
        // SAFETY: calls with one object are serialised by the library.
        unsafe impl Sync for $name {}
    };
    ($(#[$doc:meta])* only Send $name:ident, $handle:ident, $destroy:ident $(, $member:ident: $type:ty)*) => {
        $(#[$doc])*
        pub struct $name {
            handle: *mut crate::sys::$handle,
            $($member: $type,)*
        }
        impl $name {
            pub(crate) fn get(&self) -> *mut crate::sys::$handle {
                self.handle
            }
        }
        impl Drop for $name {
            fn drop(&mut self) {
                // SAFETY: the handle is ours, and this is its end. There is nobody to tell of a failure.
                unsafe { crate::sys::$destroy(self.handle) };
            }
        }
        // SAFETY: a handle belongs to no thread.
        unsafe impl Send for $name {}
    };
}
pub(crate) use owned;

/// The result that a function of C puts where its last parameter says.
pub(crate) fn made<T>(call: impl FnOnce(*mut *mut T) -> sys::chord_status) -> Result<*mut T> {
    let mut place = ptr::null_mut();
    check(call(&mut place))?;
    Ok(place)
}

/// A struct that a function of C fills in.
pub(crate) fn filled<T: Default>(call: impl FnOnce(*mut T) -> sys::chord_status) -> Result<T> {
    let mut place = T::default();
    check(call(&mut place))?;
    Ok(place)
}

/// A text that a function of C tells.
pub(crate) fn told(call: impl FnOnce(*mut *const c_char) -> sys::chord_status) -> Result<String> {
    let mut place = ptr::null();
    check(call(&mut place))?;
    // SAFETY: the text is the object's, which lives while it is copied here.
    Ok(unsafe { text(place) })
}

/// # Safety
/// A text of C, or null, which is an empty one.
pub(crate) unsafe fn text(place: *const c_char) -> String {
    if place.is_null() {
        return String::new();
    }
    CStr::from_ptr(place).to_string_lossy().into_owned()
}

/// The text in a member of a struct.
pub(crate) fn member(characters: &[c_char]) -> String {
    let bytes: Vec<u8> = characters.iter().take_while(|c| **c != 0).map(|c| *c as u8).collect();
    String::from_utf8_lossy(&bytes).into_owned()
}

pub(crate) fn c_text(text: &str) -> Result<CString> {
    CString::new(text).map_err(|_| Error::new(ErrorKind::InvalidArgument, "a text must not contain a zero byte"))
}

pub(crate) fn c_path(path: &std::path::Path) -> Result<CString> {
    use std::os::unix::ffi::OsStrExt;
    CString::new(path.as_os_str().as_bytes())
        .map_err(|_| Error::new(ErrorKind::InvalidArgument, "a path must not contain a zero byte"))
}

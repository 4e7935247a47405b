//! Errors: a kind to decide by, and a text to show.
use crate::sys;
use std::ffi::CStr;
use std::fmt;

/// What a call gives.
pub type Result<T> = std::result::Result<T, Error>;

/// A call that failed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Error {
    kind: ErrorKind,
    text: String,
}

macro_rules! kinds {
    ($($(#[$doc:meta])* $kind:ident = $status:ident,)+) => {
        /// What went wrong, as the `CHORD_ERROR_…` of chord.h have it.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
        #[non_exhaustive]
        pub enum ErrorKind {
            $($(#[$doc])* $kind,)+
            /// A status that this crate does not know yet.
            Other(i32),
        }
        fn kind_of(status: i32) -> ErrorKind {
            match status {
                $(sys::$status => ErrorKind::$kind,)+
                other => ErrorKind::Other(other),
            }
        }
    };
}

kinds! {
    /// A value outside its range, or memory shared where it must not be.
    InvalidArgument = CHORD_ERROR_INVALID_ARGUMENT,
    /// A handle that is none; safe code cannot bring it about.
    InvalidHandle = CHORD_ERROR_INVALID_HANDLE,
    /// Shapes or strides that do not fit together.
    InvalidShape = CHORD_ERROR_INVALID_SHAPE,
    /// Element types that do not fit together.
    InvalidType = CHORD_ERROR_INVALID_TYPE,
    /// Sizes beyond what can be addressed.
    TooLarge = CHORD_ERROR_TOO_LARGE,
    /// No memory is left.
    OutOfMemory = CHORD_ERROR_OUT_OF_MEMORY,
    /// There is no such device.
    NoSuchDevice = CHORD_ERROR_NO_SUCH_DEVICE,
    /// The device or its runtime failed.
    DeviceFailure = CHORD_ERROR_DEVICE_FAILURE,
    /// The kernels could not be compiled for the device.
    CompilationFailed = CHORD_ERROR_COMPILATION_FAILED,
    /// A file could not be read or written.
    IoFailure = CHORD_ERROR_IO_FAILURE,
    /// Used in a forked child.
    Forked = CHORD_ERROR_FORKED,
    /// The device or this build cannot do that.
    Unsupported = CHORD_ERROR_UNSUPPORTED,
    /// Objects of different contexts.
    ContextMismatch = CHORD_ERROR_CONTEXT_MISMATCH,
    /// A defect of the library.
    Internal = CHORD_ERROR_INTERNAL,
    /// A file whose content is not what it should be.
    InvalidFile = CHORD_ERROR_INVALID_FILE,
    /// A callback asked to stop.
    Stopped = CHORD_ERROR_STOPPED,
}

impl Error {
    pub(crate) fn new(kind: ErrorKind, text: impl Into<String>) -> Self {
        Error { kind, text: text.into() }
    }
    /// What went wrong, to decide by.
    pub fn kind(&self) -> ErrorKind {
        self.kind
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text)
    }
}

impl std::error::Error for Error {}

/// The error of this thread's last call, if that failed.
pub(crate) fn check(status: sys::chord_status) -> Result<()> {
    if status == sys::CHORD_SUCCESS {
        return Ok(());
    }
    // SAFETY: the text is never null, and valid until this thread's next failing call.
    let text = unsafe { CStr::from_ptr(sys::chord_last_error()) };
    Err(Error::new(kind_of(status), text.to_string_lossy()))
}

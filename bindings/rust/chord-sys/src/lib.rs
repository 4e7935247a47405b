//! The C interface of SparseChord, as it is: every function, struct and constant of chord.h with its documentation. The
//! crate `chord` is the safe way to use it.
#![allow(unknown_lints, non_camel_case_types)]
#![allow(rustdoc::broken_intra_doc_links, rustdoc::invalid_html_tags)]
// The documentation is the header's, which is not Markdown.
#![allow(clippy::doc_lazy_continuation, clippy::doc_overindented_list_items, clippy::too_many_arguments)]

use core::ffi::c_void;
use std::os::raw::c_char;

include!("raw.rs");

//! Patterns, and chains of factors that share one.
use crate::context::Context;
use crate::error::{check, Result};
use crate::handle::{made, owned};
use crate::sys;
use crate::tensor::Tensor;
use std::fmt;
use std::ptr;

owned! {
    /// Where the non-zeros of a factor are: row i has them at columns (i + o_k) mod N.
    Pattern, chord_pattern, chord_pattern_destroy
}

impl Pattern {
    pub(crate) fn owning(handle: *mut sys::chord_pattern) -> Self {
        Pattern { handle }
    }
    /// Offsets 0, 1, b, b², …; `links` of them, or, if 0, as many as connect all.
    pub fn chord(context: &Context, n: i64, base: i64, links: i64) -> Result<Self> {
        made(|place| unsafe { sys::chord_pattern_create_chord(context.get(), n, base, links, place) }).map(Self::owning)
    }
    /// Offsets 0, 1, −1, b, −b, …
    pub fn symmetric(context: &Context, n: i64, base: i64, links: i64) -> Result<Self> {
        made(|place| unsafe { sys::chord_pattern_create_symmetric(context.get(), n, base, links, place) })
            .map(Self::owning)
    }
    /// Any offsets.
    pub fn custom(context: &Context, n: i64, offsets: &[i64]) -> Result<Self> {
        let (links, data) = (offsets.len() as i64, offsets.as_ptr());
        made(|place| unsafe { sys::chord_pattern_create_custom(context.get(), n, links, data, place) })
            .map(Self::owning)
    }
    /// Rows, and links of each.
    pub fn size(&self) -> Result<(i64, i64)> {
        let (mut n, mut links) = (0, 0);
        check(unsafe { sys::chord_pattern_get_size(self.get(), &mut n, &mut links) })?;
        Ok((n, links))
    }
    /// The offsets as given.
    pub fn offsets(&self) -> Result<Vec<i64>> {
        let mut offsets = vec![0; self.size()?.1 as usize];
        check(unsafe { sys::chord_pattern_get_offsets(self.get(), offsets.as_mut_ptr(), offsets.len() as i64) })?;
        Ok(offsets)
    }
    /// z (+)= the factor `w` times `v`, queued. Gradients are in [`Pattern::product_gradient_values`] and
    /// [`Pattern::product_gradient_weights`].
    pub fn product(&self, w: &Tensor, v: &Tensor, z: &mut Tensor, accumulate: bool) -> Result<()> {
        check(unsafe { sys::chord_product(self.get(), w.get(), v.get(), z.get(), accumulate as i32) })
    }
    /// dv (+)= the transposed factor times `dz`, queued.
    pub fn product_gradient_values(&self, w: &Tensor, dz: &Tensor, dv: &mut Tensor, accumulate: bool) -> Result<()> {
        check(unsafe { sys::chord_product_gradient_values(self.get(), w.get(), dz.get(), dv.get(), accumulate as i32) })
    }
    /// dw (+)= the gradient of the factor, queued.
    pub fn product_gradient_weights(&self, dz: &Tensor, v: &Tensor, dw: &mut Tensor, accumulate: bool) -> Result<()> {
        check(unsafe {
            sys::chord_product_gradient_weights(self.get(), dz.get(), v.get(), dw.get(), accumulate as i32)
        })
    }
}

impl fmt::Debug for Pattern {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Pattern").field(&self.size()).finish()
    }
}

/// How many factors of a chord pattern connect every row with every column.
pub fn full_chain_length(n: i64, base: i64) -> Result<i64> {
    let mut factors = 0;
    check(unsafe { sys::chord_full_chain_length(n, base, &mut factors) })?;
    Ok(factors)
}

owned! {
    /// M factors that share a pattern, applied in stored order: W_M ⋯ W_2 W_1 v.
    Chain, chord_chain, chord_chain_destroy
}

impl Chain {
    pub(crate) fn owning(handle: *mut sys::chord_chain) -> Self {
        Chain { handle }
    }
    /// A chain of `weights`, [M, N, L] or [M, B, N, L], at which it looks. `residual` adds the first v again after every
    /// factor.
    pub fn new(pattern: &Pattern, weights: &Tensor, residual: bool) -> Result<Self> {
        made(|place| unsafe { sys::chord_chain_create(pattern.get(), weights.get(), residual as i32, place) })
            .map(Self::owning)
    }
    /// chain(v), in a new tensor.
    pub fn apply(&self, v: &Tensor) -> Result<Tensor> {
        let mut z = v.like()?;
        self.apply_to(v, &mut z)?;
        Ok(z)
    }
    /// z = chain(v).
    pub fn apply_to(&self, v: &Tensor, z: &mut Tensor) -> Result<()> {
        check(unsafe { sys::chord_chain_apply(self.get(), v.get(), z.get(), ptr::null_mut()) })
    }
    /// chainᵀ(v), in a new tensor.
    pub fn apply_transposed(&self, v: &Tensor) -> Result<Tensor> {
        let z = v.like()?;
        check(unsafe { sys::chord_chain_apply_transposed(self.get(), v.get(), z.get()) })?;
        Ok(z)
    }
    /// out[r,:] = row indices[r] of the product.
    pub fn rows_to(&self, indices: &[i64], out: &mut Tensor) -> Result<()> {
        check(unsafe { sys::chord_chain_rows(self.get(), indices.as_ptr(), indices.len() as i64, out.get()) })
    }
    /// out = the product as a dense matrix.
    pub fn dense_to(&self, out: &mut Tensor) -> Result<()> {
        check(unsafe { sys::chord_chain_dense(self.get(), out.get()) })
    }
    /// The gradients of ⟨g, chain(v)⟩ with respect to the weights, and to v where asked for.
    pub fn gradient_to(&self, v: &Tensor, g: &Tensor, dw: &mut Tensor, dv: Option<&mut Tensor>) -> Result<()> {
        let dv = dv.map_or(ptr::null_mut(), |dv| dv.get());
        check(unsafe { sys::chord_chain_gradient(self.get(), v.get(), ptr::null(), g.get(), dw.get(), dv, 0) })
    }
}

impl fmt::Debug for Chain {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Chain")
    }
}

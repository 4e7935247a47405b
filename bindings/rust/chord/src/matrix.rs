//! Matrices in host memory.
use crate::error::{check, Error, ErrorKind, Result};
use crate::handle::{c_path, filled, made, owned};
use crate::sys;
use std::fmt;
use std::path::Path;

owned! {
    /// A matrix in host memory, dense or sparse: what is to be factorised.
    Matrix, chord_matrix, chord_matrix_destroy
}

impl Matrix {
    /// Reads a file: MatrixMarket, npy, PNG or safetensors; the content tells which.
    pub fn read(path: impl AsRef<Path>) -> Result<Self> {
        let path = c_path(path.as_ref())?;
        Ok(Matrix { handle: made(|place| unsafe { sys::chord_matrix_read(path.as_ptr(), place) })? })
    }
    /// A matrix of n·n values, row by row.
    pub fn dense(n: usize, values: &[f64]) -> Result<Self> {
        if n.checked_mul(n) != Some(values.len()) {
            let text = format!("{} values are not those of a matrix of {n} rows", values.len());
            return Err(Error::new(ErrorKind::InvalidShape, text));
        }
        // SAFETY: there are n·n values.
        let handle = made(|place| unsafe { sys::chord_matrix_create_dense(n as i64, values.as_ptr(), place) })?;
        Ok(Matrix { handle })
    }
    /// A matrix of rows·columns values, row by row, that need not be square.
    pub fn rectangle(rows: usize, columns: usize, values: &[f64]) -> Result<Self> {
        if rows.checked_mul(columns) != Some(values.len()) {
            let text = format!("{} values are not those of a matrix of {rows} × {columns}", values.len());
            return Err(Error::new(ErrorKind::InvalidShape, text));
        }
        let (rows, columns) = (rows as i64, columns as i64);
        // SAFETY: there are rows·columns values.
        let handle =
            made(|place| unsafe { sys::chord_matrix_create_rectangle(rows, columns, values.as_ptr(), place) })?;
        Ok(Matrix { handle })
    }
    /// A matrix of entries in any order: row, column, value.
    pub fn sparse(n: usize, entries: &[(i64, i64, f64)]) -> Result<Self> {
        let rows: Vec<i64> = entries.iter().map(|entry| entry.0).collect();
        let columns: Vec<i64> = entries.iter().map(|entry| entry.1).collect();
        let values: Vec<f64> = entries.iter().map(|entry| entry.2).collect();
        let (n, count) = (n as i64, entries.len() as i64);
        // SAFETY: the arrays have as many elements as the count says.
        let handle = made(|place| unsafe {
            sys::chord_matrix_create_sparse(n, count, rows.as_ptr(), columns.as_ptr(), values.as_ptr(), place)
        })?;
        Ok(Matrix { handle })
    }
    /// Its rows and columns.
    pub fn shape(&self) -> Result<(usize, usize)> {
        let info = self.info()?;
        Ok((info.rows as usize, info.columns as usize))
    }
    /// Its rows, and columns; the larger of the two where they differ.
    pub fn n(&self) -> Result<usize> {
        Ok(self.info()?.n as usize)
    }
    /// Its Frobenius norm.
    pub fn norm(&self) -> Result<f64> {
        Ok(self.info()?.norm)
    }
    /// All values, row by row.
    pub fn to_dense(&self) -> Result<Vec<f64>> {
        let (rows, columns) = self.shape()?;
        let mut values = vec![0.0; rows * columns];
        let bytes = std::mem::size_of_val(values.as_slice());
        check(unsafe { sys::chord_matrix_to_dense(self.get(), values.as_mut_ptr(), bytes) })?;
        Ok(values)
    }
    /// The best approximation of a rank, row by row, and its error; `ErrorKind::Unsupported` where there is no LAPACK.
    pub fn truncated_svd(&self, rank: i64) -> Result<(Vec<f64>, f64)> {
        let (rows, columns) = self.shape()?;
        let (mut best, mut error) = (vec![0.0; rows * columns], 0.0);
        // SAFETY: there is place for rows·columns values.
        check(unsafe {
            let singular_values = std::ptr::null_mut();
            sys::chord_matrix_truncated_svd(self.get(), rank, &mut error, singular_values, best.as_mut_ptr())
        })?;
        Ok((best, error))
    }
    fn info(&self) -> Result<sys::chord_matrix_info> {
        filled(|info| unsafe { sys::chord_matrix_get_info(self.get(), info) })
    }
}

impl fmt::Debug for Matrix {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Matrix").field("n", &self.n()).finish()
    }
}

//! What a call from Rust costs: a product of 16 rows on existing tensors, queued.
use chord::{Context, Pattern, Result, Tensor};
use std::time::Instant;

fn main() -> Result<()> {
    let context = Context::open("auto")?;
    let pattern = Pattern::chord(&context, 16, 2, 0)?;
    let w = Tensor::from_slice(&context, &[16, 5], &[1.0f32; 80])?;
    let v = Tensor::from_slice(&context, &[16, 4], &[1.0f32; 64])?;
    let mut z = Tensor::zeros::<f32>(&context, &[16, 4])?;
    let mut best = f64::MAX;
    for _ in 0..200 {
        let start = Instant::now();
        for _ in 0..1000 {
            pattern.product(&w, &v, &mut z, false)?;
        }
        best = best.min(start.elapsed().as_secs_f64() / 1000.0);
    }
    println!("{:.2}", best * 1e6);
    Ok(())
}

//! Factorises a picture and applies the result, then trains a network: tour PICTURE [PASSES]
use chord::*;
use std::ops::ControlFlow;

/// The FNV-1a hash of numbers' bytes.
fn bits(bytes: impl Iterator<Item = u8>) -> u64 {
    bytes.fold(14695981039346656037, |hash, byte| (hash ^ u64::from(byte)).wrapping_mul(1099511628211))
}

fn factorize(context: &Context, path: &str) -> Result<()> {
    let picture = Matrix::read(path)?;
    let n = picture.n()?;
    let pattern = Pattern::chord(context, n as i64, 2, 0)?;
    let options = FactorizeOptions { iterations: 30, seed: 1, ..Default::default() };
    let factors = Factorization::fit(context, &pattern, &picture, &options, |_| ControlFlow::Continue(()))?;
    let ones = Tensor::from_vec(context, &[n, 1], vec![1.0f64; n])?;
    let sums = factors.apply(&ones)?.to_vec::<f64>()?;
    let hash = bits(sums.iter().flat_map(|value| value.to_ne_bytes()));
    println!("picture: {n} rows, relative error {:.4}, bits {hash:016x}", factors.relative_error()?);
    Ok(())
}

fn train(context: &Context, passes: i64) -> Result<()> {
    let mut model = Model::new(context, r#"{"preset": "adding", "length": 32}"#, 1)?;
    let options = DatasetOptions { length: 32, count: 200, seed: 1, ..Default::default() };
    let data = Dataset::new("adding", "train", &options)?;
    let mut loss = 0.0;
    for epoch in 0..passes {
        for batch in data.batches(&BatchOptions { batch: 40, shuffle: true, seed: 1, epoch, ..Default::default() })? {
            let (inputs, labels) = model.tensors(&batch?)?;
            loss = model.train_step(&inputs, &labels, &TrainOptions::default())?.loss;
        }
    }
    let hash = bits(model.parameters()?.to_vec::<f32>()?.iter().flat_map(|value| value.to_ne_bytes()));
    println!("adding: loss {loss:.4}, bits {hash:016x}");
    Ok(())
}

fn main() -> Result<()> {
    let arguments: Vec<String> = std::env::args().collect();
    let path = arguments.get(1).expect("tour PICTURE [PASSES]");
    let context = Context::open("auto")?;
    factorize(&context, path)?;
    train(&context, arguments.get(2).map_or(20, |text| text.parse().expect("a number of passes")))
}

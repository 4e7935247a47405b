//! Trains the paper's network for the adding problem.
//!   cargo run --release --example train -- [LENGTH] [EPOCHS]
use chord::{BatchOptions, Context, Dataset, DatasetOptions, Model, Result, TrainOptions};

fn main() -> Result<()> {
    let number = |place: usize, otherwise: i64| -> i64 {
        std::env::args().nth(place).and_then(|text| text.parse().ok()).unwrap_or(otherwise)
    };
    let (length, epochs) = (number(1, 128), number(2, 10));
    let context = Context::open("auto")?;
    let mut model = Model::new(&context, &format!(r#"{{"preset": "adding", "length": {length}}}"#), 1)?;
    let part = |count: i64, seed: u64| DatasetOptions { length, count, seed, ..Default::default() };
    let train = Dataset::new("adding", "train", &part(4000, 1))?;
    let test = Dataset::new("adding", "test", &part(1000, 1))?;
    println!("{} parameters on {}", model.info()?.parameters, context.device()?.name);

    for epoch in 0..epochs {
        let (mut loss, mut batches) = (0.0, 0);
        let pass = BatchOptions { batch: 40, seed: 1, epoch, shuffle: true, ..Default::default() };
        for batch in train.batches(&pass)? {
            let (inputs, labels) = model.tensors(&batch?)?;
            loss += model.train_step(&inputs, &labels, &TrainOptions::default())?.loss;
            batches += 1;
        }
        let (mut correct, mut count) = (0, 0);
        for batch in test.batches(&BatchOptions { batch: 100, ..Default::default() })? {
            let (inputs, labels) = model.tensors(&batch?)?;
            let step = model.evaluate(&inputs, &labels)?;
            correct += step.correct;
            count += step.count;
        }
        println!("epoch {epoch}: loss {:.4}, {} of {count} right", loss / f64::from(batches), correct);
    }
    Ok(())
}

//! The library through the safe interface, on the host.
use chord::*;
use std::ops::ControlFlow;
use std::time::Duration;

fn host() -> Context {
    Context::open("host").unwrap()
}

fn dense_product(weights: &[f64], offsets: &[i64], factors: usize, n: usize, v: &[f64]) -> Vec<f64> {
    let mut now = v.to_vec();
    for m in 0..factors {
        now = (0..n)
            .map(|i| {
                let row = &weights[(m * n + i) * offsets.len()..];
                let at = |o: &i64| now[(i as i64 + o).rem_euclid(n as i64) as usize];
                offsets.iter().zip(row).map(|(o, w)| w * at(o)).sum()
            })
            .collect();
    }
    now
}

#[test]
fn chain_is_what_plain_code_computes() {
    let context = host();
    let pattern = Pattern::chord(&context, 13, 2, 0).unwrap();
    let (n, links) = pattern.size().unwrap();
    let weights: Vec<f64> = (0..3 * n * links).map(|i| ((i * 37 % 101) as f64) / 50.0 - 1.0).collect();
    let v: Vec<f64> = (0..n).map(|i| (i as f64).sin()).collect();
    let expected = dense_product(&weights, &pattern.offsets().unwrap(), 3, 13, &v);
    let tensor = Tensor::from_vec(&context, &[3, 13, links as usize], weights).unwrap();
    let chain = Chain::new(&pattern, &tensor, false).unwrap();
    drop((tensor, pattern)); // the chain keeps what it needs
    let made = chain.apply(&Tensor::from_vec(&context, &[13, 1], v).unwrap()).unwrap().to_vec::<f64>().unwrap();
    for (a, b) in made.iter().zip(&expected) {
        assert!((a - b).abs() < 1e-12);
    }
}

#[test]
fn errors_have_kinds_and_texts() {
    let context = host();
    let tensor = Tensor::zeros::<f32>(&context, &[2, 3]).unwrap();
    assert_eq!(tensor.to_vec::<f64>().unwrap_err().kind(), ErrorKind::InvalidType);
    assert_eq!(Tensor::from_slice(&context, &[2], &[1.0f32]).unwrap_err().kind(), ErrorKind::InvalidShape);
    let error = Context::open("moon").unwrap_err();
    assert_eq!(error.kind(), ErrorKind::NoSuchDevice);
    assert!(error.to_string().contains("moon"));
    let mut short = [0.0f32; 5];
    assert!(tensor.copy_to(&mut short).is_err());
}

fn picture(context: &Context) -> (Pattern, Matrix) {
    let values: Vec<f64> = (0..64 * 64).map(|i| ((i * 7919 % 997) as f64) / 997.0).collect();
    (Pattern::chord(context, 64, 2, 0).unwrap(), Matrix::dense(64, &values).unwrap())
}

#[test]
fn factors_are_applied_saved_and_loaded() {
    let context = host();
    let (pattern, matrix) = picture(&context);
    let options = FactorizeOptions { iterations: 60, seed: 1, ..Default::default() };
    let go_on = |_: Progress| ControlFlow::Continue(());
    let factors = Factorization::fit(&context, &pattern, &matrix, &options, go_on).unwrap();
    let dense = factors.to_dense().unwrap();
    let ones = Tensor::from_vec(&context, &[64, 1], vec![1.0f64; 64]).unwrap();
    let sums = factors.apply(&ones).unwrap().to_vec::<f64>().unwrap();
    for (i, sum) in sums.iter().enumerate() {
        assert!((sum - dense[i * 64..(i + 1) * 64].iter().sum::<f64>()).abs() < 1e-9);
    }
    let mut row = Tensor::zeros::<f64>(&context, &[1, 64]).unwrap();
    factors.rows_to(&[7], &mut row).unwrap();
    assert!(row.to_vec::<f64>().unwrap().iter().zip(&dense[7 * 64..]).all(|(a, b)| (a - b).abs() < 1e-9));
    if let Ok((best, error)) = matrix.truncated_svd(64) {
        assert!(error < 1e-9 && best.iter().zip(matrix.to_dense().unwrap()).all(|(a, b)| (a - b).abs() < 1e-9));
    }
    let path = std::env::temp_dir().join(format!("chord-rust-{}.safetensors", std::process::id()));
    factors.save(&path).unwrap();
    assert_eq!(Factorization::load(&context, &path).unwrap().to_dense().unwrap(), dense);
    std::fs::remove_file(path).unwrap();
}

#[test]
fn training_learns_and_repeats_itself() {
    let train = || {
        let context = host();
        let mut model = Model::new(&context, r#"{"preset": "adding", "length": 16}"#, 3).unwrap();
        let options = DatasetOptions { length: 16, count: 96, seed: 3, ..Default::default() };
        let data = Dataset::new("adding", "train", &options).unwrap();
        let adam = TrainOptions { learning_rate: 3e-3, ..Default::default() };
        let mut losses = vec![];
        for epoch in 0..6 {
            let pass = BatchOptions { batch: 32, seed: 1, epoch, shuffle: true, ..Default::default() };
            for batch in data.batches(&pass).unwrap() {
                let (inputs, labels) = model.tensors(&batch.unwrap()).unwrap();
                losses.push(model.train_step(&inputs, &labels, &adam).unwrap().loss);
            }
        }
        assert_eq!(model.info().unwrap().step, 18);
        losses
    };
    let losses = train();
    assert!(losses[17] < losses[0] / 2.0);
    assert_eq!(losses, train());
}

#[test]
fn gradients_are_shared_and_applied_to_the_bit() {
    let context = host();
    let new_model = || Model::new(&context, r#"{"preset": "adding", "length": 16}"#, 3).unwrap();
    let data =
        Dataset::new("adding", "train", &DatasetOptions { length: 16, count: 32, ..Default::default() }).unwrap();
    let (mut whole, mut parts) = (new_model(), new_model());
    let (inputs, labels) = whole.tensors(&data.read(0, 32).unwrap()).unwrap();
    whole.train_step(&inputs, &labels, &TrainOptions { micro_batch: 16, ..Default::default() }).unwrap();
    for first in [0, 16] {
        let (inputs, labels) = parts.tensors(&data.read(first, 16).unwrap()).unwrap();
        let accumulate = first > 0;
        let share =
            TrainOptions { first_sequence: first, whole_batch: 32, dropout: true, accumulate, ..Default::default() };
        parts.compute_gradients(&inputs, &labels, &share).unwrap();
    }
    parts.apply_gradients(&TrainOptions::default()).unwrap();
    let numbers = |model: &Model| model.parameters().unwrap().to_vec::<f32>().unwrap();
    assert_eq!(numbers(&whole), numbers(&parts));
    assert_eq!(whole.moments().unwrap().1.to_vec::<f32>().unwrap(), parts.moments().unwrap().1.to_vec().unwrap());
    assert_eq!(parts.info().unwrap().step, 1);
}

#[test]
fn queued_steps_tell_their_losses_later() {
    let context = host();
    let new_model = || Model::new(&context, r#"{"preset": "adding", "length": 16}"#, 3).unwrap();
    let data = Dataset::new("adding", "train", &DatasetOptions { length: 16, count: 8, ..Default::default() }).unwrap();
    let (mut model, mut twin, adam) = (new_model(), new_model(), TrainOptions::default());
    let (inputs, labels) = model.tensors(&data.read(0, 8).unwrap()).unwrap();
    let told: Vec<f64> = (0..3).map(|_| twin.train_step(&inputs, &labels, &adam).unwrap().loss).collect();
    for _ in 0..3 {
        model.queue_step(&inputs, &labels, &adam).unwrap();
    }
    assert_eq!(model.take_losses().unwrap(), told);
    assert!(model.take_losses().unwrap().is_empty());
    assert_eq!(model.attention(&inputs, 0, &[0, 15]).unwrap().shape().unwrap(), [8, 2, 16]);
}

#[test]
fn a_loss_of_ones_own() {
    let context = host();
    let mut model = Model::new(&context, r#"{"preset": "adding", "length": 8, "precision": 64}"#, 1).unwrap();
    let mut values: Vec<f64> = (0..48).map(|i| ((i * 29 % 53) as f64) / 53.0).collect();
    let inputs = Tensor::from_slice(&context, &[3, 8, 2], &values).unwrap();
    let ones = Tensor::from_vec(&context, &[3, 1], vec![1.0f64; 3]).unwrap();
    let mut dinputs = Tensor::zeros::<f64>(&context, &[3, 8, 2]).unwrap();
    model.backward(&inputs, &ones, Some(&mut dinputs), &TrainOptions::default()).unwrap();
    let mut sum = |step: f64| {
        values[20] += step;
        let moved = Tensor::from_slice(&context, &[3, 8, 2], &values).unwrap();
        values[20] -= step;
        model.forward(&moved).unwrap().to_vec::<f64>().unwrap().iter().sum::<f64>()
    };
    let difference = (sum(1e-5) - sum(-1e-5)) / 2e-5;
    assert!((difference - dinputs.to_vec::<f64>().unwrap()[20]).abs() < 1e-8);
    let one = model.parameter_names().unwrap()[0].clone();
    assert_eq!(model.gradient(&one).unwrap().shape().unwrap(), model.parameter(&one).unwrap().shape().unwrap());
}

#[test]
fn data_is_read_in_order_and_in_batches() {
    let options = DatasetOptions { length: 32, count: 10, seed: 5, ..Default::default() };
    let data = Dataset::new("order", "train", &options).unwrap();
    let sizes: Vec<usize> = data
        .batches(&BatchOptions { batch: 4, ..Default::default() })
        .unwrap()
        .enumerate()
        .map(|(i, batch)| {
            let batch = batch.unwrap();
            assert_eq!(batch, data.read(4 * i as i64, batch.shape[0]).unwrap());
            batch.shape[0]
        })
        .collect();
    assert_eq!(sizes, [4, 4, 2]);
    assert!(data.read(9, 2).is_err());
    assert!(tasks().unwrap().iter().any(|task| task.name == "order" && task.generated));
}

#[test]
fn a_job_is_polled_cancelled_and_waited_for() {
    let context = host();
    let (pattern, matrix) = picture(&context);
    let limited = FactorizeOptions { iterations: 60, seed: 1, ..Default::default() };
    let job = Job::start(&context, &pattern, &matrix, &limited).unwrap();
    let go_on = |_: Progress| ControlFlow::Continue(());
    let called = Factorization::fit(&context, &pattern, &matrix, &limited, go_on).unwrap();
    assert_eq!(job.factorization().unwrap().to_dense().unwrap(), called.to_dense().unwrap());
    assert!(job.done().unwrap());

    let long = FactorizeOptions { seconds: 60.0, ..Default::default() };
    let job = Job::start(&context, &pattern, &matrix, &long).unwrap();
    drop((pattern, matrix)); // the job keeps what it needs
    assert!(!job.wait_for(Duration::from_millis(200)).unwrap());
    assert!(job.progress().unwrap().iteration > 0);
    std::thread::scope(|scope| {
        scope.spawn(|| job.cancel().unwrap());
        assert_eq!(job.factorization().unwrap().stop().unwrap(), Stop::Cancelled);
    });
}

#[test]
fn memory_is_exchanged_without_copies() {
    let context = host();
    let tensor = Tensor::from_slice(&context, &[2, 3], &[1.0f64, 2.0, 3.0, 4.0, 5.0, 6.0]).unwrap();
    let exported = tensor.to_dlpack().unwrap();
    assert_eq!((exported.shape(), exported.device(), exported.read_only()), (&[2i64, 3][..], (1, 0), false));
    let mut twin = Tensor::from_dlpack(&context, exported).unwrap();
    drop(tensor);
    twin.fill(7.0).unwrap();
    assert_eq!(twin.to_vec::<f64>().unwrap(), [7.0; 6]);
    let repeated = twin.view(&[4, 3], Some(&[0, 1]), 0).unwrap();
    assert!(repeated.to_dlpack().unwrap().read_only());
    // What nobody takes is given back.
    let gone = repeated.to_dlpack().unwrap();
    drop((twin, repeated));
    assert!(context.memory().unwrap().in_use > 0);
    drop(gone);
    assert_eq!(context.memory().unwrap().in_use, 0);
}

#[test]
fn mapped_memory_is_a_slice() {
    let context = host();
    let mut tensor = Tensor::zeros::<i32>(&context, &[2, 2]).unwrap();
    // SAFETY: nobody else looks at the tensor.
    unsafe { tensor.map::<i32>().unwrap() }.copy_from_slice(&[1, 2, 3, 4]);
    assert_eq!(tensor.to_vec::<i32>().unwrap(), [1, 2, 3, 4]);
    let mut column = tensor.view(&[2], Some(&[2]), 0).unwrap();
    assert_eq!(unsafe { column.map::<i32>() }.err().unwrap().kind(), ErrorKind::Unsupported);
    assert_eq!(unsafe { tensor.map::<f32>() }.err().unwrap().kind(), ErrorKind::InvalidType);
}

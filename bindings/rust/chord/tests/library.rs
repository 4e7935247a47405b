//! The library through the safe interface, on the host.
use chord::*;
use std::ops::ControlFlow;
use std::time::Instant;

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

#[test]
fn objects_go_from_thread_to_thread() {
    fn send_and_sync<T: Send + Sync>() {}
    fn send<T: Send>() {}
    send_and_sync::<Context>();
    send_and_sync::<Tensor>();
    send_and_sync::<Model>();
    send_and_sync::<Factorization>();
    send::<Batches>();
    let context = host();
    std::thread::scope(|scope| {
        for k in 0..4 {
            let context = &context;
            scope.spawn(move || {
                for _ in 0..200 {
                    let mut tensor = Tensor::from_vec(context, &[4], vec![0.0f64; 4]).unwrap();
                    tensor.fill(k as f64).unwrap();
                    assert_eq!(tensor.to_vec::<f64>().unwrap(), vec![k as f64; 4]);
                }
            });
        }
    });
}

fn picture(context: &Context) -> (Pattern, Matrix) {
    let values: Vec<f64> = (0..64 * 64).map(|i| ((i * 7919 % 997) as f64) / 997.0).collect();
    (Pattern::chord(context, 64, 2, 0).unwrap(), Matrix::dense(64, &values).unwrap())
}

#[test]
fn closures_stop_a_run_and_panics_come_back() {
    let context = host();
    let (pattern, matrix) = picture(&context);
    let options = FactorizeOptions { seconds: 30.0, ..Default::default() };
    let mut calls = 0;
    let stopped = Factorization::fit(&context, &pattern, &matrix, &options, |_| {
        calls += 1;
        if calls == 2 {
            ControlFlow::Break(())
        } else {
            ControlFlow::Continue(())
        }
    });
    assert_eq!(stopped.unwrap().stop().unwrap(), Stop::Cancelled);
    assert_eq!(calls, 2);

    let carried = std::panic::catch_unwind(|| {
        let quiet = |_: Progress| -> ControlFlow<()> { std::panic::panic_any("mine") };
        Factorization::fit(&context, &pattern, &matrix, &options, quiet)
    });
    assert_eq!(*carried.unwrap_err().downcast::<&str>().unwrap(), "mine");
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
fn a_hundred_thousand_objects_leave_no_trace() {
    let context = host();
    let before = context.memory().unwrap().in_use;
    for _ in 0..50_000 {
        drop(Tensor::from_vec(&context, &[4], vec![1.0f32; 4]).unwrap());
        drop(Tensor::zeros::<f32>(&context, &[4]).unwrap());
    }
    assert_eq!(context.memory().unwrap().in_use, before);
}

#[test]
fn a_call_costs_microseconds() {
    let context = host();
    let pattern = Pattern::chord(&context, 16, 2, 0).unwrap();
    let w = Tensor::from_vec(&context, &[16, 5], vec![1.0f32; 80]).unwrap();
    let v = Tensor::from_vec(&context, &[16, 4], vec![1.0f32; 64]).unwrap();
    let mut z = Tensor::zeros::<f32>(&context, &[16, 4]).unwrap();
    let mut best = f64::MAX;
    for _ in 0..50 {
        let start = Instant::now();
        for _ in 0..1000 {
            pattern.product(&w, &v, &mut z, false).unwrap();
        }
        best = best.min(start.elapsed().as_secs_f64() / 1000.0);
    }
    println!("a product of 16 rows, queued from Rust: {:.2} µs", best * 1e6);
    assert!(cfg!(debug_assertions) || best < 2e-6);
}

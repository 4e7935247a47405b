//! The edges: panics in closures, threads, processes that fork or end.
use chord::*;
use std::ops::ControlFlow;
use std::process::Command;
use std::time::Duration;

fn host() -> Context {
    Context::open("host").unwrap()
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
fn a_panic_ends_the_reading_of_files() {
    let folder = std::env::temp_dir().join(format!("chord-rust-listops-{}", std::process::id()));
    std::fs::create_dir_all(&folder).unwrap();
    for split in ["train", "val", "test"] {
        std::fs::write(folder.join(format!("basic_{split}.tsv")), "Source\tTarget\n[MAX 3 7 ]\t7\n").unwrap();
    }
    let options = DatasetOptions { data: Some(folder.clone()), ..Default::default() };
    let carried = std::panic::catch_unwind(|| {
        Dataset::with_progress("listops", "train", &options, |_, _| std::panic::panic_any("mine"))
    });
    let stopped = Dataset::with_progress("listops", "train", &options, |_, _| ControlFlow::Break(()));
    std::fs::remove_dir_all(&folder).unwrap();
    assert_eq!(*carried.unwrap_err().downcast::<&str>().unwrap(), "mine");
    assert_eq!(stopped.unwrap_err().kind(), ErrorKind::Stopped);
}

#[test]
fn objects_go_from_thread_to_thread() {
    fn send_and_sync<T: Send + Sync>() {}
    fn send<T: Send>() {}
    send_and_sync::<Context>();
    send_and_sync::<Tensor>();
    send_and_sync::<Model>();
    send_and_sync::<Factorization>();
    send_and_sync::<Job>();
    send::<Batches>();
    send::<ManagedTensor>();
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

/// Runs this test program once more, with one of the tests below, which ends it in the middle of its work.
fn ends_well(child: &str) {
    // The SYCL runtime is told by variables where its parts are. Set by another test while a program starts, they would
    // pull its environment away.
    devices().unwrap();
    let program = std::env::current_exe().unwrap();
    let ended = Command::new(program).args(["--exact", child, "--ignored", "--nocapture"]).output().unwrap();
    assert!(ended.status.success(), "{child}: {}\n{}", ended.status, String::from_utf8_lossy(&ended.stderr));
}

#[test]
fn a_process_ends_beside_running_threads() {
    ends_well("child_in_a_closure");
    ends_well("child_with_a_job");
}

#[test]
#[ignore = "ends the process"]
fn child_in_a_closure() {
    let context = host();
    let (pattern, matrix) = picture(&context);
    std::thread::spawn(move || {
        let options = FactorizeOptions { seconds: 30.0, ..Default::default() };
        Factorization::fit(&context, &pattern, &matrix, &options, |_| ControlFlow::Continue(()))
    });
    std::thread::sleep(Duration::from_millis(300));
    std::process::exit(0);
}

#[test]
#[ignore = "ends the process"]
fn child_with_a_job() {
    let context = host();
    let (pattern, matrix) = picture(&context);
    let options = FactorizeOptions { seconds: 30.0, ..Default::default() };
    std::mem::forget(Job::start(&context, &pattern, &matrix, &options).unwrap());
    std::process::exit(0);
}

extern "C" {
    fn fork() -> i32;
    fn waitpid(process: i32, status: *mut i32, options: i32) -> i32;
    fn _exit(status: i32) -> !;
}

#[test]
fn a_forked_child_is_told() {
    let mut tensor = Tensor::zeros::<f32>(&host(), &[4]).unwrap();
    // SAFETY: the child does nothing but one call that takes no lock, and ends.
    let status = unsafe {
        let child = fork();
        if child == 0 {
            _exit(match tensor.fill(1.0) {
                Err(error) if error.kind() == ErrorKind::Forked => 7,
                _ => 1,
            });
        }
        let mut status = 0;
        assert_eq!(waitpid(child, &mut status, 0), child);
        status
    };
    assert_eq!(status >> 8, 7);
}

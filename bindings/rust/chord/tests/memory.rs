//! A hundred thousand objects; in a process of its own, whose memory is looked at.
use chord::*;

fn resident_bytes() -> usize {
    let numbers = std::fs::read_to_string("/proc/self/statm").unwrap();
    numbers.split(' ').nth(1).unwrap().parse::<usize>().unwrap() * 4096
}

#[test]
fn a_hundred_thousand_objects_leave_no_trace() {
    let context = Context::open("host").unwrap();
    let pattern = Pattern::chord(&context, 16, 2, 0).unwrap();
    let make = |count| {
        for _ in 0..count {
            let weights = Tensor::from_vec(&context, &[1, 16, 5], vec![1.0f32; 80]).unwrap();
            drop(Chain::new(&pattern, &weights, false).unwrap());
            drop(Tensor::from_dlpack(&context, weights.to_dlpack().unwrap()).unwrap());
            drop(Pattern::chord(&context, 16, 2, 0).unwrap());
        }
    };
    make(1000);
    let (in_use, resident) = (context.memory().unwrap().in_use, resident_bytes());
    make(25_000);
    assert_eq!(context.memory().unwrap().in_use, in_use);
    assert!(resident_bytes() < resident + (2 << 20), "{resident} bytes became {}", resident_bytes());
}

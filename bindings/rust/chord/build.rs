//! Tests and examples find libchord where chord-sys did.
fn main() {
    if let Ok(folder) = std::env::var("DEP_CHORD_LIBDIR") {
        println!("cargo:rustc-link-arg=-Wl,-rpath,{folder}");
    }
}

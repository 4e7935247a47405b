//! Finds libchord: in the folder that CHORD_LIB_DIR names, else by pkg-config.
use std::{env, process::Command};

fn main() {
    println!("cargo:rerun-if-env-changed=CHORD_LIB_DIR");
    println!("cargo:rerun-if-env-changed=PKG_CONFIG_PATH");
    let folder = env::var("CHORD_LIB_DIR").unwrap_or_else(|_| from_pkg_config());
    println!("cargo:rustc-link-search=native={folder}");
    println!("cargo:rustc-link-lib=dylib=chord");
    // Those that depend on this package directly see it as DEP_CHORD_LIBDIR.
    println!("cargo:libdir={folder}");
}

fn from_pkg_config() -> String {
    let asked = Command::new("pkg-config").args(["--variable=libdir", "sparsechord"]).output();
    match asked {
        Ok(answer) if answer.status.success() => String::from_utf8_lossy(&answer.stdout).trim().to_string(),
        _ => panic!(
            "libchord was not found. Set CHORD_LIB_DIR to the folder that has libchord.so, or PKG_CONFIG_PATH to the one \
             that has sparsechord.pc."
        ),
    }
}

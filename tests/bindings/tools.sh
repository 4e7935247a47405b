# shellcheck shell=sh
# The languages' tools, for the scripts beside this one, which say in which folder the library is: $folder.
root=$(cd "$(dirname "$0")/../.." && pwd)
folder=$(cd "${folder:-.}" && pwd)
export CHORD_LIBRARY="$folder/libchord.so.1" CHORD_LIB_DIR="$folder" CHORD_DEVICE="${CHORD_DEVICE:-host}"
export PYTHONPATH="$root/bindings/python" PYTHONDONTWRITEBYTECODE=1
export CARGO_TARGET_DIR="$folder/../rust" CARGO_NET_OFFLINE=true
export JULIA_LOAD_PATH="$root/bindings/julia/SparseChord.jl:@stdlib" JULIA_DEPOT_PATH="$folder/../julia"

# Debian's Python and Rust, whatever else the user has: those are what the packages are written for.
python() { PATH=/usr/bin:$PATH python3 "$@"; }
cargo() { PATH=/usr/bin:$PATH command cargo "$@"; }
# PyTorch is none of Debian's packages: the variable CHORD_TORCH names a Python that has it.
torch() { "${CHORD_TORCH:-/usr/bin/python3}" "$@"; }
# Debian's Julia has an unwinder of its own, which gets in the way of errors unless the C++ one is loaded first.
julia() { LD_PRELOAD=$(cc -print-file-name=libgcc_s.so.1) "$("$root/setup/julia" --if-there)" --startup-file=no "$@"; }

has_python() { python -c 'import numpy, cffi, pytest' 2>/dev/null; }
has_torch() { torch -c 'import torch, cffi, pytest' 2>/dev/null; }
has_rust() { PATH=/usr/bin:$PATH command -v cargo >/dev/null; }
has_julia() { "$root/setup/julia" --if-there >/dev/null; }
skip() { echo "skipped: $*" && exit 77; }

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# Compiles a program in C or C++ that uses the library in the folder: compiled SOURCE PROGRAM.
compiled() {
  case $1 in
    *.c) compiler="cc -std=c99" ;;
    *) compiler="c++ -std=c++17" ;;
  esac
  $compiler -O2 -Wall -Wextra -pedantic -Werror -I"$root/include" "$1" -L"$folder" -Wl,-rpath,"$folder" -lchord -o "$2"
}

# A program that is an example of the Rust package.
rust_example() {
  (cd "$root/bindings/rust" && cargo build --offline --release --quiet --example "$1")
  echo "$CARGO_TARGET_DIR/release/examples/$1"
}

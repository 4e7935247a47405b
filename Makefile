# Two commands on a fresh Debian: `make run` and `make test`. CMake does the work; see CMakePresets.json.
PRESET ?= runtime

.PHONY: run build test lint bench bench-calls bindings reference wheel fuzz check-sass check-gpu setup clean

run:
	@setup/show $(PRESET)

build: setup
	@setup/configure $(PRESET)
	@cmake --build --preset $(PRESET)

test: setup
	@tests/run $(PARTS)

lint: setup
	@tests/run lint

# Figures in build/bench.json, for a later chord-bench --compare=FILE, and as a page in build/bench.html.
bench: build
	@build/$(PRESET)/bin/chord-bench --benchmark_out=build/bench.json --html=build/bench.html \
	  --benchmark_context=commit=$$(git describe --always --dirty 2>/dev/null || echo unknown)

# What a call costs from C, C++, Rust, Julia and Python.
bench-calls: build
	@tests/bindings/calls build/$(PRESET)/lib

# What other languages know of chord.h, after it has changed; and the interface as a page, build/reference.html.
bindings:
	@$$(setup/libclang) bindings/generate/generate

reference:
	@mkdir -p build
	@bindings/generate/generate --reference build/reference.html
	@echo "The C interface: build/reference.html"

# A Python wheel that needs nothing else, tried in an empty environment: build/wheels.
wheel: setup
	@cmake --preset runtime -B build/wheel -DCHORD_STATIC_RUNTIME=ON -DCHORD_TESTS=OFF -DCHORD_PROGRAMS=OFF -DCHORD_BENCH=OFF >/dev/null
	@cmake --build build/wheel --target chord chord_sycl
	@bindings/python/make-wheel build/wheel build/wheels

# Files that nobody wrote, for every loader: a minute each, or SECONDS=. What is found is in build/fuzz/results.
fuzz: setup
	@[ -e build/fuzz/build.ninja ] || cmake --preset fuzz >/dev/null
	@cmake --build --preset fuzz
	@SECONDS_EACH=$(or $(SECONDS),60) tests/fuzz/run build/fuzz/bin/chord-fuzz build/fuzz/results

check-sass: build
	@tests/gpu/check-sass build/$(PRESET)/bin/chord-info

check-gpu: build
	@tests/gpu/check-gpu build/$(PRESET)/bin gpu-report.txt

setup:
	@setup/debian
	@setup/oneapi >/dev/null

clean:
	@rm -rf build

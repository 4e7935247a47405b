# Two commands on a fresh Debian: `make run` and `make test`. CMake does the work; see CMakePresets.json.
PRESET ?= runtime

.PHONY: run build test lint bench bindings reference wheel check-sass check-gpu setup clean

run: build
	@build/$(PRESET)/bin/chord-info
	@echo
	@build/$(PRESET)/bin/chord-check
	@echo
	@build/$(PRESET)/bin/chord-factorize docs/images/sample.png --seconds=10 --report=build/report.html
	@echo
	@echo "What the factors make of the picture: build/report.html"
	@echo
	@rm -rf build/adding
	@build/$(PRESET)/bin/chord-train adding --count=8000 --eval-count=2000 --epochs=40 --out=build/adding

build: setup
	@[ -e build/$(PRESET)/build.ninja ] || cmake --preset $(PRESET) >build-$(PRESET).log 2>&1 || { cat build-$(PRESET).log; exit 1; }
	@rm -f build-$(PRESET).log
	@cmake --build --preset $(PRESET)

test: setup
	@tests/run $(PARTS)

lint: setup
	@tests/run lint

bench: build
	@build/$(PRESET)/bin/chord-bench

# What other languages know of chord.h, after it has changed; and the interface as a page, build/reference.html.
bindings:
	@$$(setup/libclang) bindings/generate/generate

reference:
	@mkdir -p build
	@bindings/generate/generate --reference build/reference.html
	@echo "The C interface: build/reference.html"

# A Python wheel that needs nothing else, tried in an empty environment: build/wheels.
wheel: setup
	@cmake --preset host -B build/wheel -DCHORD_STATIC_RUNTIME=ON -DCHORD_TESTS=OFF -DCHORD_PROGRAMS=OFF -DCHORD_BENCH=OFF >/dev/null
	@cmake --build build/wheel --target chord
	@bindings/python/make-wheel build/wheel build/wheels

check-sass: build
	@tests/gpu/check-sass build/$(PRESET)/bin/chord-info

check-gpu: build
	@tests/gpu/check-gpu build/$(PRESET)/bin gpu-report.txt

setup:
	@setup/debian
	@setup/oneapi >/dev/null

clean:
	@rm -rf build

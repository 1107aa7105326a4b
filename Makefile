# SPDX-FileCopyrightText: 2026 The Patchfield authors
# SPDX-License-Identifier: Apache-2.0
#
# The front door. CMake presets do the building; this file installs what they need and names the jobs.

JOBS ?= $(shell nproc 2>/dev/null || echo 2)
FUZZ_SECONDS ?= 60
BENCH_FILTER ?= .
export CTEST_PARALLEL_LEVEL ?= 2

.DEFAULT_GOAL := help
.PHONY: help build demo test python bench peers format lint tidy asan tsan fuzz venv clean

help:  ## List the targets
	@echo "Patchfield: contact patches with pressure fields."
	@echo
	@sed -n 's/^\([a-z]*\):.*## \(.*\)/  make \1\t\2/p' $(MAKEFILE_LIST) | expand -t 16
	@echo
	@echo "What is missing on Debian or Ubuntu gets installed, with a line that says so. JOBS=$(JOBS)"

# $(call build,PRESET): configure once, then let ninja decide.
define build
	@test -f build/$(1)/build.ninja || cmake --preset $(1) $(2)
	@cmake --build --preset $(1) -j $(JOBS)
endef

build: venv  ## Build everything with the release preset into build/release
	@tools/apt.sh build test bench
	$(call build,release)

demo: build  ## Let soft fingers turn a spatula by loosening their grip; writes out/spatula.html
	@build/release/apps/cli/patchfield reproduce spatula --quick --out out

test: build  ## Build and run all tests
	@tools/run_tests.py release

python: venv  ## Install the Python package into .venv
	@tools/apt.sh build
	@.venv/bin/python -m pip install --quiet --disable-pip-version-check --no-input --no-deps --no-build-isolation .
	@.venv/bin/python -c 'import patchfield; print("patchfield", patchfield.__version__, "is in .venv")'

bench: build  ## Run the kernel benchmarks on one thread (BENCH_FILTER=regex)
	@tools/run_bench.sh build/release/bench "$(BENCH_FILTER)"

peers: build  ## Measure Drake and Patchfield side by side (installs Drake into .venv-peers)
	@tools/apt.sh peers
	@$$(tools/python.sh) bench/peers/geometry.py --json out/peers/geometry.json --csv out/peers/geometry.csv

format:  ## Format the C++ sources in place
	@tools/apt.sh lint
	@tools/lint.sh --fix

lint: venv  ## Check format, layers, headers, documents and clang-tidy
	@tools/apt.sh build test bench lint
	@test -f build/release/build.ninja || cmake --preset release >/dev/null
	@ninja -C build/release build.ninja >/dev/null
	@tools/lint.sh

asan: venv  ## Run all tests under the address and undefined behaviour sanitizers
	@tools/apt.sh build test
	$(call build,asan)
	@tools/run_tests.py asan

tsan: venv  ## Run all tests under the thread sanitizer
	@tools/apt.sh build test
	$(call build,tsan)
	@TSAN_OPTIONS="suppressions=$(CURDIR)/tools/tsan.supp" tools/run_tests.py tsan

fuzz: venv  ## Fuzz each target for FUZZ_SECONDS (default 60), starting from its corpus
	@tools/apt.sh build test fuzz
	$(call build,fuzz,-DCMAKE_CXX_COMPILER=clang++-$$(tools/llvm.sh))
	@tools/run_fuzz.sh build/fuzz/tests/fuzz $(FUZZ_SECONDS)

venv:  ## Make .venv with the pinned Python packages
	@tools/apt.sh build
	@tools/venv.sh .venv tools/requirements.txt

clean:  ## Remove what was built (keeps .venv)
	rm -rf build out .cache

# One command each, complete on a fresh Debian 12; `make` alone explains them.
# The work is in CMakePresets.json and scripts/; this file only names it.
.DEFAULT_GOAL := help
.PHONY: help checks build test test-gpu python page wheel package deb aarch64 docs test-models reproduce bench asan tsan fuzz faults format lint install-deps clean

JOBS ?= $(shell nproc 2>/dev/null || echo 2)
FUZZ_SECONDS ?= 60
OUT ?= out
PROGRAM := build/release/bin/wordsway
DEPS := scripts/install_deps.sh
CPP_FILES = git ls-files '*.cpp' '*.h'

export ASAN_OPTIONS ?= detect_stack_use_after_return=1:strict_string_checks=1:check_initialization_order=1
export UBSAN_OPTIONS ?= print_stacktrace=1
export TSAN_OPTIONS ?= halt_on_error=1:second_deadlock_stack=1:suppressions=$(CURDIR)/scripts/tsan_suppressions.txt

help:
	@echo 'wordsway: how far can one word sway a representation?'
	@echo
	@echo 'Start here'
	@echo '  make build         the program, at $(PROGRAM); try it with --help'
	@echo '  make test          build and run all tests (CI=true: warnings are errors)'
	@echo '  make python        the Python wheel, in build/wheel, and its tests'
	@echo '  make page          the page of `wordsway serve` in Chromium; screenshots in build/page-shots'
	@echo '  make reproduce     Figures 1 to 5 of the paper and more, into $(OUT)/report.html (OUT=dir)'
	@echo
	@echo 'For work on the code (CONTRIBUTING.md)'
	@echo '  make wheel         the wheel for every x86-64 (or AArch64) machine, in build/dist, and its tests'
	@echo '  make package       the C++ package for every such machine, in build/package/prefix'
	@echo '  make deb           the same as a Debian package in build/, with man pages and completion; it is tried out'
	@echo '  make docs          the documentation as a site, in build/site (needs PyPI)'
	@echo '  make aarch64       cross-build for AArch64 and run tests of the library under qemu'
	@echo '  make test-gpu      the GPU against the processor (needs nvcc and cuBLAS; docs/gpu.md)'
	@echo '  make test-models   the model engine against Transformers on all-MiniLM-L6-v2 (downloads it)'
	@echo '  make bench         build and run all benchmarks (ARGS=--benchmark_filter=...)'
	@echo '  make checks        run every whole-tree check, record each in docs/checks.tsv (CHECK=asan: one)'
	@echo '  make asan          tests under AddressSanitizer and UndefinedBehaviorSanitizer'
	@echo '  make tsan          tests under ThreadSanitizer'
	@echo '  make fuzz          fuzz the readers, FUZZ_SECONDS=$(FUZZ_SECONDS) each'
	@echo '  make faults        fail every call to the system in turn in every command, and 200 kills'
	@echo '  make format        rewrite all C++ files with clang-format'
	@echo '  make lint          clang-format and clang-tidy must find nothing; benchmarks, and each header alone, compile'
	@echo '  make install-deps  the packages of all of the above (scripts/packages.txt)'
	@echo '  make clean         remove build/'
	@echo
	@echo 'Each target installs the Debian packages it lacks, with apt-get (and sudo when not root);'
	@echo 'WORDSWAY_SKIP_DEPS=1 leaves the system alone. JOBS=$(JOBS) sets the number of cores used.'

# A first build needs no GoogleTest; a build folder that already has tests keeps them.
build:
	@$(DEPS) build
	cmake --preset release -DWORDSWAY_PYTHON=OFF $(if $(wildcard build/release/CMakeCache.txt),,-DWORDSWAY_TESTS=OFF)
	cmake --build --preset release -j $(JOBS) --target wordsway_program

test:
	@$(DEPS) build test --optional browser fonts python
	cmake --preset release -DWORDSWAY_TESTS=ON -DWORDSWAY_PYTHON=OFF
	cmake --build --preset release -j $(JOBS)
	ctest --preset release -j $(JOBS)
	CMAKE_BUILD_PARALLEL_LEVEL=$(JOBS) scripts/python.sh --optional

# From the objects of `make build`; needs PyPI, into build/.
python: build
	@$(DEPS) python
	CMAKE_BUILD_PARALLEL_LEVEL=$(JOBS) scripts/python.sh

# These three compile the kernels once for each level, which takes twice as long as `make build`, and share the objects.
wheel:
	@$(DEPS) build python wheel
	CMAKE_BUILD_PARALLEL_LEVEL=$(JOBS) scripts/python.sh --release

package:
	@$(DEPS) build
	cmake --preset package
	cmake --build --preset package -j $(JOBS)
	cmake --install build/package --prefix build/package/prefix
	cmake -DSOURCE=$(CURDIR) -DBUILD=$(CURDIR)/build/package -DSCRATCH=$(CURDIR)/build/package/example \
	  -DGENERATOR=Ninja -DCOMPILER=$(or $(shell command -v $(CXX)),g++) -P tests/install/install_test.cmake

deb:
	@$(DEPS) build deb
	cmake --preset deb
	cmake --build --preset deb -j $(JOBS)
	rm -f build/wordsway_*.deb
	cd build/package && cpack
	scripts/check_deb.sh build/wordsway_*.deb

aarch64:
	@$(DEPS) build aarch64
	scripts/aarch64.sh $(JOBS)

docs:
	@$(DEPS) build python
	cmake --preset release $(if $(wildcard build/release/CMakeCache.txt),,-DWORDSWAY_TESTS=OFF)
	cmake --build --preset release -j $(JOBS) --target wordsway_reference
	scripts/docs.sh

# Needs Chromium and, once, PyPI (Selenium, into build/).
page: build
	@$(DEPS) browser page python --optional fonts
	scripts/page.sh

# A build folder of its own, with CUDA. Without a device its tests are skipped, with the reason.
test-gpu:
	@$(DEPS) build test
	cmake --preset cuda
	cmake --build --preset cuda -j $(JOBS) --target test_cuda wordsway_program
	scripts/checks.py gpu build/cuda/bin/test_cuda

# Needs the network: PyTorch and the model come from PyPI, into build/.
test-models:
	@$(DEPS) build test
	cmake --preset release -DWORDSWAY_TESTS=ON
	scripts/test_models.sh

reproduce: build
	$(PROGRAM) reproduce -o $(OUT)

bench:
	@$(DEPS) build bench $(if $(wildcard build/release/CMakeCache.txt),test)
	cmake --preset release -DWORDSWAY_BENCH=ON $(if $(wildcard build/release/CMakeCache.txt),,-DWORDSWAY_TESTS=OFF)
	cmake --build --preset release -j $(JOBS) --target wordsway_bench_all
	scripts/bench.sh $(ARGS)

asan tsan:
	@$(DEPS) build test
	cmake --preset $@
	cmake --build --preset $@ -j $(JOBS)
	ctest --preset $@ -j $(JOBS)

# What a commit was checked with, and when: docs/checks.tsv. Continues after an interruption.
checks:
	scripts/checks.py run $(CHECK)

fuzz:
	@$(DEPS) build fuzz
	cmake --preset fuzz
	cmake --build --preset fuzz -j $(JOBS) --target wordsway_fuzz_all
	scripts/fuzz.sh $(FUZZ_SECONDS) $(JOBS)

faults:
	@$(DEPS) build test
	cmake --preset release -DWORDSWAY_TESTS=ON
	cmake --build --preset release -j $(JOBS) --target test_faults
	scripts/faults.sh $(JOBS)

format:
	@$(DEPS) lint
	$(CPP_FILES) | xargs clang-format -i

# The build comes first: it writes compile_commands.json and the sources that the build generates. Benchmarks are
# compiled too: no test builds them.
lint: build
	@$(DEPS) lint bench test
	cmake --preset release -DWORDSWAY_BENCH=ON -DWORDSWAY_TESTS=ON
	cmake --build --preset release -j $(JOBS) --target wordsway_bench_all headers_compile_alone
	$(CPP_FILES) | xargs clang-format --dry-run -Werror
	scripts/clang_tidy.sh $(JOBS)

install-deps:
	@$(DEPS) build test bench lint fuzz --optional browser page fonts python

clean:
	rm -rf build

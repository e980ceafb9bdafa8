# Everything a newcomer or CI types. Each target is one script of Scripts/; `make help` lists them.
SHELL := /bin/bash
.DEFAULT_GOAL := help
.PHONY: help setup build release run test test-static test-tsan check bench fuzz format clean

help: ## list the targets
	@sed -n 's/^\([a-z-]*\):.*## \(.*\)/make \1\t\2/p' $(MAKEFILE_LIST) | expand -t 16

setup: ## install the C libraries and tools that are missing (apt, as root or with sudo)
	@bash Scripts/setup.sh build run test

build: ## debug build
	@bash Scripts/setup.sh build
	swift build

release: ## one stripped static binary: dist/bgrun
	@bash Scripts/setup.sh build
	@bash Scripts/build-static.sh

run: ## set up, build release, run the jobs of jobs/ once in a sandbox folder
	@bash Scripts/setup.sh build run
	@bash Scripts/run-jobs.sh

test: ## set up, then all tests
	@bash Scripts/setup.sh build test
	@bash Scripts/test.sh

test-tsan: ## all tests under the thread sanitizer
	@bash Scripts/setup.sh build test
	@bash Scripts/test.sh --threads

test-static: ## the tests of Swift handlers, with static programs
	@bash Scripts/setup.sh build test
	@bash Scripts/test.sh --static

check: ## the inner loop: format, source rules, layering, unit tests (counted)
	@bash Scripts/setup.sh build test
	@bash Scripts/check.sh

bench: release ## each measure beside its floor, in one run
	@python3 Benchmarks/run.py

fuzz: ## ten minutes of made-up input for every reader (SECONDS=… for each of four)
	@bash Scripts/setup.sh build
	@bash Scripts/fuzz.sh $(SECONDS)

format: ## rewrite the sources as `make check` wants them
	swift format --in-place --parallel --recursive Sources Tests Benchmarks Examples Package.swift

clean: ## remove what was built, and the sandbox
	rm -rf .build dist .sandbox

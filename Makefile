# `make help` lists the verbs.
.DEFAULT_GOAL := help
# `make SWIFT=/opt/swift-6.2/usr/bin/swift test` takes another one; the scripts are told.
SWIFT ?= swift
export SWIFT

.PHONY: help demo demo-cluster test test-long build bench soak fuzz faults mutate format lint references package release docs

help: ## What there is
	@grep -hE '^[a-z-]+:.*##' $(MAKEFILE_LIST) | awk -F':.*## ' '{printf "  make %-13s %s\n", $$1, $$2}'

demo: ## Build, start everything, sign a demo user in, stay up
	@scripts/demo.sh

demo-cluster: ## PostgreSQL, three daemons, nginx: sign 1,000 people in, kill a daemon, prove that nobody was lost, stay up
	@scripts/demo-cluster.sh

test: ## Install what tests need, run everything
	@scripts/test.sh

test-long: ## The same with the large sizes, HTTP on PostgreSQL and on three daemons, every mutant, the soak and the site: some hours
	@VESTIBULE_TEST_SIZE=long scripts/test.sh
	@VESTIBULE_TEST_STORAGE=postgres scripts/test.sh --filter '^HTTPAPITests\.'
	@VESTIBULE_TEST_DAEMONS=3 scripts/test.sh --filter '^HTTPAPITests\.'
	@scripts/docs.sh
	@scripts/mutate.sh
	@scripts/soak.sh

build: ## Build every program, or PRODUCT, as the demo and the tests do (debug)
	@bash -c 'source scripts/build-flags.sh; "$(SWIFT)" build $(PRODUCT:%=--product %) "$${build_flags[@]}"'

bench: ## Measure against a bare server, in one run
	@scripts/bench.sh

soak: ## Two hours of a steady mix of calls, and the daemon's memory (SOAK_MINUTES)
	@scripts/soak.sh

format: ## Rewrite the sources in the codebase's format
	"$(SWIFT)" format --in-place --recursive --parallel Package.swift Sources Tests Mocks Benchmarks Examples

lint: ## Formatting, scripts of pages, imports, banned calls, file lengths
	@scripts/lint.sh

references: ## Write docs/reference again, as the program prints it
	@scripts/references.sh

docs: ## Build the site: guides, reference, HTTP API, Swift modules (.build/site)
	@scripts/docs.sh

fuzz: ## Ten million odd inputs for each parser (FUZZ_INPUTS, FUZZ_SEED)
	@scripts/fuzz.sh

mutate: ## Deliberate faults, each of which the simulation or a test must notice (MUTANTS)
	@scripts/mutate.sh

faults: ## Every fault of the provider against every call, 1 and 64 clients
	@scripts/faults.sh

package: ## A .deb, a tar.gz, the container recipe and an SBOM, in dist/
	@scripts/package.sh

release: ## Check VERSION, test, and leave its packages in dist/; pushes nothing
	@scripts/release.sh

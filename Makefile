# What a fresh clone needs: any Go since 1.21, which fetches the one that go.mod pins. Everything else comes from go.mod.
# The vector instructions of GOEXPERIMENT=simd change between releases of Go, so a newer one does not do.
export GOEXPERIMENT := simd
export GOTOOLCHAIN := $(shell sed -n 's/^toolchain //p' go.mod)
# Without what only debuggers read, as the kernel builds cells: programs, tests and cells share what is compiled.
export GOFLAGS := $(GOFLAGS) -ldflags=-s -gcflags=all=-dwarf=false

OUT ?= out

.PHONY: all build quick test integration test-xla test-cuda-compile slow check docs docs-check figures lab classroom test-browser check-page fuzz race speed wheel clean

all: build

build:           ## the command, in bin/
	go build -o bin/unlearnlab ./cmd/unlearnlab

# Collecting less garbage takes a quarter off the processor's time.
quick test integration: export GOGC := 400
quick test integration: export GOMEMLIMIT := 3GiB

quick:           ## what has changed since main, in less than a minute
	scripts/quick

# Without a time limit, so that a busy machine makes tests slow and not red.
TEST := go test -vet=off -timeout 0

test:            ## every test that builds no program; make check vets
	$(TEST) ./...

integration:     ## tests that build programs, start kernels or check other systems
	UNLEARNLAB_INTEGRATION=1 $(TEST) ./internal/repotest ./kernelext/kernel/...
	UNLEARNLAB_INTEGRATION=1 $(TEST) ./cmd/unlearnlab ./cmd/unlearnlab/internal/attack ./cmd/unlearnlab/internal/evaluate \
		./cmd/unlearnlab/internal/language ./cmd/unlearnlab/internal/report -run 'SameBytes|_Ships|_Cell$$'

test-xla: build  ## every test of what computes, on XLA, with a plugin of "unlearnlab device install cpu"
	UNLEARNLAB_DEVICE=xla:cpu XLA_FLAGS=--xla_backend_optimization_level=0 go test -timeout 60m ./unlearnkit/device/... \
		./unlearnkit/nn ./unlearnkit/optim ./unlearnkit/train ./unlearnkit/zoo/... ./unlearnkit/unlearn/... ./unlearnkit/study/...

test-cuda-compile: build ## a training step of each family compiled for an H100, without a GPU; downloads 256 MB once
	bin/unlearnlab device install cuda-compiler
	UNLEARNLAB_COMPILE_FOR_GPU=1 go test -count 1 -timeout 60m ./internal/testkit/zootest -run CompileForGPU -v

REFERENCE ?=
slow:            ## every test, long trainings and full sizes too: hours and 12 GiB; REFERENCE=FOLDER adds real models
	UNLEARNLAB_SLOW=1 UNLEARNLAB_REFERENCE=$(abspath $(REFERENCE)) go test -count 1 -p 1 -timeout 6h ./...

docs: build      ## README.md and the documents of docs/src, with the numbers, tables and figures of the command
	go run ./internal/documents

docs-check: build ## that these documents are current
	go run ./internal/documents -check

check: test integration docs-check ## what a change must pass before it is pushed
	@unformatted=$$(find . -name .lab -prune -o -name '*.go' -print0 | xargs -0 gofmt -l); test -z "$$unformatted" || { echo "$$unformatted"; echo "run gofmt -w on these"; exit 1; }
	go vet ./...
	go tool staticcheck ./...

figures: build   ## everything that can be drawn of what ships, and out/index.html, the first of the pages that show everything
	bin/unlearnlab figures --out $(OUT)

FUZZTIME ?= 20s
fuzz:            ## each fuzz target for a while
	@go list -f '{{$$p := .ImportPath}}{{range .TestGoFiles}}{{$$p}} {{end}}{{range .XTestGoFiles}}{{$$p}} {{end}}' ./... | tr ' ' '\n' | sort -u | sed '/^$$/d' | while read -r package; do \
		for target in $$(go test -list '^Fuzz' $$package | grep '^Fuzz'); do \
			echo "$$package $$target"; go test -run '^$$' -fuzz "^$$target\$$" -fuzztime $(FUZZTIME) -fuzzminimizetime 20x $$package || exit 1; \
		done; done

# GoMLX's products point behind their slices, and on purpose, so pointers are checked in our packages alone.
race:            ## the race detector, and Go's checks of pointers, where computing is parallel; needs time and a C compiler
	go test -race -gcflags='github.com/gomlx/...=-d=checkptr=0' ./unlearnkit/device/... ./unlearnkit/train/... ./unlearnkit/study/... ./unlearnkit/study/store/... ./unlearnkit/unlearn/... ./unlearnkit/papers/salmu

lab:             ## JupyterLab with the kernel, in .lab/, on copies of the notebooks in work/; ARGS go to jupyter lab
	scripts/lab $(ARGS)

classroom:       ## an archive that starts JupyterLab with the kernel on laptops without the internet
	scripts/pack_classroom $(OUT)/classroom.tar.gz

test-browser:    ## the kernel in a real browser; skipped where there is no Chromium
	scripts/lab --set-up
	.lab/venv/bin/python -m pip install --quiet --requirement scripts/jupyter/browser.txt
	.lab/venv/bin/python scripts/test_browser.py

check-page: build ## the report pages in headless Chromium, with axe-core; needs Node and Chromium
	bin/unlearnlab report --out $(OUT)/report
	npm install --silent --no-save --prefix .lab/page puppeteer-core@24.43.1 axe-core@4.14.1
	node scripts/check_page.mjs $(OUT)/report $(OUT)/check-page

PYTHON ?= python3
speed:           ## statistics beside scipy's, in one run; PYTHON must have scipy and statsmodels
	$(PYTHON) scripts/compare_speed.py

# linux/amd64 is built with XLA where this is linux/amd64; other platforms compute without it.
VERSION ?= $(shell sed -n 's/^version: //p' CITATION.cff)
PLATFORMS ?= linux/amd64
wheel:           ## Python wheels in out/wheels; VERSION=0.2.0, PLATFORMS=linux/amd64,linux/arm64,darwin/arm64
	go run ./cmd/wheels -version $(VERSION) -platforms $(PLATFORMS) -out $(OUT)/wheels

clean:
	rm -rf bin out

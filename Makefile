# migxml. `make` lists the targets.
.DEFAULT_GOAL := help

FUZZTIME ?= 30s
STATICCHECK := go run honnef.co/go/tools/cmd/staticcheck@v0.7.0
PURE := CGO_ENABLED=0
# Packages whose tests run without two pods, by folder: everything but integration.
UNITS = $(shell $(PURE) go list ./... | grep -v '/integration')
# Folders with golden files, and with fuzz targets.
GOLDEN = $(sort $(dir $(shell grep -rl --include='*_test.go' 'flag.Bool."update"' .)))
FUZZED = $(sort $(shell grep -rl --include='*_test.go' '^func Fuzz' .))

.PHONY: help build demo check test integration race bench fuzz golden lint deps go

help: ## list the targets
	@sed -n 's/^\([a-z]*\):.*## /\1	/p' Makefile | expand -t 14

build: go ## build ./migxml (with cgo where libvirt's headers are installed)
	@if command -v gcc >/dev/null && pkg-config --exists libvirt 2>/dev/null; then \
		echo 'go build -o migxml ./cmd/migxml'; go build -o migxml ./cmd/migxml; \
	else \
		echo 'no libvirt headers (libvirt-dev): migxml is built without a connection to libvirt'; \
		$(PURE) go build -o migxml ./cmd/migxml; \
	fi

demo: deps build ## a guest moves between two pods while you watch (Debian 12, root, under three minutes)
	@mkdir -p .cache
	@go build -tags integration -o .cache/demo ./integration/demo
	@.cache/demo -migxml ./migxml

check: lint ## the quick half: format, vet, lint, unit and command tests; no libvirt, no root, no cgo
	$(PURE) go test -timeout 30m ./...

test: check deps ## everything: check, race tests, two pods (Debian 12, root; installs what is missing)
	@$(MAKE) --no-print-directory race integration

integration: deps ## the migration and boot tests in pods with a real libvirtd and QEMU (Debian 12, root)
	go vet ./...
	go vet -tags integration ./integration/...
	$(STATICCHECK) -tags integration ./integration/...
	go test -tags integration -count=1 -timeout 30m -v ./integration

race: go ## unit and command tests with the race detector (cgo)
	go test -race -timeout 30m $(UNITS)

bench: go ## every benchmark
	$(PURE) go test -run '^$$' -bench . -benchmem $(UNITS)

fuzz: go ## each fuzz target for FUZZTIME (30s); the last, in integration, needs make deps
	@set -e; for file in $(filter-out ./integration/%,$(FUZZED)) $(filter ./integration/%,$(FUZZED)); do \
		for target in $$(sed -n 's/^func \(Fuzz[A-Za-z0-9_]*\)(.*/\1/p' $$file); do \
			echo "$$(dirname $$file) $$target"; \
			if grep -q '^//go:build integration' $$file; then set -- env; else set -- env $(PURE); fi; \
			"$$@" go test -tags integration -run '^$$' -fuzz "^$$target\$$" -fuzztime $(FUZZTIME) ./$$(dirname $$file); \
		done; \
	done

golden: go ## rewrite the expected files of the tests; look at the diff before you commit it
	@set -e; for dir in $(GOLDEN); do $(PURE) go test -count=1 $$dir -update; done
	@git --no-pager diff --stat

lint: go ## gofmt, go vet, staticcheck
	@files=$$(gofmt -l cmd convert integration migrate pathmap); \
		[ -z "$$files" ] || { echo "not formatted by gofmt:" $$files >&2; exit 1; }
	$(PURE) go vet ./...
	$(PURE) $(STATICCHECK) ./...

deps: go ## install what the pods need, if it is not there (Debian 12, root)
	@sh integration/install.sh

# Go is the one thing that is not installed for you.
go:
	@have=$$(GOTOOLCHAIN=local go version 2>/dev/null | sed -n 's/.*go\([0-9][0-9]*\.[0-9][0-9]*\).*/\1/p'); \
	[ "$$(printf '%s\n1.26\n' "$$have" | sort -V | head -n 1)" = 1.26 ] || \
		{ echo "migxml needs Go 1.26 or later in PATH, found $${have:-none}: get it from https://go.dev/dl/ (Debian 12 has an older one)" >&2; exit 1; }

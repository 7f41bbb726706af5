# Every target installs the Debian packages that it needs when they are missing, and asks for nothing when they are there.

SHELL := /bin/bash
SWIFT_SOURCES := Package.swift Sources Tests Queries
STRICT := -Xswiftc -warnings-as-errors
# In a folder of its own, so that it leaves other builds alone; and no library is looked for beside the program.
DIST := -c release --product qoe --static-swift-stdlib --disable-local-rpath --scratch-path .build/dist
QOE_SOAK_MINUTES ?= 60

.PHONY: help build demo dist lint test test-tools soak packages clean

help: ## This list.
	@awk -F ' *## ' '/^[a-z-]+:.*## / { split($$1, name, ":"); printf "make %-16s %s\n", name[1], $$2 }' Makefile

packages:
	@.make/install libsqlite3-dev zlib1g-dev

build: packages ## The programs, optimised, in .build/release.
	swift build -c release

demo: build ## Two days of plays through a running server, the reports on the screen and in demo-output.
	@.make/install curl
	@.make/demo

lint: ## The format and the style, strictly.
	swift format lint --strict --recursive --parallel $(SWIFT_SOURCES)

test: packages lint ## Format, release build without warnings, every fast test, the golden cases, the documentation.
	@.make/install curl python3 strace faketime
	swift build -c release $(STRICT)
	swift test $(STRICT)

test-tools: packages dist ## With real tools: nginx and curl over TLS, systemd's own checks, Prometheus, DuckDB and other readers, a browser, the program alone.
	@.make/install binutils chromium curl gzip nginx-light openssl prometheus python3-venv sqlite3 strace systemd
	@.make/readers
	QOE_TEST_TOOLS=1 swift test $(STRICT) --filter '^ToolTests\.'

dist: packages ## One program with the Swift runtime inside, in dist/qoe: a server needs libsqlite3-0 and zlib1g beside it.
	@.make/install binutils
	swift build $(DIST)
	@mkdir -p dist
	strip -o dist/qoe "$$(swift build $(DIST) --show-bin-path)/qoe"

soak: packages ## An hour of load, kills, stops and slow disks (QOE_SOAK_MINUTES), on the release build.
	@.make/install python3 strace
	swift build -c release --product qoe
	QOE_PROGRAMS=$(CURDIR)/.build/release QOE_SOAK_MINUTES=$(QOE_SOAK_MINUTES) swift test --filter EndToEndTests.SoakTests

clean: ## Removes what was built and what the demo left.
	rm -rf .build demo-output dist

# Every target installs the Debian packages that it needs when they are missing, and asks for nothing when they are there.

SHELL := /bin/bash
SWIFT_SOURCES := Package.swift Sources Tests Queries
STRICT := -Xswiftc -warnings-as-errors
# Tests against processes and over sockets, with real time limits: beside hundreds of others they would measure those. They
# mostly wait, so that two cores have room for one of each kind at a time.
PROCESSES := ^EndToEndTests\.
SOCKETS := ^(HTTPServingTests|IngestTests)\.|URLSessionHTTPClientTests
TWO_STEPS := $(MAKE) --no-print-directory --jobs=2 --output-sync=target
# In a folder of its own, so that it leaves other builds alone; and no library is looked for beside the program. Foundation's
# HTTP client asks for libcurl, which only ClickHouse needs: an empty one satisfies the linker, and the program loads the real
# one when it is to be used (CurlLibrary.swift). The linker is lld, since gold makes jumps to nowhere of such calls.
DIST := -c release --product qoe --static-swift-stdlib --disable-local-rpath --scratch-path .build/dist \
	-Xswiftc -use-ld=lld -Xlinker -L$(CURDIR)/.build/dist/empty -Xlinker --unresolved-symbols=ignore-all -Xlinker -z -Xlinker lazy
QOE_SOAK_MINUTES ?= 60

# What `--version` says of where the program is from; nothing where this is no checkout.
build dist: export QOE_COMMIT := $(shell git -C $(CURDIR) describe --always --abbrev=12 --exclude '*' --dirty 2>/dev/null)

# Seconds that each fuzzer gets.
FUZZ_SECONDS ?= 10

.PHONY: help build bench bench-clickhouse bench-years deb demo dist docs fuzz image lint quick test test-as-user test-clickhouse test-spark test-tools soak packages clean

help: ## This list.
	@awk -F ':[^#]*## ' '/^[a-z-]+:.*## / { printf "make %-16s %s\n", $$1, $$2 }' Makefile

packages:
	@.make/install libsqlite3-dev zlib1g-dev

build: packages ## The programs, optimised, in .build/release.
	swift build -c release

demo: build ## Two days of 1,200 sessions and a running server, the reports on the screen and in demo-output.
	@.make/install curl
	@.make/demo

bench: build ## Every measurement, beside Python's servers, nginx, DuckDB and pandas, in half an hour: one table.
	@.make/install python3-venv nginx-light libnginx-mod-http-echo sqlite3 valgrind
	@test -x .build/bench-venv/bin/python || python3 -m venv .build/bench-venv
	@.build/bench-venv/bin/pip install --quiet --disable-pip-version-check \
		--requirement Sources/qoe-benchmarks/Peers/requirements.txt
	.build/release/qoe-benchmarks all --python .build/bench-venv/bin --work .build

bench-years: build ## A hundred days of a million plays: reports, one day, the page, an export, beside DuckDB; what day 1, 10 and 100 of ordinary traffic take. Three quarters of an hour, 25 GB.
	@.make/install python3-venv
	@test -x .build/bench-venv/bin/python || python3 -m venv .build/bench-venv
	@.build/bench-venv/bin/pip install --quiet --disable-pip-version-check \
		--requirement Sources/qoe-benchmarks/Peers/requirements.txt
	.build/release/qoe-benchmarks days --work .build
	.build/release/qoe-benchmarks years --python .build/bench-venv/bin --work .build

bench-clickhouse: build ## Ten million plays in ClickHouse of today, and in one shard and two of 18.16, against the engines' own figures; half an hour.
	@.make/install curl python3
	@.make/clickhouse install
	.make/clickhouse run .build/release/qoe-benchmarks clickhouse --work .build

quick: packages ## What a change in one target needs (TARGET=Archive): its format, the build, its tests; under a minute once all is built.
	@.make/quick $(TARGET)

lint: ## The format and the style, strictly.
	@.make/step "format" swift format lint --strict --recursive --parallel $(SWIFT_SOURCES)

test: packages lint ## Format, release build without warnings, every fast test, the golden cases, the documentation, the client's threads.
	@.make/install curl python3 strace faketime
	@mkdir -p .build && rm -f .build/test-counts
	@.make/step "release build" swift build -c release $(STRICT)
	@$(TWO_STEPS) fuzz-step client-step
	@.make/step "tests" swift test $(STRICT) --skip '$(PROCESSES)|$(SOCKETS)'
	@$(TWO_STEPS) processes-step sockets-step clickhouse-step
	@cat .build/test-counts

.PHONY: fuzz-step client-step processes-step sockets-step clickhouse-step
fuzz-step:
	@.make/step "fuzzers" .make/fuzz $(FUZZ_SECONDS)
client-step:
	@.make/step "the client's threads and meter" .make/check-client
processes-step:
	@.make/step "tests of processes, one by one" \
		swift test --ignore-lock $(STRICT) --skip-build --no-parallel --filter '$(PROCESSES)'
sockets-step:
	@.make/step "tests over sockets, one by one" \
		swift test --ignore-lock $(STRICT) --skip-build --no-parallel --filter '$(SOCKETS)'
clickhouse-step:
	@.make/step "tests on ClickHouse of today" .make/clickhouse chdb \
		swift test --ignore-lock $(STRICT) --skip-build --no-parallel --filter '^EngineTests\.(Golden|Midnight|Prune)'

test-as-user: ## As root: `make test` once more as a fresh user without rights, over a copy of what is built.
	@.make/as-user make test FUZZ_SECONDS=1

test-tools: packages dist ## With real tools: nginx and curl over TLS, systemd's own checks, Prometheus, DuckDB, LibreOffice and other readers, a browser with players, Kotlin, the program alone, its package and its image.
	@.make/install binutils buildah chromium curl default-jdk-headless dpkg-dev ffmpeg gzip kotlin libandroid-json-java \
		libreoffice-calc mmdebstrap nginx-light openssl prometheus python3-venv python3-yaml sqlite3 strace systemd unzip
	@.make/readers
	@.make/players
	@QOE_TEST_TOOLS=1 .make/step "tests with other people's programs" \
		swift test $(STRICT) --no-parallel --filter '^ToolTests\.'
	@tail -n 1 .build/test-counts

test-clickhouse: packages ## Reports, faults, kills and a million plays on ClickHouse 18.16 as a cluster and on today's engine, within ten minutes.
	@.make/install curl python3
	@.make/clickhouse install
	@.make/step "qoe, optimised" swift build -c release --product qoe
	@.make/step "qoe-simulate, optimised" swift build -c release --product qoe-simulate
	@.make/step "tests, compiled" swift build --build-tests $(STRICT)
	@QOE_PROGRAMS=$(CURDIR)/.build/release .make/step "tests on ClickHouse" .make/clickhouse run \
		swift test $(STRICT) --skip-build --no-parallel --filter '^EngineTests\.'
	@tail -n 1 .build/test-counts

test-spark: packages ## The archive read in place by Spark, a master and two workers of this machine; half a gigabyte from PyPI.
	@.make/install python3-venv
	@command -v java >/dev/null || .make/install default-jre-headless
	@.make/readers spark
	@QOE_TEST_SPARK=1 .make/step "the archive in Spark" swift test $(STRICT) --filter '^ToolTests\.ArchiveSparkTests'

docs: ## The documentation as a website for DocC, in .build/documentation.
	@mkdir -p .build
	@.make/docs .build/documentation

fuzz: packages ## Every parser with mutated input, FUZZ_SECONDS (10) for each; make test has this too.
	@.make/install python3
	@.make/fuzz $(FUZZ_SECONDS)

dist: packages ## One program with the Swift runtime inside, in dist/qoe: a server needs libsqlite3-0 and zlib1g beside it. What names lines of its addresses is in dist/qoe.debug.
	@.make/install binutils
	@mkdir -p dist .build/dist/empty
	@rm -f .build/dist/empty/libcurl.a && ar rc .build/dist/empty/libcurl.a
	swift build $(DIST)
	@program="$$(swift build $(DIST) --show-bin-path)/qoe" && strip -o dist/qoe "$$program" \
		&& objcopy --only-keep-debug --compress-debug-sections "$$program" dist/qoe.debug \
		&& chmod 644 dist/qoe.debug && objcopy --add-gnu-debuglink=dist/qoe.debug dist/qoe

deb: dist ## A Debian package of dist/qoe with its service, in dist/.
	@.make/install dpkg-dev
	@.make/deb

image: dist ## A container image of dist/qoe, by buildah and with packages of Debian alone, in dist/qoe-image.tar.
	@.make/install buildah mmdebstrap
	@.make/image

soak: packages ## An hour of load, kills, stops and slow disks (QOE_SOAK_MINUTES), after days in minutes and long runs of fuzzers and intervals.
	@.make/install faketime python3 strace
	swift build -c release --product qoe
	@.make/fuzz 300
	@QOE_SOAK=1 .make/step "intervals" swift test --filter 'CoverageTests|FalseVerdictTests|KnownTruthsTests'
	@QOE_PROGRAMS=$(CURDIR)/.build/release QOE_BIT_FLIPS=500 .make/step "bits that flip" \
		swift test --filter EndToEndTests.BitFlipTests
	@QOE_SOAK=1 .make/step "damaged numbers" swift test --filter DamagedNumbersTests
	@QOE_PROGRAMS=$(CURDIR)/.build/release QOE_SOAK=1 .make/step "days in minutes" \
		swift test --filter EndToEndTests.DaysSoakTests
	@QOE_PROGRAMS=$(CURDIR)/.build/release QOE_SOAK_MINUTES=$(QOE_SOAK_MINUTES) .make/step "the soak" \
		swift test --filter EndToEndTests.SoakTests

clean: ## Removes what was built and what the demo left.
	rm -rf .build demo-output dist

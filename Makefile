# The whole build.  `make help` lists the targets.
#
# VARIANT=release (default) | debug | asan | failpoints: each has its own folder.
VARIANT ?= release
CC ?= gcc
PREFIX ?= /usr/local
BUILD := build/$(VARIANT)
GEN := build/gen

PKGS := libpq libuv libcurl jansson libssl libcrypto libmicrohttpd ncursesw
SYSTEMD := $(shell pkg-config --exists libsystemd 2>/dev/null && echo yes)
ifeq ($(SYSTEMD),yes)
PKGS += libsystemd
DEFINES += -DHAVE_SYSTEMD
endif

# WERROR= builds with a compiler that knows more warnings.  CFLAGS_MORE and LDFLAGS_MORE are added to the flags of the project.
WERROR ?= -Werror
WARNINGS := -Wall -Wextra -Wpedantic $(WERROR) -Wshadow -Wconversion -Wno-sign-conversion -Wstrict-prototypes \
	-Wmissing-prototypes -Wmissing-declarations -Wold-style-definition -Wredundant-decls -Wwrite-strings \
	-Wpointer-arith -Wcast-qual -Wformat=2 -Wundef -Wvla -Wswitch-enum -Wimplicit-fallthrough
ifneq ($(findstring clang,$(CC)),)
WARNINGS += -Wmissing-variable-declarations -Wcomma -Wunreachable-code
else
WARNINGS += -Wlogical-op -Wduplicated-cond -Wduplicated-branches -Wnull-dereference -Wformat-signedness
endif

HARDEN := -U_FORTIFY_SOURCE -D_FORTIFY_SOURCE=3 -fstack-protector-strong -fstack-clash-protection -fPIE
# Calls and returns go where they should, if the processor can see to it.
HARDEN += $(if $(filter x86_64 i686,$(shell uname -m)),-fcf-protection=full) $(if $(filter aarch64,$(shell uname -m)),-mbranch-protection=standard)
OPT_release := -O2 -g $(HARDEN)
OPT_debug := -O0 -g3
OPT_failpoints := -O1 -g -DFAILPOINTS
OPT_asan := -O1 -g -fsanitize=address,undefined -fno-sanitize-recover=all -fno-omit-frame-pointer -DFAILPOINTS
OPT_fuzz := -O1 -g -fsanitize=fuzzer-no-link,address,undefined -fno-sanitize-recover=all -fno-omit-frame-pointer
OPT_clang := $(OPT_release)
LINK_release := -pie -Wl,-z,relro,-z,now,-z,noexecstack
LINK_asan := -fsanitize=address,undefined
LINK_fuzz := -fsanitize=address,undefined

CFLAGS := -std=c17 -D_GNU_SOURCE $(DEFINES) $(WARNINGS) $(OPT_$(VARIANT)) -Isrc $(shell pkg-config --cflags $(PKGS) 2>/dev/null) $(CFLAGS_MORE)
LDFLAGS := $(LINK_$(VARIANT)) $(LDFLAGS_MORE)
LDLIBS := $(shell pkg-config --libs $(PKGS) 2>/dev/null) -lm

SOURCES := $(wildcard src/*/*.c) src/main.c
LIB_OBJECTS := $(patsubst src/%.c,$(BUILD)/%.o,$(filter-out src/main.c,$(SOURCES))) $(BUILD)/bundle.o $(BUILD)/bundle_table.o \
	$(BUILD)/assets.o $(BUILD)/asset_table.o
ASSETS := $(wildcard assets/*)
SQL_FILES := $(shell find sql examples templates -name '*.sql')
UNIT_TESTS := $(patsubst test/unit/%.c,$(BUILD)/unit/%,$(wildcard test/unit/test_*.c))

# On every processor, unless the caller said how many.
PARALLEL = $(if $(filter -j%,$(MAKEFLAGS)),,-j$(shell nproc))

# A missing library is installed before anything else; later runs cost nothing.
all: ## build the program: build/reeve
	@scripts/bootstrap build
	@$(MAKE) --no-print-directory $(PARALLEL) build/reeve

build/reeve: $(BUILD)/reeve
	@cp -f $< $@

program: $(BUILD)/reeve

$(BUILD)/reeve: $(BUILD)/main.o $(LIB_OBJECTS)
	@echo "  LD $@"
	@$(CC) $(LDFLAGS) -o $@ $^ $(LDLIBS)

$(BUILD)/%.o: src/%.c Makefile
	@mkdir -p $(dir $@)
	@echo "  CC $<"
	@$(CC) $(CFLAGS) -MMD -MP -c -o $@ $<

$(GEN)/bundle.S $(GEN)/bundle_table.c &: $(SQL_FILES) scripts/bundle_sql
	@scripts/bundle_sql $(GEN)

# One object without the mark of protected calls would take it from the whole program.
$(BUILD)/bundle.o: $(GEN)/bundle.S
	@mkdir -p $(dir $@)
	@$(CC) $(if $(filter -fcf-protection%,$(CFLAGS)),-fcf-protection=full -include cet.h) -c -o $@ $<

$(BUILD)/bundle_table.o: $(GEN)/bundle_table.c
	@mkdir -p $(dir $@)
	@$(CC) $(CFLAGS) -c -o $@ $<

# Files that the dashboard serves.
$(GEN)/assets.S $(GEN)/asset_table.c &: $(ASSETS) scripts/bundle_assets
	@scripts/bundle_assets $(GEN)

$(BUILD)/assets.o: $(GEN)/assets.S
	@mkdir -p $(dir $@)
	@$(CC) $(if $(filter -fcf-protection%,$(CFLAGS)),-fcf-protection=full -include cet.h) -c -o $@ $<

$(BUILD)/asset_table.o: $(GEN)/asset_table.c
	@mkdir -p $(dir $@)
	@$(CC) $(CFLAGS) -c -o $@ $<

# A next release, made up for the tests of migrations: our program with other SQL in it.
NEXT := build/next

$(NEXT)/bundle.S $(NEXT)/bundle_table.c &: $(SQL_FILES) $(wildcard test/upgrade/next/*) test/upgrade/make_next scripts/bundle_sql
	@test/upgrade/make_next $(NEXT)
	@scripts/bundle_sql $(NEXT) $(NEXT)

$(NEXT)/reeve: $(BUILD)/main.o $(filter-out $(BUILD)/bundle%,$(LIB_OBJECTS)) $(NEXT)/bundle.S $(NEXT)/bundle_table.c
	@echo "  LD $@"
	@$(CC) $(CFLAGS) $(LDFLAGS) -o $@ $^ $(LDLIBS)

# Fuzz targets: with libFuzzer (VARIANT=fuzz CC=clang), and as programs that play the corpus again.
FUZZERS := $(patsubst fuzz/fuzz_%.c,%,$(wildcard fuzz/fuzz_*.c))
REPLAYS := $(FUZZERS:%=$(BUILD)/replay/%)

$(BUILD)/libreeve.a: $(LIB_OBJECTS)
	@rm -f $@
	@ar rcs $@ $^

$(BUILD)/replay/%: fuzz/fuzz_%.c fuzz/replay.c fuzz/fuzz.h $(BUILD)/libreeve.a
	@mkdir -p $(dir $@)
	@echo "  LD $@"
	@$(CC) $(CFLAGS) -Ifuzz -DCORPUS='"fuzz/corpus/$*"' -o $@ $< fuzz/replay.c $(BUILD)/libreeve.a $(LDFLAGS) $(LDLIBS)

$(BUILD)/fuzz/%: fuzz/fuzz_%.c fuzz/fuzz.h $(BUILD)/libreeve.a
	@mkdir -p $(dir $@)
	@echo "  LD $@"
	@$(CC) $(CFLAGS) -Ifuzz -fsanitize=fuzzer -o $@ $< $(BUILD)/libreeve.a $(LDFLAGS) $(LDLIBS)

fuzzers: $(FUZZERS:%=$(BUILD)/fuzz/%)

fuzz: ## each parser against libFuzzer (FUZZ_SECONDS=30 each, FUZZ="url text": some)
	@scripts/bootstrap fuzz
	@$(MAKE) --no-print-directory VARIANT=fuzz CC=clang fuzzers
	@scripts/run_fuzz build/fuzz/fuzz $(if $(FUZZ),$(FUZZ),$(FUZZERS))

$(BUILD)/unit/%: test/unit/%.c $(LIB_OBJECTS)
	@mkdir -p $(dir $@)
	@echo "  LD $@"
	@$(CC) $(CFLAGS) -o $@ $< $(LIB_OBJECTS) $(LDFLAGS) $(LDLIBS) -lcmocka

# Real workers on simulated time, against a model of the database: test/simulation.
SIM_OBJECTS := $(patsubst test/simulation/%.c,$(BUILD)/simulation/%.o,$(wildcard test/simulation/*.c)) \
	$(patsubst src/%.c,$(BUILD)/%.o,$(wildcard src/task/*.c src/channel/*.c src/metrics/*.c src/trace/*.c) src/db/db_probe.c src/db/db_result.c src/db/sqlstate.c src/db/statements.c \
	src/http/http_request.c src/http/http_policy.c src/http/http_base.c src/loop/notify.c \
	$(filter-out src/base/log.c src/base/outside.c,$(wildcard src/base/*.c)))
SIM_OBJECTS := $(filter-out $(BUILD)/task/process.o,$(SIM_OBJECTS))

$(BUILD)/simulation/%.o: test/simulation/%.c Makefile
	@mkdir -p $(dir $@)
	@echo "  CC $<"
	@$(CC) $(CFLAGS) -Itest/simulation -MMD -MP -c -o $@ $<

$(BUILD)/simulate: $(SIM_OBJECTS)
	@echo "  LD $@"
	@$(CC) $(LDFLAGS) -o $@ $^ $(LDLIBS)

demo: ## private PostgreSQL, worker, guided story (ONCE=1: play it, check it, stop)
	@echo "reeve demo: installs missing packages, builds the program, then starts a private PostgreSQL and a worker"
	@$(MAKE) --no-print-directory all
	build/reeve dev $(if $(ONCE),--once)

test: ## all tiers of tests, and lint (PG=13|14|16|17|18: on another server version)
	@scripts/bootstrap build test
	@$(MAKE) --no-print-directory all
	@scripts/run_tests

test-matrix: ## SQL, isolation and upgrade tests, what reeve new writes, and every mode of installing, on PostgreSQL 13, 14, 16, 17 and 18 (MATRIX="13 18": some)
	@scripts/bootstrap build test
	@$(MAKE) --no-print-directory all
	@scripts/test_matrix $(MATRIX)

test-runs: ## make test ten times in fresh clones, also beside load and on one core; keeps a log (RUNS="--only busy --runs 1")
	@scripts/test_runs $(RUNS)

check: ## an answer in about a minute: unit tests, layers, docs, lint and the fast SQL tests
	@scripts/bootstrap build test
	@scripts/check

figures: build/reeve ## cycles of files, untested modules, uncommented declarations, lines per file (FIGURES=--edges)
	@scripts/figures $(FIGURES)

simulated-objects: # for scripts/figures
	@echo $(SIM_OBJECTS)

unit-tests: $(UNIT_TESTS) $(REPLAYS)

check-unit: unit-tests ## unit tests, and what fuzzing has found
	@scripts/run_unit $(UNIT_TESTS) $(REPLAYS)

check-simulation: $(BUILD)/simulate ## some hundreds of simulated histories, some of them twice: the same seed is the same history
	@$(BUILD)/simulate --seeds 40 --twice >/dev/null
	@$(BUILD)/simulate --from 41 --seeds $(or $(SEEDS),400)

check-sanitized: check-unit-sanitized check-simulation-sanitized ## unit tests and simulation under ASan and UBSan

check-unit-sanitized:
	@scripts/sanitized $(MAKE) --no-print-directory VARIANT=asan check-unit

check-simulation-sanitized:
	@scripts/sanitized $(MAKE) --no-print-directory VARIANT=asan SEEDS=$(or $(SEEDS),40) check-simulation

simulate: $(BUILD)/simulate ## many simulated histories (SEEDS=100000, FROM=1); one again: build/release/simulate --seed N --trace
	@$(BUILD)/simulate --from $(or $(FROM),1) --seeds $(or $(SEEDS),10000)

simulate-mutants: ## break the worker on purpose, in a copy: the simulation must find each break (MUTANTS="drop_renewal")
	@test/simulation/mutants $(MUTANTS)

mutants: ## break one rule at a time, in a copy: a test must notice each (MUTANTS="claim_paused"; --list: scripts/mutants)
	@scripts/mutants $(MUTANTS)

check-model: $(BUILD)/simulate ## the model of the simulation and the real server give the same answers
	@scripts/with_postgres /usr/bin/python3 test/simulation/compare $(BUILD)/simulate

check-sql: ## SQL tests (pgTAP)
	@scripts/with_postgres test/sql/run

test-programs: build/reeve $(NEXT)/reeve # the variants that the tests run
	@$(MAKE) --no-print-directory VARIANT=failpoints program
	@$(MAKE) --no-print-directory VARIANT=asan program

check-security: check-security-sql check-security-program ## attacks: roles, code of users, secrets, addresses, peers, children, under ASan and UBSan

check-security-sql: build/reeve
	@scripts/with_postgres test/sql/run $(filter-out %/evil.sql,$(wildcard test/security/*.sql))

check-security-program: build/reeve
	@$(MAKE) --no-print-directory VARIANT=asan program
	@scripts/sanitized /usr/bin/python3 -m pytest -q -p no:cacheprovider -n 4 test/security test/e2e/test_program_faults.py

check-new: build/reeve ## what reeve new writes, for each channel: applied twice, tested, broken
	@scripts/with_postgres test/new/run

check-isolation: ## races, in every order
	@scripts/with_postgres test/isolation/run

check-schema: build/reeve ## a fresh install and all migrations end in the same schema
	@scripts/with_postgres scripts/check_schema

check-upgrade: build/reeve $(NEXT)/reeve ## from the schema before ours, and from ours to a next one, with data in place
	@scripts/with_postgres test/upgrade/run

check-e2e: build/reeve $(NEXT)/reeve ## program, database and crashes together
	@$(MAKE) --no-print-directory VARIANT=failpoints program
	@/usr/bin/python3 -m pytest -q -p no:cacheprovider -n 4 test/provider test/e2e test/alerts/test_rules.py --ignore test/e2e/test_program_faults.py

check-browser: build/reeve ## the dashboard in Chromium: every page and act, with and without scripts, as observer, operator and administrator
	@/usr/bin/python3 -m pytest -q -p no:cacheprovider -n 2 --dist loadfile test/browser

screenshots: build/reeve ## pictures of every page of the dashboard in build/screenshots, and those of the documents
	@scripts/bootstrap build test
	@test/browser/take_screenshots

test-browsers: build/reeve ## every page of the dashboard in Firefox, and axe-core at level AA, light and dark; installs Firefox, puppeteer-core and axe-core
	@scripts/bootstrap test browsers
	@[ -d build/browsers/node_modules/axe-core ] || npm install --silent --no-audit --no-fund --no-package-lock --prefix build/browsers puppeteer-core axe-core >/dev/null
	@/usr/bin/python3 -m pytest -q -p no:cacheprovider test/browsers

check-modes: build/reeve ## every kind of work under each combination of --strict and --runner
	@/usr/bin/python3 -m pytest -q -p no:cacheprovider test/e2e/test_modes.py

check-clients: build/reeve ## the helpers of clients/ in every language, their packages, and the hello worlds of docs/programs.md; installs the languages and node-postgres
	@scripts/bootstrap clients
	@[ -d build/clients/node_modules/pg ] || npm install --silent --no-audit --no-fund --no-package-lock --prefix build/clients pg@8 >/dev/null
	@/usr/bin/python3 -m pytest -q -rs -p no:cacheprovider -n 2 test/e2e/test_clients.py

check-schedule-times: build/reeve ## 100,000 expressions against croniter, and all zones against a slow implementation (EXPRESSIONS, ZONES)
	@EXPRESSIONS=$(or $(EXPRESSIONS),100000) ZONES=$(or $(ZONES),9999) /usr/bin/python3 -m pytest -q -s -p no:cacheprovider test/e2e/test_schedule_times.py

check-failover: build/reeve ## a primary dies under load and its standby takes over (ROUNDS=10)
	@ROUNDS=$(or $(ROUNDS),10) /usr/bin/python3 -m pytest -q -s -p no:cacheprovider test/e2e/test_failover.py

check-patroni: build/reeve ## switchover, crash, frozen leader and loss of etcd under Patroni; installs its packages
	@scripts/bootstrap patroni
	@/usr/bin/python3 -m pytest -q -s -p no:cacheprovider test/patroni

test-alerts: build/reeve ## each alert fires and falls silent, against a real Prometheus and Alertmanager; installs their packages
	@scripts/bootstrap test alerts
	@/usr/bin/python3 -m pytest -q -p no:cacheprovider test/alerts

check-example: build/reeve ## the worked examples, in rolled-back transactions and under load
	@scripts/with_postgres examples/run

check-layers: build/reeve ## who may include whom, what the engine must not know, cycles of files
	@scripts/check_layers
	@scripts/figures --check

check-docs: build/reeve ## options, commands and functions are documented; each command has help, man page, completions and tests; the package forgets nothing
	@scripts/check_docs
	@scripts/check_cli
	@scripts/check_packaging

lint: check-layers ## warnings of gcc and clang, format, shell, SQL
	@scripts/lint

sanitize: ## unit, security and end-to-end tests under ASan and UBSan, unit tests under valgrind
	@scripts/sanitize

bench: all ## Reeve and its peers on one server, with ratios; writes docs/benchmarks.md
	@bench/run

bench-channels: all build/bench_provider ## calls and supervised e-mails against a provider on this machine
	@scripts/bootstrap bench
	@scripts/with_postgres bench/channels

bench-commands: all ## merging and plain enqueues, parents and unrelated commands (BENCH="--rounds 1")
	@scripts/bootstrap bench
	@PG_OPTIONS="-c fsync=on -c synchronous_commit=on" scripts/with_postgres /usr/bin/python3 bench/bench.py --only commands $(BENCH)

build/bench_provider: bench/provider/provider.c
	@$(CC) -O2 -std=c17 -D_GNU_SOURCE -Wall -Wextra -o $@ $<

bench-top: all ## what reeve top costs, with 10 million completed tasks and a million waiting (BENCH="--history 100000")
	@scripts/bootstrap bench
	@scripts/with_postgres bench/top $(BENCH)

bench-retries: all ## tasks that fail twice against tasks that succeed, as a ratio (BENCH="--rounds 5")
	@scripts/bootstrap bench
	@PG_OPTIONS="-c fsync=on -c synchronous_commit=on" scripts/with_postgres bench/retries $(BENCH)

bench-operate: all ## questions and acts of an operator with 10 million tasks of history (BENCH="--history 1000000")
	@scripts/bootstrap bench
	@PG_OPTIONS="-c fsync=on -c synchronous_commit=on" scripts/with_postgres bench/operate $(BENCH)

bench-pages: all ## each page of the dashboard with 10 million tasks of history and a million waiting (BENCH="--history 1000000")
	@scripts/bootstrap bench
	@PG_OPTIONS="-c fsync=on -c synchronous_commit=on" scripts/with_postgres bench/pages $(BENCH)

bench-programs: all ## trivial tasks by a program, a free channel and graphile-worker, CPU of each, and latency (BENCH="--rounds 5")
	@[ -d bench/node_modules/graphile-worker ] || (cd bench && npm install --silent --no-audit --no-fund --no-package-lock >/dev/null)
	@PG_OPTIONS="-c fsync=on -c synchronous_commit=on" scripts/with_postgres bench/programs $(BENCH)

bench-schedules: all ## the cost of schedules and their lateness, beside pg_cron (BENCH="--only late")
	@scripts/bootstrap schedules
	@PG_OPTIONS="-c fsync=on -c synchronous_commit=on -c shared_preload_libraries=pg_cron -c cron.database_name=bench_schedules \
		-c cron.use_background_workers=on -c max_worker_processes=40" \
		scripts/with_postgres bench/schedules $(BENCH)

bench-observe: all ## a scrape beside 10 million tasks of history, and the cost of metrics at full drain (BENCH="--only drain")
	@scripts/bootstrap bench
	@scripts/with_postgres bench/observe $(BENCH)

bench-http: all ## deliveries of HTTP jobs and the cost of webhooks, as ratios
	@scripts/bootstrap bench
	@bench/http/run

bench-traces: all ## CPU of a drain with and without the export of traces (BENCH="--rounds 3")
	@scripts/bootstrap bench
	@PG_OPTIONS="-c autovacuum=off" scripts/with_postgres bench/traces $(BENCH)

check-otlp: all ## the tests of traces, and OpenTelemetry's own definitions read every span (fetched from npm)
	@scripts/bootstrap matrix
	@[ -d build/otlp/node_modules/@opentelemetry ] || npm install --silent --no-audit --no-fund --no-save --prefix build/otlp @opentelemetry/otlp-transformer@0.57.2 >/dev/null
	@OTLP_DEFINITIONS=$(CURDIR)/build/otlp /usr/bin/python3 -m pytest -q -p no:cacheprovider -n 2 test/e2e/test_traces.py

format: ## lay out the C sources
	clang-format -i $$(find src test/unit test/simulation fuzz -name '*.[ch]')

# Man pages and completions are printed by the program, from its tables.
man: build/reeve ## man pages in build/man, completions of bash, zsh and fish in build/completion
	@mkdir -p build/man build/completion
	@build/reeve --man | while read -r page; do build/reeve --man $$page >build/man/$$page; done
	@build/reeve --completion bash >build/completion/reeve
	@build/reeve --completion zsh >build/completion/_reeve
	@build/reeve --completion fish >build/completion/reeve.fish

install: build/reeve ## install program, man pages, completions, unit files, pages, clients and examples below PREFIX
	@$(MAKE) --no-print-directory man
	for page in $$(build/reeve --man); do install -D -m 644 build/man/$$page $(DESTDIR)$(PREFIX)/share/man/man$${page##*.}/$$page; done
	install -D -m 644 build/completion/reeve $(DESTDIR)$(PREFIX)/share/bash-completion/completions/reeve
	install -D -m 644 build/completion/_reeve $(DESTDIR)$(PREFIX)/share/zsh/site-functions/_reeve
	install -D -m 644 build/completion/reeve.fish $(DESTDIR)$(PREFIX)/share/fish/vendor_completions.d/reeve.fish
	install -D -m 755 build/reeve $(DESTDIR)$(PREFIX)/bin/reeve
	@scripts/install_files "$(DESTDIR)" "$(PREFIX)"

deb: ## a Debian package in build/deb, accepted by lintian
	@scripts/bootstrap build deb
	@scripts/make_deb build/deb

test-package: build/reeve ## the package in clean roots: two equal builds, install, upgrade, use, remove, purge, a signed repository (SUITES="bookworm trixie jammy noble")
	@scripts/bootstrap build deb package
	@/usr/bin/python3 -m pytest -q -p no:cacheprovider --confcutdir=test/package test/package

image: build/reeve ## a container image from nothing with its SBOM, in build/image
	@scripts/bootstrap image
	@scripts/make_image build/image

test-image: build/reeve ## the image: its size, user, libraries, health check and SBOM; the compose file and the Helm chart
	@scripts/bootstrap build test image
	@/usr/bin/python3 -m pytest -q -p no:cacheprovider test/image

clean: ## remove what was built
	rm -rf build

help: ## this list
	@grep -hE '^[a-z0-9-]+:.*## ' $(MAKEFILE_LIST) | sed -E 's/:[^#]*## /\t/' | sort | awk -F'\t' '{printf "  make %-16s %s\n", $$1, $$2}'

.PHONY: all unit-tests program test-programs demo test test-matrix test-runs check figures simulated-objects check-unit check-simulation \
	check-sanitized check-unit-sanitized check-simulation-sanitized simulate simulate-mutants mutants check-model check-sql check-security \
	check-security-sql check-security-program check-isolation check-new check-schema check-upgrade check-e2e check-clients check-failover check-patroni \
	check-example check-layers check-modes fuzz fuzzers check-docs man lint sanitize bench bench-http bench-observe bench-retries bench-programs bench-channels \
	bench-commands format install clean help check-schedule-times bench-schedules test-alerts bench-operate bench-top bench-traces check-otlp deb \
	test-package image test-image
.DEFAULT_GOAL := all
-include $(shell find build -name '*.d' 2>/dev/null)

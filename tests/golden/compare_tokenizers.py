#!/usr/bin/env python3
"""Compares `wordsway tokenize` with the Python `tokenizers` library, text by text; prints the first differences.

    venv/bin/python tests/golden/compare_tokenizers.py build/release/bin/wordsway MODEL_FOLDER CORPUS.jsonl[.xz] [LIMIT]
    venv/bin/python tests/golden/compare_tokenizers.py build/release/bin/wordsway MODEL_FOLDER --random 20000 --seed 1

MODEL_FOLDER has a tokenizer.json; --patch '{"normalizer": {"type": "NFC"}}' merges JSON into it first. Random strings
are of all planes of Unicode, combining marks, control characters, runs of spaces, emoji, Hangul jamo and Indic
conjuncts; the code points that docs/models.md lists as different (KNOWN_DIFFERENT) are left out of them unless
--all-code-points is said. For which thousand reviews to look at, see the checksums in tests/text/imdb_test.cpp. Exit
1 when anything differs.
"""
import argparse
import itertools
import json
import lzma
import pathlib
import random
import subprocess
import sys
import tempfile

from hard_texts import ALL_HARD_TEXTS
from make_tokenizer_golden import merge_patch
from tokenizers import Tokenizer

KEYS = ("ids", "pieces", "words", "offsets")
SHOWN = 5
BLOCK = 2000  # texts at a time, for the memory of the JSON between the two

# (first, last) code points that differ only because the two libraries know different versions of Unicode: in conjuncts,
# which utf8proc 2.8 does not keep in one grapheme.
KNOWN_DIFFERENT = ((0x958, 0x95F), (0x9DC, 0x9DD), (0x9DF, 0x9DF), (0xB5C, 0xB5D))


def read_texts(path, limit):
    opener = lzma.open if path.endswith(".xz") else open
    with opener(path, "rt", encoding="utf-8") as lines:
        return [json.loads(line)["text"] for line in itertools.islice(lines, limit)]


def any_of(*ranges):
    """A function that draws one character from ranges of code points, each range as likely as any other."""
    return lambda rng: chr(rng.randint(*rng.choice(ranges)))


ASCII = any_of((0x20, 0x7E), (0x61, 0x7A))
LATIN = any_of((0xA0, 0x24F), (0x1E00, 0x1EFF), (0x2C60, 0x2C7F))
MARK = any_of((0x300, 0x36F), (0x483, 0x489), (0x591, 0x5BD), (0x610, 0x61A), (0x64B, 0x65F), (0x1AB0, 0x1ACE),
              (0x1DC0, 0x1DFF), (0x20D0, 0x20F0), (0xFE00, 0xFE0F), (0xFE20, 0xFE2F), (0x1D165, 0x1D172),
              (0xE0100, 0xE01EF))
CONTROL = any_of((0x00, 0x1F), (0x7F, 0x9F), (0x200B, 0x200F), (0x2028, 0x202E), (0x2060, 0x206F), (0xFEFF, 0xFEFF),
                 (0xAD, 0xAD), (0x61C, 0x61C), (0x180B, 0x180E), (0xFFF9, 0xFFFD), (0xE0001, 0xE007F))
SPACE = any_of((0x20, 0x20), (0x09, 0x0D), (0xA0, 0xA0), (0x1680, 0x1680), (0x2000, 0x200A), (0x202F, 0x202F),
               (0x205F, 0x205F), (0x3000, 0x3000), (0x2581, 0x2581))
BLOCKS = any_of((0x370, 0x58F), (0x590, 0x8FF), (0x900, 0xDFF), (0xE00, 0x10FF), (0x1100, 0x18FF), (0x1900, 0x1FFF),
                (0x2000, 0x2BFF), (0x2E80, 0x33FF), (0x3400, 0xA4CF), (0xA4D0, 0xABFF), (0xF900, 0xFFFF),
                (0x10000, 0x11FFF), (0x12000, 0x1BFFF), (0x1D000, 0x1FBFF), (0x20000, 0x323AF), (0xE000, 0xF8FF))
ANYWHERE = any_of((0x0, 0xD7FF), (0xE000, 0xFFFF), (0x10000, 0x1FFFF), (0x20000, 0xDFFFF), (0xE0000, 0x10FFFF))
EMOJI = any_of((0x1F300, 0x1F64F), (0x1F680, 0x1F6FF), (0x1F900, 0x1F9FF), (0x2600, 0x27BF), (0x1F1E6, 0x1F1FF),
               (0x1F3FB, 0x1F3FF), (0xA9, 0xA9), (0xAE, 0xAE), (0x2A, 0x39))
JAMO = any_of((0x1100, 0x115F), (0x1160, 0x11A7), (0x11A8, 0x11FF), (0xAC00, 0xD7A3), (0xA960, 0xA97C), (0xD7B0, 0xD7FB))
VIRAMAS = (0x94D, 0x9CD, 0xACD, 0xB4D, 0xC4D, 0xD4D)


def spaces(rng):
    return SPACE(rng) if rng.random() < 0.3 else " " * rng.randint(1, 6)


def emoji_sequence(rng):
    joiners = ("\u200d", "\ufe0f", "\u200d", "", "\u20e3")
    return "".join(EMOJI(rng) + rng.choice(joiners) for _ in range(rng.randint(1, 4)))


def hangul(rng):
    return "".join(JAMO(rng) for _ in range(rng.randint(1, 5)))


def conjunct(rng):
    virama = rng.choice(VIRAMAS)
    block = virama - 0x4D
    parts = [chr(block + rng.randint(0x05, 0x70))]
    for _ in range(rng.randint(1, 3)):
        parts += [chr(virama), rng.choice(("", "", "\u200d", "\u200c")), chr(block + rng.randint(0x05, 0x70))]
    return "".join(parts)


def marked(rng):
    base = rng.choice((ASCII, LATIN, BLOCKS))(rng)
    return base + "".join(MARK(rng) for _ in range(rng.randint(1, 4)))


def word(rng):
    return "".join(rng.choice("etaoinshrdlu") for _ in range(rng.randint(1, 9)))


def run(rng):
    return rng.choice("aeo.!?-=*") * rng.randint(2, 40)


def hard_piece(rng):
    text = rng.choice(ALL_HARD_TEXTS)
    begin = rng.randint(0, len(text))
    return text[begin:begin + rng.randint(1, 12)]


KINDS = (word, word, spaces, spaces, run, ASCII, LATIN, MARK, CONTROL, BLOCKS, BLOCKS, ANYWHERE, marked, marked,
         emoji_sequence, hangul, conjunct, hard_piece)


def random_texts(count, seed, all_code_points):
    rng = random.Random(seed)
    left_out = () if all_code_points else KNOWN_DIFFERENT
    for _ in range(count):
        text = "".join(rng.choice(KINDS)(rng) for _ in range(rng.randint(1, 24)))
        yield "".join(c for c in text if not any(first <= ord(c) <= last for first, last in left_out))


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


def differences(program, folder, texts):
    """Index and wrong keys of every text that differs, then the number of tokens."""
    wrong = []
    tokens = 0
    for begin in range(0, len(texts), BLOCK):
        block = texts[begin:begin + BLOCK]
        given = wordsway_encodings(program, folder, block)
        if len(given) != len(block):
            sys.exit(f"{len(given)} encodings for {len(block)} texts")
        for number, (expected, actual) in enumerate(zip(expected_encodings(folder, block), given)):
            keys = [key for key in KEYS if expected[key] != actual[key]]
            if keys:
                wrong.append((begin + number, keys))
            tokens += len(expected["ids"])
    return wrong, tokens


def compare(program, folder, texts):
    wrong, tokens = differences(program, folder, texts)
    for number, keys in wrong[:SHOWN]:
        print(f"text {number}: {', '.join(keys)} differ: {ascii(texts[number][:200])}")
    print(f"{len(texts)} texts, {tokens} tokens, {len(wrong)} texts differ", flush=True)
    return len(wrong)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("program")
    parser.add_argument("folder")
    parser.add_argument("corpus", nargs="?")
    parser.add_argument("limit", nargs="?", type=int)
    parser.add_argument("--random", type=int, metavar="N", help="N random strings instead of, or after, the corpus")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--all-code-points", action="store_true", help="also those that are known to differ")
    parser.add_argument("--patch", type=json.loads, default={}, help="JSON that is merged into tokenizer.json")
    options = parser.parse_args()
    if options.corpus is None and options.random is None:
        parser.error("expected a corpus, or --random N")

    with tempfile.TemporaryDirectory() as patched:
        saved = json.loads(pathlib.Path(options.folder, "tokenizer.json").read_text(encoding="utf-8"))
        pathlib.Path(patched, "tokenizer.json").write_text(json.dumps(merge_patch(saved, options.patch)))
        folder = patched if options.patch else options.folder
        wrong = 0
        if options.corpus is not None:
            wrong += compare(options.program, folder, read_texts(options.corpus, options.limit))
        if options.random is not None:
            texts = list(random_texts(options.random, options.seed, options.all_code_points))
            wrong += compare(options.program, folder, texts)
    sys.exit(1 if wrong else 0)


if __name__ == "__main__":
    main()

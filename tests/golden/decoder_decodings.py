"""What the `tokenizers` library makes of ids: texts, and checksums of very many of them.

decodings.json has for every case {"name", "base", "patch", "texts": [[ids, text without special tokens, text with
them], ...], "checksums": [CRC-32 of the texts of each thousand lists of ids, both ways]}. The lists of the checksums
are drawn by a generator that tests/text/golden_decodings_test.cpp has too.
"""
import copy
import json
import zlib

from hard_texts import ALL_HARD_TEXTS
from tokenizers import Tokenizer

BLOCK, BLOCKS = 1000, 20
MARK = "\u2581"
FACTOR, STEP = 6364136223846793005, 1442695040888963407


class Draws:
    """Knuth's linear congruential generator, high bits only."""

    def __init__(self):
        self.state = 1

    def below(self, count):
        self.state = (self.state * FACTOR + STEP) % 2 ** 64
        return (self.state >> 33) % count


def draw_ids(draws, size, texts):
    """Ids at random, which are mostly not UTF-8, and stretches of the encodings of texts."""
    ids = []
    for _ in range(1 + draws.below(12)):
        if draws.below(2) == 0:
            ids.append(draws.below(size + 3))  # a few ids that no token has
        else:
            text = texts[draws.below(len(texts))]
            begin = draws.below(len(text) + 1)
            ids += text[begin:begin + draws.below(12)]
    return ids


def variants(bases):
    steps = bases["llama2"]["decoder"]["decoders"]
    metaspace = {"type": "Metaspace", "replacement": MARK, "prepend_scheme": "first", "split": False}
    strip = {"type": "Strip", "content": "e", "start": 2, "stop": 0}  # the library panics on a stop and an empty token
    replace = {"type": "Replace", "pattern": {"String": "the"}, "content": "THEE"}
    normalized = [dict(token, normalized=True) for token in bases["llama2"]["added_tokens"]]
    return [(name, name, {}) for name in bases] + [
        ("wordpiece without cleanup", "wordpiece", {"decoder": {"cleanup": False, "prefix": "##t"}}),
        ("wordpiece without decoder", "wordpiece", {"decoder": None}),
        ("unigram without prefix", "unigram", {"decoder": {"prepend_scheme": "never"}}),
        ("llama 2 with metaspace and bytes", "llama2", {"decoder": {"decoders": [{"type": "ByteFallback"}, metaspace]}}),
        ("llama 2 with steps after fusing", "llama2", {"decoder": {"decoders": steps + [replace, metaspace]}}),
        ("llama 2 without fusing", "llama2", {"decoder": {"decoders": steps[:2] + [strip]}}),
        ("llama 2 with older files' tokens", "llama2", {"added_tokens": normalized}),
        ("llama 3 in a sequence", "llama3", {"decoder": {"type": "Sequence", "decoders": [bases["llama3"]["decoder"], replace]}}),
    ]


def merged(target, patch):
    result = copy.deepcopy(target)
    for key, value in patch.items():
        if value is None:
            result.pop(key, None)
        else:
            result[key] = merged(result.get(key) or {}, value) if isinstance(value, dict) else value
    return result


def decoded(tokenizer, ids):
    return [tokenizer.decode(ids, skip_special_tokens=skip) for skip in (True, False)]


def checksums(tokenizer, size, texts):
    draws, result = Draws(), []
    for _ in range(BLOCKS):
        crc = 0
        for _ in range(BLOCK):
            for text in decoded(tokenizer, draw_ids(draws, size, texts)):
                crc = zlib.crc32(text.encode() + b"\n", crc)
        result.append(crc)
    return result


def decoding_cases(bases):
    cases = []
    for name, base, patch in variants(bases):
        tokenizer = Tokenizer.from_str(json.dumps(merged(bases[base], patch)))
        texts = [Tokenizer.from_str(json.dumps(bases[base])).encode(text).ids for text in ALL_HARD_TEXTS]
        size = 1 + max(tokenizer.get_vocab().values())
        shown = [ids for ids in texts if len(ids) < 40]
        cases.append({"name": name, "base": base, "patch": patch, "texts": [[ids] + decoded(tokenizer, ids) for ids in shown],
                      "checksums": checksums(tokenizer, size, texts)})
    return {"block": BLOCK, "cases": cases}

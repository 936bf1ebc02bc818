#!/usr/bin/env python3
"""Step 1: from the review file to a vocabulary and token arrays. Needs no GPU.

    python training/prepare.py imdb.jsonl.xz OUT

OUT gets tokenizer.json, vocab.txt, tokenizer_config.json, train.npy and heldout.npy (uint16: reviews one after another,
each as [CLS] pieces [SEP]) and prepare.json (checksum of the data, counts, versions).

A review is held out when sha256 of its text is 0 modulo 50 (2%), so the split does not depend on the order of the
file, and two copies of one review fall on the same side. The vocabulary is learned from the other 98% alone.
Line-break markup (<br />) becomes a space: it is an artefact of the web page and would be an easy prediction.
"""
import hashlib
import json
import lzma
import pathlib
import re
import sys

import numpy as np
import tokenizers
from tokenizers import decoders, models, normalizers, pre_tokenizers, processors, trainers

VOCABULARY = 8192
HELD_OUT_EVERY = 50
SPECIAL = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]"]
ALPHABET = 120  # rarer characters are unknown: the file has a long tail of accents and symbols


def read_reviews(path):
    with lzma.open(path, "rt", encoding="utf-8") as file:
        for line in file:
            yield re.sub(r"(<br\s*/?>\s*)+", " ", json.loads(line)["text"])


def is_held_out(text):
    return int.from_bytes(hashlib.sha256(text.encode()).digest()[:8], "big") % HELD_OUT_EVERY == 0


def learn_tokenizer(texts):
    tokenizer = tokenizers.Tokenizer(models.WordPiece(unk_token="[UNK]", max_input_chars_per_word=100))
    tokenizer.normalizer = normalizers.BertNormalizer(lowercase=True)
    tokenizer.pre_tokenizer = pre_tokenizers.BertPreTokenizer()
    tokenizer.decoder = decoders.WordPiece(prefix="##")
    trainer = trainers.WordPieceTrainer(
        vocab_size=VOCABULARY, special_tokens=SPECIAL, limit_alphabet=ALPHABET, min_frequency=2, show_progress=False)
    tokenizer.train_from_iterator(texts, trainer, length=len(texts))
    tokenizer.post_processor = processors.TemplateProcessing(
        single="[CLS] $A [SEP]", pair="[CLS] $A [SEP] $B:1 [SEP]:1", special_tokens=[("[CLS]", 2), ("[SEP]", 3)])
    assert tokenizer.get_vocab_size() == VOCABULARY
    return tokenizer


def write_tokenizer(tokenizer, folder):
    tokenizer.save(str(folder / "tokenizer.json"))
    pieces = sorted(tokenizer.get_vocab().items(), key=lambda item: item[1])
    (folder / "vocab.txt").write_text("".join(piece + "\n" for piece, _ in pieces), encoding="utf-8")
    config = {
        "tokenizer_class": "BertTokenizer", "do_lower_case": True, "model_max_length": 512, "pad_token": "[PAD]",
        "unk_token": "[UNK]", "cls_token": "[CLS]", "sep_token": "[SEP]", "mask_token": "[MASK]",
        "strip_accents": None, "tokenize_chinese_chars": True,
    }
    (folder / "tokenizer_config.json").write_text(json.dumps(config, indent=2) + "\n")


def write_tokens(tokenizer, texts, path):
    encodings = tokenizer.encode_batch(texts)
    ids = np.concatenate([np.array(encoding.ids, dtype=np.uint16) for encoding in encodings])
    np.save(path, ids)
    return {"reviews": len(texts), "tokens": int(ids.size), "unknown": int((ids == 1).sum())}


def main():
    source, folder = sys.argv[1], pathlib.Path(sys.argv[2])
    folder.mkdir(parents=True, exist_ok=True)
    reviews = list(read_reviews(source))
    train = [text for text in reviews if not is_held_out(text)]
    held_out = [text for text in reviews if is_held_out(text)]
    tokenizer = learn_tokenizer(train)
    write_tokenizer(tokenizer, folder)
    facts = {
        "data_sha256": hashlib.sha256(pathlib.Path(source).read_bytes()).hexdigest(),
        "train": write_tokens(tokenizer, train, folder / "train.npy"),
        "heldout": write_tokens(tokenizer, held_out, folder / "heldout.npy"),
        "vocabulary": VOCABULARY,
        "versions": {"tokenizers": tokenizers.__version__, "numpy": np.__version__},
    }
    (folder / "prepare.json").write_text(json.dumps(facts, indent=2) + "\n")
    print(json.dumps(facts, indent=2))


if __name__ == "__main__":
    main()

#!/usr/bin/env python3
"""Step 1: from our own grammar to a vocabulary and token arrays. Needs no GPU.

    python -m training.normalisers.prepare build/release/bin/write_questions build/normaliser-data

The folder gets vocab.txt and tokenizer_config.json; train.xz and heldout.xz, which are token arrays (training/decoder/
packing.py reads them), each text as [CLS] pieces [SEP]; and prepare.json (checksums, counts, versions).

Half of the texts are built-in reviews (text/reviews), half the reviews of questions (text/questions), without the
question: both of a pair, which differ in one word. The last ones that the tool prints are held out: the same grammar
with other numbers. The vocabulary has seen the training part alone.
"""
import argparse
import hashlib
import json
import pathlib
import subprocess

import numpy as np
import tokenizers
from tokenizers import models, normalizers, pre_tokenizers, processors, trainers

from training import prepare as encoder
from training.decoder import packing

VOCABULARY = 1920  # so that twelve models have 6 MB together


def arguments():
    parser = argparse.ArgumentParser()
    parser.add_argument("tool", help="write_questions, as CMake builds it")
    parser.add_argument("folder", type=pathlib.Path)
    parser.add_argument("--reviews", type=int, default=35_000, help="built-in reviews")
    parser.add_argument("--pairs", type=int, default=20_000, help="pairs of reviews of questions")
    parser.add_argument("--held-out", type=int, default=1000, help="further reviews, and half as many pairs")
    return parser.parse_args()


def lines_of(tool, kind, count):
    lines = subprocess.run([tool, kind, str(count)], check=True, capture_output=True).stdout
    return [json.loads(line) for line in lines.decode().splitlines()]


def review_of(prompt):
    """What stands between "Review:" and the question."""
    assert prompt.startswith("Review: ")
    for end in (" Question: ", " Continue:"):
        if end in prompt:
            return prompt[len("Review: "):prompt.index(end)]
    raise ValueError(f"a prompt without a question: {prompt}")


def texts_of(options):
    """(training texts, held-out texts)"""
    reviews = [line["text"] for line in lines_of(options.tool, "reviews", options.reviews + options.held_out)]
    pairs = [[review_of(prompt) for prompt in line["prompts"]]
             for line in lines_of(options.tool, "training", options.pairs + options.held_out // 2)]
    flat = [[text for pair in part for text in pair] for part in (pairs[:options.pairs], pairs[options.pairs:])]
    return reviews[:options.reviews] + flat[0], reviews[options.reviews:] + flat[1]


def learn_tokenizer(texts):
    tokenizer = tokenizers.Tokenizer(models.WordPiece(unk_token="[UNK]", max_input_chars_per_word=100))
    tokenizer.normalizer = normalizers.BertNormalizer(lowercase=True)
    tokenizer.pre_tokenizer = pre_tokenizers.BertPreTokenizer()
    trainer = trainers.WordPieceTrainer(vocab_size=VOCABULARY, special_tokens=encoder.SPECIAL, min_frequency=2,
                                        show_progress=False)
    tokenizer.train_from_iterator(texts, trainer, length=len(texts))
    tokenizer.post_processor = processors.TemplateProcessing(
        single="[CLS] $A [SEP]", special_tokens=[("[CLS]", 2), ("[SEP]", 3)])
    assert tokenizer.get_vocab_size() == VOCABULARY
    return tokenizer


def write_tokenizer(tokenizer, folder):
    pieces = sorted(tokenizer.get_vocab().items(), key=lambda item: item[1])
    (folder / "vocab.txt").write_text("".join(piece + "\n" for piece, _ in pieces), encoding="utf-8")
    config = {"tokenizer_class": "BertTokenizer", "do_lower_case": True, "model_max_length": 256, "pad_token": "[PAD]",
              "unk_token": "[UNK]", "cls_token": "[CLS]", "sep_token": "[SEP]", "mask_token": "[MASK]",
              "strip_accents": None, "tokenize_chinese_chars": True}
    (folder / "tokenizer_config.json").write_text(json.dumps(config, indent=2) + "\n")


def write_tokens(tokenizer, texts, path):
    documents = [np.array(encoding.ids, dtype=np.uint16) for encoding in tokenizer.encode_batch(texts)]
    packing.save(path, documents, [0] * len(documents))
    ids = np.concatenate(documents)
    return {"texts": len(texts), "tokens": int(ids.size), "unknown": int((ids == 1).sum()),
            "longest": max(map(len, documents)), "words": sum(len(text.split()) for text in texts),
            "sha256": hashlib.sha256("\n".join(texts).encode()).hexdigest(), "bytes": path.stat().st_size}


def main():
    options = arguments()
    folder = options.folder
    folder.mkdir(parents=True, exist_ok=True)
    train, held_out = texts_of(options)
    seen = set(train)
    held_out = [text for text in held_out if text not in seen]  # short ones can come again
    tokenizer = learn_tokenizer(train)
    write_tokenizer(tokenizer, folder)
    facts = {"train": write_tokens(tokenizer, train, folder / "train.xz"),
             "heldout": write_tokens(tokenizer, held_out, folder / "heldout.xz"),
             "vocabulary": VOCABULARY,
             "versions": {"tokenizers": tokenizers.__version__, "numpy": np.__version__}}
    (folder / "prepare.json").write_text(json.dumps(facts, indent=2) + "\n")
    print(json.dumps(facts, indent=2))


if __name__ == "__main__":
    main()

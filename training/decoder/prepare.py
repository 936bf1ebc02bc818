#!/usr/bin/env python3
"""Step 1: from the review file and our own questions to a vocabulary and token arrays. Needs no GPU.

    python -m training.decoder.prepare imdb.jsonl.xz build/release/bin/write_questions build/decoder-data

The folder gets tokenizer.json and tokenizer_config.json; texts.xz (IMDb's training part, then built-in reviews),
heldout.xz (IMDb's held-out part) and questions-0.xz and so on, which are token arrays (packing.py reads them);
heldout.jsonl.xz, the held-out questions as text; and prepare.json (checksums, counts, versions).

Which reviews of IMDb are held out, and what is done to their markup, is the encoder's choice (training/prepare.py). The
vocabulary has seen the training parts alone.
"""
import argparse
import hashlib
import json
import lzma
import pathlib
import subprocess

import numpy as np
import tokenizers
from tokenizers import decoders, models, pre_tokenizers, processors, trainers

from training import prepare as reviews
from training.decoder import packing

VOCABULARY = 8192
PAIRS_A_FILE = 180_000  # about 24 MB, so that each can travel alone to a machine that takes no more at once
BEGIN, END = "<|begin_of_text|>", "<|end_of_text|>"


def arguments():
    parser = argparse.ArgumentParser()
    parser.add_argument("imdb", type=pathlib.Path)
    parser.add_argument("tool", help="write_questions, as CMake builds it")
    parser.add_argument("folder", type=pathlib.Path)
    parser.add_argument("--pairs", type=int, default=540_000, help="pairs of training questions: two documents each")
    parser.add_argument("--reviews", type=int, default=20000, help="built-in reviews")
    parser.add_argument("--held-out", type=int, default=2200, help="held-out pairs of either length")
    parser.add_argument("--imdb-reviews", type=int, default=None, help="the first ones only, for a trial")
    return parser.parse_args()


def from_tool(options, kind, count):
    lines = subprocess.run([options.tool, kind, str(count)], check=True, capture_output=True).stdout
    return lines.decode().splitlines()


def learn_tokenizer(texts):
    """Byte-level BPE by GPT-2's pattern of words; Llama's special tokens come first."""
    tokenizer = tokenizers.Tokenizer(models.BPE())
    tokenizer.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False, use_regex=True)
    tokenizer.decoder = decoders.ByteLevel()
    trainer = trainers.BpeTrainer(vocab_size=VOCABULARY, special_tokens=[BEGIN, END], show_progress=False,
                                  initial_alphabet=pre_tokenizers.ByteLevel.alphabet())
    tokenizer.train_from_iterator(texts, trainer)
    tokenizer.post_processor = processors.TemplateProcessing(
        single=f"{BEGIN} $A", pair=f"{BEGIN} $A {BEGIN}:1 $B:1", special_tokens=[(BEGIN, packing.BEGIN)])
    assert tokenizer.token_to_id(BEGIN) == packing.BEGIN and tokenizer.token_to_id(END) == packing.END
    return tokenizer


def write_tokenizer(tokenizer, folder):
    # Written without blanks: the folder of the model has to stay small.
    (folder / "tokenizer.json").write_text(json.dumps(json.loads(tokenizer.to_str()), ensure_ascii=False,
                                                      separators=(",", ":")))
    config = {"tokenizer_class": "PreTrainedTokenizerFast", "bos_token": BEGIN, "eos_token": END, "pad_token": END,
              "model_max_length": 512, "clean_up_tokenization_spaces": False, "add_bos_token": True}
    (folder / "tokenizer_config.json").write_text(json.dumps(config, indent=2) + "\n")


def encode(tokenizer, texts):
    for begin in range(0, len(texts), 20000):
        for encoding in tokenizer.encode_batch_fast(texts[begin:begin + 20000], add_special_tokens=False):
            yield np.array(encoding.ids, dtype=np.uint16)


def plain_documents(tokenizer, texts):
    """Whole texts, with no answer."""
    return [np.concatenate([[packing.BEGIN], ids, [packing.END]]) for ids in encode(tokenizer, texts)], [0] * len(texts)


def question_documents(tokenizer, lines):
    """Both prompts of every pair with their answers. A prompt ends with a colon, so its tokens do not depend on the
    answer, which comes after a blank."""
    documents, answer_lengths = [], []
    for begin in range(0, len(lines), 20000):
        pairs = [json.loads(line) for line in lines[begin:begin + 20000]]
        prompts = encode(tokenizer, [prompt for pair in pairs for prompt in pair["prompts"]])
        answers = encode(tokenizer, [" " + answer for pair in pairs for answer in pair["answers"]])
        for prompt, answer in zip(prompts, answers):
            documents.append(np.concatenate([[packing.BEGIN], prompt, answer, [packing.END]]))
            answer_lengths.append(len(answer) + 1)
    return documents, answer_lengths


def write_tokens(path, documents, answer_lengths):
    packing.save(path, documents, answer_lengths)
    lengths = np.array([len(document) for document in documents])
    return {"documents": len(documents), "tokens": int(lengths.sum()), "longest": int(lengths.max()),
            "answer_tokens": int(sum(answer_lengths)), "bytes": path.stat().st_size}


def main():
    options = arguments()
    folder = options.folder
    folder.mkdir(parents=True, exist_ok=True)
    imdb = list(reviews.read_reviews(options.imdb))[:options.imdb_reviews]
    train = [text for text in imdb if not reviews.is_held_out(text)]
    held_out = [text for text in imdb if reviews.is_held_out(text)]
    own = [json.loads(line)["text"] for line in from_tool(options, "reviews", options.reviews)]
    questions = from_tool(options, "training", options.pairs)
    asked = {name: from_tool(options, name, options.held_out) for name in ("short", "long")}
    sample = [pair["prompts"][0] + " " + pair["answers"][0] for pair in map(json.loads, questions[:20000])]
    tokenizer = learn_tokenizer(train + own + sample)
    assert tokenizer.get_vocab_size() == VOCABULARY
    write_tokenizer(tokenizer, folder)
    with lzma.open(folder / "heldout.jsonl.xz", "wt", encoding="utf-8") as file:
        for name, lines in asked.items():
            file.writelines(json.dumps({"set": name, **json.loads(line)}) + "\n" for line in lines)
    parts = [questions[i:i + PAIRS_A_FILE] for i in range(0, len(questions), PAIRS_A_FILE)]
    facts = {
        "data_sha256": hashlib.sha256(options.imdb.read_bytes()).hexdigest(),
        "questions_sha256": hashlib.sha256("\n".join(questions).encode()).hexdigest(),
        "heldout_questions_sha256": hashlib.sha256("\n".join(sum(asked.values(), [])).encode()).hexdigest(),
        "imdb_documents": len(train),  # the first ones of texts.xz
        "texts": write_tokens(folder / "texts.xz", *plain_documents(tokenizer, train + own)),
        "heldout": write_tokens(folder / "heldout.xz", *plain_documents(tokenizer, held_out)),
        "questions": [write_tokens(folder / f"questions-{i}.xz", *question_documents(tokenizer, part))
                      for i, part in enumerate(parts)],
        "vocabulary": VOCABULARY,
        "versions": {"tokenizers": tokenizers.__version__, "numpy": np.__version__},
    }
    (folder / "prepare.json").write_text(json.dumps(facts, indent=2) + "\n")
    print(json.dumps(facts, indent=2))


if __name__ == "__main__":
    main()

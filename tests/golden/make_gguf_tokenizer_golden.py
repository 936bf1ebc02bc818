#!/usr/bin/env python3
"""The decoders' tokenizers of tests/golden/tokenizers as GGUF files, as llama.cpp's converter writes them.

    PYTHONPATH=VENV_WITH_GGUF/lib/python3.11/site-packages VENV/bin/python tests/golden/make_gguf_tokenizer_golden.py

Made with gguf 0.19.0 and transformers 5.22.2, into tests/golden/gguf/tokenizers/:
    llama3.gguf, qwen2.gguf, llama2.gguf   metadata alone, without tensors. The last key is a text that does not end in
                                           zero bytes, so that tests can change the metadata and pad it again.
    llama2_merges.json                     the merges that Transformers derives from the scores of llama2.gguf. They
                                           have more splits than those that the tokenizer was trained with.
"""
import json
import pathlib

import gguf
from gguf import TokenType
from transformers.convert_slow_tokenizer import generate_merges

HERE = pathlib.Path(__file__).resolve().parent
TOKENIZERS, OUT = HERE / "tokenizers", HERE / "gguf" / "tokenizers"
PADDED = 3  # tokens that fill the vocabulary up


def tokens_and_types(saved):
    """In the order of ids, padded as the converter does it."""
    ids = dict(saved["model"]["vocab"])
    types = {token: TokenType.NORMAL for token in ids}
    for token in saved["added_tokens"]:
        ids[token["content"]] = token["id"]
        types[token["content"]] = TokenType.CONTROL if token["special"] else TokenType.USER_DEFINED
    tokens = sorted(ids, key=ids.get)
    assert [ids[token] for token in tokens] == list(range(len(tokens)))
    types = [types[token] for token in tokens] + [TokenType.UNUSED] * PADDED
    return tokens + [f"[PAD{len(tokens) + i}]" for i in range(PADDED)], types


def add_byte_level(writer, saved, pre, roles):
    tokens, types = tokens_and_types(saved)
    writer.add_tokenizer_model("gpt2")
    writer.add_tokenizer_pre(pre)
    writer.add_token_list(tokens)
    writer.add_token_types(types)
    writer.add_token_merges([merge if isinstance(merge, str) else " ".join(merge) for merge in saved["model"]["merges"]])
    for role, token in roles.items():
        getattr(writer, f"add_{role}_token_id")(tokens.index(token))


def sentencepiece_scores(tokens, types, merges):
    """As SentencePiece's trainer gives them: 0, -1, -2, ... in the order of the merges, characters after that."""
    ranks = {"".join(merge): rank for rank, merge in reversed(list(enumerate(merges)))}
    scores, next_rank = [], len(merges)
    for token, kind in zip(tokens, types):
        if kind != TokenType.NORMAL:
            scores.append(-10000.0 if kind == TokenType.UNUSED else 0.0)
        elif token in ranks:
            scores.append(-float(ranks[token]))
        else:
            scores.append(-float(next_rank))
            next_rank += 1
    return scores


def add_sentencepiece(writer, saved):
    tokens, types = tokens_and_types(saved)
    types[0] = TokenType.UNKNOWN
    for id in range(3, 259):
        types[id] = TokenType.BYTE
    scores = sentencepiece_scores(tokens, types, saved["model"]["merges"])
    writer.add_tokenizer_model("llama")
    writer.add_tokenizer_pre("default")
    writer.add_token_list(tokens)
    writer.add_token_scores(scores)
    writer.add_token_types(types)
    writer.add_unk_token_id(0)
    writer.add_bos_token_id(1)
    writer.add_eos_token_id(2)
    writer.add_add_bos_token(True)
    writer.add_add_eos_token(False)
    known = {token: id for id, token in enumerate(tokens) if types[id] != TokenType.UNUSED}
    return generate_merges(known, {token: scores[id] for token, id in known.items()})


def write(name, architecture, fill):
    writer = gguf.GGUFWriter(OUT / f"{name}.gguf", architecture)
    saved = json.loads((TOKENIZERS / name / "tokenizer.json").read_text(encoding="utf-8"))
    result = fill(writer, saved)
    writer.add_name(f"tokenizer of {name}")
    writer.write_header_to_file()
    writer.write_kv_data_to_file()
    writer.write_tensors_to_file()
    writer.close()
    return result


def main():
    OUT.mkdir(parents=True, exist_ok=True)
    write("llama3", "llama", lambda writer, saved: add_byte_level(
        writer, saved, "llama-bpe", {"bos": "<|begin_of_text|>", "eos": "<|eot_id|>"}))
    write("qwen2", "qwen2", lambda writer, saved: (add_byte_level(
        writer, saved, "qwen2", {"eos": "<|im_end|>", "pad": "<|endoftext|>", "bos": "<|endoftext|>"}),
        writer.add_add_bos_token(False)))
    merges = write("llama2", "llama", add_sentencepiece)
    (OUT / "llama2_merges.json").write_text(json.dumps(merges, ensure_ascii=False, separators=(",", ":")) + "\n",
                                            encoding="utf-8")


main()

#!/usr/bin/env python3
"""Trains the small tokenizers of tests/golden/tokenizers and writes what the `tokenizers` library makes of hard texts.

    python3 -m venv venv && venv/bin/pip install tokenizers==0.23.3
    venv/bin/python tests/golden/make_tokenizer_golden.py PATH/imdb.jsonl.xz [PATH/bert-uncased]

Files written: wordpiece/ and byte_level_bpe/ (tokenizer files), encodings.json (ids, words and offsets of every text
under every variant; a variant is a JSON merge patch of a tokenizer.json), imdb_checksums.json (CRC-32 of the ids,
offsets and words of each thousand reviews).
"""
import array
import copy
import json
import lzma
import pathlib
import sys
import zlib

from hard_texts import HARD_TEXTS
from tokenizers import AddedToken, Tokenizer, decoders, models, normalizers, pre_tokenizers, processors, trainers
from tokenizers.implementations import BertWordPieceTokenizer

HERE = pathlib.Path(__file__).parent / "tokenizers"
BLOCK = 1000
NEW_YORK = {"id": 9000, "content": "New York", "single_word": True, "lstrip": False, "rstrip": False,
            "normalized": True, "special": False}
STRIPPING = {"id": 9001, "content": "and", "single_word": False, "lstrip": True, "rstrip": True, "normalized": False,
             "special": False}


def read_reviews(path):
    with lzma.open(path, "rt", encoding="utf-8") as lines:
        return [json.loads(line)["text"] for line in lines]


def train_wordpiece(texts):
    tokenizer = Tokenizer(models.WordPiece(unk_token="[UNK]", max_input_chars_per_word=100))
    tokenizer.normalizer = normalizers.BertNormalizer()
    tokenizer.pre_tokenizer = pre_tokenizers.BertPreTokenizer()
    special = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]"]
    tokenizer.train_from_iterator(texts, trainers.WordPieceTrainer(vocab_size=2000, special_tokens=special))
    ids = {token: tokenizer.token_to_id(token) for token in special}
    tokenizer.post_processor = processors.TemplateProcessing(
        single="[CLS] $A [SEP]", pair="[CLS] $A [SEP] $B:1 [SEP]:1",
        special_tokens=[("[CLS]", ids["[CLS]"]), ("[SEP]", ids["[SEP]"])])
    tokenizer.decoder = decoders.WordPiece()
    return tokenizer


def train_byte_level_bpe(texts):
    tokenizer = Tokenizer(models.BPE())
    tokenizer.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
    special = ["<s>", "<pad>", "</s>", "<unk>", AddedToken("<mask>", lstrip=True, special=True, normalized=False)]
    tokenizer.train_from_iterator(texts, trainers.BpeTrainer(
        vocab_size=1500, special_tokens=special, initial_alphabet=pre_tokenizers.ByteLevel.alphabet()))
    tokenizer.post_processor = processors.RobertaProcessing(
        ("</s>", tokenizer.token_to_id("</s>")), ("<s>", tokenizer.token_to_id("<s>")), trim_offsets=True,
        add_prefix_space=False)
    tokenizer.decoder = decoders.ByteLevel()
    return tokenizer


def merge_patch(target, patch):
    if not isinstance(patch, dict):
        return patch
    result = copy.deepcopy(target) if isinstance(target, dict) else {}
    for key, value in patch.items():
        if value is None:
            result.pop(key, None)
        else:
            result[key] = merge_patch(result.get(key), value)
    return result


def variants(wordpiece, bpe):
    added_wordpiece = wordpiece["added_tokens"] + [dict(NEW_YORK), dict(STRIPPING)]
    added_bpe = bpe["added_tokens"] + [dict(NEW_YORK), dict(STRIPPING)]
    byte_level = {"type": "ByteLevel", "use_regex": True}
    return [
        ("wordpiece", "wordpiece", {}),
        ("wordpiece cased", "wordpiece", {"normalizer": {"lowercase": False, "strip_accents": False}}),
        ("wordpiece lower-cased with accents", "wordpiece", {"normalizer": {"strip_accents": False}}),
        ("wordpiece without cleaning", "wordpiece",
         {"normalizer": {"clean_text": False, "handle_chinese_chars": False, "lowercase": False}}),
        ("wordpiece without normaliser or template", "wordpiece", {"normalizer": None, "post_processor": None}),
        ("wordpiece with added tokens", "wordpiece", {"added_tokens": added_wordpiece}),
        ("wordpiece with short words only", "wordpiece", {"model": {"max_input_chars_per_word": 5}}),
        ("byte-level bpe", "byte_level_bpe", {}),
        ("byte-level bpe with prefix space", "byte_level_bpe",
         {"pre_tokenizer": {"add_prefix_space": True}, "post_processor": {"add_prefix_space": True}}),
        ("byte-level bpe as gpt-2", "byte_level_bpe",
         {"post_processor": {"type": "ByteLevel", "add_prefix_space": True, "trim_offsets": False, "sep": None,
                             "cls": None, "use_regex": True}}),
        ("byte-level bpe with added tokens", "byte_level_bpe", {"added_tokens": added_bpe}),
        ("byte-level bpe in a sequence", "byte_level_bpe",
         {"post_processor": {"type": "Sequence", "sep": None, "cls": None, "trim_offsets": None,
                             "add_prefix_space": None,
                             "processors": [dict(byte_level, add_prefix_space=True, trim_offsets=True),
                                            {"type": "TemplateProcessing",
                                             "single": [{"Sequence": {"id": "A", "type_id": 0}},
                                                        {"SpecialToken": {"id": "</s>", "type_id": 0}}],
                                             "pair": [{"Sequence": {"id": "A", "type_id": 0}},
                                                      {"Sequence": {"id": "B", "type_id": 1}}],
                                             "special_tokens": {"</s>": {"id": "</s>", "ids": [2],
                                                                         "tokens": ["</s>"]}}}]}}),
        ("byte-level bpe that keeps whole words", "byte_level_bpe", {"model": {"ignore_merges": True}}),
    ]


def number_added(json_text):
    """Gives added tokens the ids that the library would: the next free ones."""
    size = len(json_text["model"]["vocab"])
    for token in json_text["added_tokens"]:
        if token["id"] >= 9000:
            token["id"] = json_text["model"]["vocab"].get(token["content"], size)
            size += token["id"] == size
    return json_text


def encode(tokenizer, text):
    encoding = tokenizer.encode(text)
    vocabulary = tokenizer.get_vocab()
    # Pieces are those of the vocabulary but for added tokens that matched another case or spaces beside them.
    odd = {str(i): piece for i, piece in enumerate(encoding.tokens) if vocabulary.get(piece) != encoding.ids[i]}
    return {"ids": encoding.ids, "odd_pieces": odd, "words": encoding.word_ids, "offsets": [list(pair) for pair in encoding.offsets]}


def write_json(path, value):
    path.write_text(json.dumps(value, ensure_ascii=False, separators=(",", ":")) + "\n", encoding="utf-8")


def write_encodings(bases):
    cases = []
    for name, base, patch in variants(bases["wordpiece"], bases["byte_level_bpe"]):
        if "added_tokens" in patch:
            patched = number_added(merge_patch(bases[base], patch))
            patch = {"added_tokens": patched["added_tokens"]}
        tokenizer = Tokenizer.from_str(json.dumps(merge_patch(bases[base], patch)))
        # To save space, long texts are compared under the unchanged tokenizers alone.
        cases.append({"name": name, "base": base, "patch": patch,
                      "encodings": [encode(tokenizer, text) if not patch or len(text) < 90 else None
                                    for text in HARD_TEXTS]})
    plain = BertWordPieceTokenizer(str(HERE / "wordpiece" / "vocab.txt"))
    assert [encode(plain, text) for text in HARD_TEXTS] == cases[0]["encodings"], "vocab.txt alone differs"
    write_json(HERE / "encodings.json", {"texts": HARD_TEXTS, "cases": cases})


def checksums(tokenizer, reviews):
    tokenizer.no_truncation()
    tokenizer.no_padding()
    result = []
    for start in range(0, len(reviews), BLOCK):
        crc = 0
        for encoding in tokenizer.encode_batch(reviews[start:start + BLOCK]):
            words = [-1 if word is None else word for word in encoding.word_ids]
            offsets = [end for pair in encoding.offsets for end in pair]
            crc = zlib.crc32(array.array("i", encoding.ids + offsets + words).tobytes(), crc)
        result.append(crc)
    return result


def main():
    reviews = read_reviews(sys.argv[1])
    sample = reviews[::25]
    for name, train in (("wordpiece", train_wordpiece), ("byte_level_bpe", train_byte_level_bpe)):
        (HERE / name).mkdir(parents=True, exist_ok=True)
        tokenizer = train(sample)
        tokenizer.save(str(HERE / name / "tokenizer.json"), pretty=False)
        tokenizer.model.save(str(HERE / name))
    bases = {name: json.loads((HERE / name / "tokenizer.json").read_text(encoding="utf-8"))
             for name in ("wordpiece", "byte_level_bpe")}
    write_encodings(bases)

    sums = {name: checksums(Tokenizer.from_file(str(HERE / name / "tokenizer.json")), reviews) for name in bases}
    if len(sys.argv) > 2:
        folder = pathlib.Path(sys.argv[2])
        sums["bert-uncased"] = checksums(Tokenizer.from_file(str(folder / "tokenizer.json")), reviews)
        plain = BertWordPieceTokenizer(str(folder / "vocab.txt"))
        assert checksums(plain, reviews) == sums["bert-uncased"], "bert-uncased from vocab.txt differs"
    write_json(HERE / "imdb_checksums.json", {"block": BLOCK, "checksums": sums})


if __name__ == "__main__":
    main()

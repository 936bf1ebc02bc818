#!/usr/bin/env python3
"""Trains the small tokenizers of tests/golden/tokenizers and writes what the `tokenizers` library makes of hard texts.

    python3 -m venv venv && venv/bin/pip install tokenizers==0.23.3 sentencepiece==0.2.2 protobuf
    venv/bin/python tests/golden/make_tokenizer_golden.py PATH/imdb.jsonl.xz [PATH/bert-uncased]
    venv/bin/python tests/golden/make_tokenizer_golden.py --keep PATH/imdb.jsonl.xz [PATH/bert-uncased]

The second form trains only what is not there and writes the encodings of the tokenizers that are.

Files written: wordpiece/, byte_level_bpe/, unigram/, llama3/, qwen2/ and llama2/ (tokenizer files), encodings.json
(ids, words and offsets of every text under every variant; a variant is a JSON merge patch of a tokenizer.json, and
normalisers after its own), decodings.json (decoder_decodings.py), imdb_checksums.json (CRC-32 of the ids, offsets and
words of each thousand reviews).
"""
import array
import copy
import json
import lzma
import pathlib
import sys
import tempfile
import zlib

import decoder_tokenizers
from decoder_decodings import decoding_cases
from hard_texts import ALL_HARD_TEXTS, HARD_TEXTS
from tokenizers import AddedToken, Tokenizer, decoders, models, normalizers, pre_tokenizers, processors, trainers
from tokenizers.implementations import BertWordPieceTokenizer

HERE = pathlib.Path(__file__).parent / "tokenizers"
BLOCK = 1000
MARK = "\u2581"
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


def train_unigram(texts):
    """As XLM-R's: SentencePiece's own training, whose default rules make the Precompiled map, in XLM-R's order of ids."""
    import sentencepiece
    from sentencepiece import sentencepiece_model_pb2
    with tempfile.TemporaryDirectory() as folder:
        lines = pathlib.Path(folder, "lines.txt")
        # Hard texts often enough that some of their characters become pieces.
        lines.write_text("\n".join(" ".join(text.split("\n")) for text in texts + HARD_TEXTS * 20).replace("\x00", ""))
        sentencepiece.SentencePieceTrainer.train(
            input=str(lines), model_prefix=f"{folder}/model", vocab_size=900, model_type="unigram", num_threads=1,
            character_coverage=0.9998, minloglevel=2)
        model = sentencepiece_model_pb2.ModelProto()
        model.ParseFromString(pathlib.Path(folder, "model.model").read_bytes())
    pieces = [(token, 0.0) for token in ("<s>", "<pad>", "</s>", "<unk>")]
    pieces += [(piece.piece, piece.score) for piece in model.pieces[3:]] + [("<mask>", 0.0)]
    tokenizer = Tokenizer(models.Unigram(pieces, unk_id=3, byte_fallback=False))
    tokenizer.normalizer = normalizers.Precompiled(model.normalizer_spec.precompiled_charsmap)
    tokenizer.pre_tokenizer = pre_tokenizers.Sequence(
        [pre_tokenizers.WhitespaceSplit(), pre_tokenizers.Metaspace(replacement=MARK, prepend_scheme="always")])
    tokenizer.add_special_tokens(["<s>", "<pad>", "</s>", "<unk>",
                                  AddedToken("<mask>", lstrip=True, special=True, normalized=False)])
    tokenizer.post_processor = processors.TemplateProcessing(
        single="<s> $A </s>", pair="<s> $A </s> </s> $B </s>", special_tokens=[("<s>", 0), ("</s>", 2)])
    tokenizer.decoder = decoders.Metaspace(replacement=MARK, prepend_scheme="always")
    return tokenizer


def tiny_unigram(pieces, **settings):
    """A whole tokenizer.json without a normaliser, small enough to stand in the golden file."""
    return {"added_tokens": [], "model": dict({"type": "Unigram", "unk_id": 0, "vocab": pieces}, **settings),
            "pre_tokenizer": {"type": "Metaspace", "replacement": MARK, "prepend_scheme": "never", "split": False}}


def modernbert(bpe):
    """NFC, a template, runs of spaces as tokens that are looked for after normalisation."""
    runs = [dict(NEW_YORK, id=9000 + k, content=" " * k, single_word=False) for k in (2, 3, 8)]
    mask = dict(STRIPPING, id=9009, content="[MASK]", rstrip=False, special=True)
    special = {name: {"id": name, "ids": [id], "tokens": [name]} for name, id in (("<s>", 0), ("</s>", 2))}
    single = [{"SpecialToken": {"id": "<s>", "type_id": 0}}, {"Sequence": {"id": "A", "type_id": 0}},
              {"SpecialToken": {"id": "</s>", "type_id": 0}}]
    return {"normalizer": {"type": "NFC"}, "added_tokens": bpe["added_tokens"] + runs + [mask],
            "pre_tokenizer": {"type": "ByteLevel", "add_prefix_space": False, "trim_offsets": True, "use_regex": True},
            "post_processor": {"type": "TemplateProcessing", "single": single, "pair": single, "special_tokens": special,
                               "sep": None, "cls": None, "trim_offsets": None, "add_prefix_space": None}}


def newer_variants(unigram, bpe):
    metaspace = {"type": "Metaspace", "replacement": MARK}
    runs = {"type": "Replace", "pattern": {"Regex": " {2,}"}, "content": " "}
    marked_runs = dict(runs, content=MARK)
    added = unigram["added_tokens"] + [dict(NEW_YORK), dict(STRIPPING)]
    # Sums that are equal, or equal but for rounding, in several orders.
    tied = tiny_unigram([["<unk>", 0.0], ["a", -1.1], ["aa", -2.2], ["aaa", -3.3000000000000003], ["!", -4.1234567890123],
                         ["!!", -8.2469135780246], ["!!!", -12.3703703670369], ["x", -13.897599220275879],
                         ["xx", -27.795198440551758], ["xxx", -41.69279766082764], [" ", -7.3], ["o", -9.87654321],
                         ["oo", -19.75308642], ["double", -1], ["b", -3], ["ba", -4.1], ["ab", -4.1]])
    bytes_and_letters = [["<unk>", -3.5]] + [[f"<0x{byte:02X}>", -20.0] for byte in range(256) if byte != 0xF0]
    bytes_and_letters += [[letter, -4.0 - i / 7] for i, letter in enumerate("etaoinsr hl" + MARK)]
    return [
        ("unigram", "unigram", {}, []),
        ("unigram as in bge-m3", "unigram",
         {"pre_tokenizer": dict(metaspace, add_prefix_space=True, prepend_scheme="always", pretokenizers=None)}, [runs]),
        ("unigram as transformers converts SentencePiece", "unigram",
         {"pre_tokenizer": dict(metaspace, prepend_scheme="first", split=True, pretokenizers=None)},
         [{"type": "Strip", "strip_left": False, "strip_right": True}, marked_runs]),
        ("unigram with older files' prefix space", "unigram",
         {"pre_tokenizer": dict(metaspace, add_prefix_space=True, str_rep=MARK, pretokenizers=None)},
         [{"type": "Strip", "strip_left": True, "strip_right": True}]),
        ("unigram without prefix, in one word", "unigram",
         {"pre_tokenizer": dict(metaspace, prepend_scheme="never", split=False, pretokenizers=None)},
         [{"type": "Replace", "pattern": {"String": "e"}, "content": "oo"},
          {"type": "Replace", "pattern": {"String": "th"}, "content": ""}]),
        ("unigram without normaliser", "unigram", {"normalizer": None}, []),
        ("unigram with nfc", "unigram", {"normalizer": {"type": "NFC", "precompiled_charsmap": None}}, []),
        ("unigram with added tokens", "unigram", {"added_tokens": added}, []),
        ("unigram with another mark", "unigram",
         {"pre_tokenizer": {"type": "Sequence", "pretokenizers": [dict(metaspace, replacement="_", prepend_scheme="first"),
                                                                  {"type": "WhitespaceSplit"}]}}, []),
        ("tied unigram", None, tied, []),
        ("unigram of letters and bytes", None, tiny_unigram(bytes_and_letters, byte_fallback=True), []),
        ("byte-level bpe as in modernbert", "byte_level_bpe", modernbert(bpe), []),
        ("byte-level bpe with nfc", "byte_level_bpe", {"normalizer": {"type": "NFC"}}, []),
        ("wordpiece as in mpnet", "wordpiece",
         {"post_processor": {"type": "RobertaProcessing", "sep": ["[SEP]", 3], "cls": ["[CLS]", 2], "trim_offsets": True,
                             "add_prefix_space": False, "single": None, "pair": None, "special_tokens": None}}, []),
    ]


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
    vocabulary = json_text["model"]["vocab"]
    if isinstance(vocabulary, list):
        vocabulary = {piece: id for id, (piece, _) in enumerate(vocabulary)}
    size = len(vocabulary)
    for token in json_text["added_tokens"]:
        if token["id"] >= 9000:
            token["id"] = vocabulary.get(token["content"], size)
            size += token["id"] == size
    return json_text


def encode(tokenizer, text):
    encoding = tokenizer.encode(text)
    vocabulary = tokenizer.get_vocab()
    # Pieces are those of the vocabulary but for added tokens that matched another case or spaces beside them.
    odd = {str(i): piece for i, piece in enumerate(encoding.tokens) if vocabulary.get(piece) != encoding.ids[i]}
    return {"ids": encoding.ids, "odd_pieces": odd, "words": encoding.word_ids, "offsets": [list(pair) for pair in encoding.offsets]}


TRAINERS = {"wordpiece": train_wordpiece, "byte_level_bpe": train_byte_level_bpe, "unigram": train_unigram}


def write_json(path, value):
    path.write_text(json.dumps(value, ensure_ascii=False, separators=(",", ":")) + "\n", encoding="utf-8")


def is_compared(base, patch, text):
    """To save space, long texts are compared under the unchanged tokenizers alone, and those of decoders under theirs."""
    if not (base and patch):
        return True
    return len(text) < 45 if base in decoder_tokenizers.TRAINERS else len(text) < 90 and text in HARD_TEXTS


def write_encodings(bases):
    cases = []
    older = [case + ([],) for case in variants(bases["wordpiece"], bases["byte_level_bpe"])]
    newer = newer_variants(bases["unigram"], bases["byte_level_bpe"]) + decoder_tokenizers.encoding_variants(bases)
    for name, base, patch, after in older + newer:
        if base and "added_tokens" in patch:
            patch = dict(patch, added_tokens=number_added(merge_patch(bases[base], patch))["added_tokens"])
        whole = merge_patch(bases[base] if base else {}, patch)
        if after:
            whole["normalizer"] = {"type": "Sequence", "normalizers": [whole["normalizer"]] + after}
        tokenizer = Tokenizer.from_str(json.dumps(whole))
        cases.append({"name": name, "base": base, "patch": patch, "normalizers_after": after,
                      "encodings": [encode(tokenizer, text) if is_compared(base, patch, text) else None
                                    for text in ALL_HARD_TEXTS]})
    plain = BertWordPieceTokenizer(str(HERE / "wordpiece" / "vocab.txt"))
    assert [encode(plain, text) for text in ALL_HARD_TEXTS] == cases[0]["encodings"], "vocab.txt alone differs"
    write_json(HERE / "encodings.json", {"texts": ALL_HARD_TEXTS, "cases": cases})


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


def decoded_checksums(name, reviews):
    tokenizer = Tokenizer.from_file(str(HERE / name / "tokenizer.json"))
    result = []
    for start in range(0, len(reviews), BLOCK):
        ids = [encoding.ids for encoding in tokenizer.encode_batch(reviews[start:start + BLOCK])]
        result.append(zlib.crc32("\n".join(tokenizer.decode_batch(ids)).encode()))
    return result


def train_all(reviews, keep):
    sample = reviews[::25]
    for name, train in TRAINERS.items():
        folder = HERE / name
        if keep and folder.exists():
            continue
        folder.mkdir(parents=True, exist_ok=True)
        tokenizer = train(sample)
        tokenizer.save(str(folder / "tokenizer.json"), pretty=False)
        if name != "unigram":
            tokenizer.model.save(str(folder))
    for name, train in decoder_tokenizers.TRAINERS.items():
        folder = HERE / name
        if keep and folder.exists():
            continue
        folder.mkdir(parents=True, exist_ok=True)
        write_json(folder / "tokenizer.json", train(sample))
        write_json(folder / "tokenizer_config.json", decoder_tokenizers.CONFIGS[name])


def main():
    arguments = [argument for argument in sys.argv[1:] if argument != "--keep"]
    reviews = read_reviews(arguments[0])
    train_all(reviews, "--keep" in sys.argv)
    names = list(TRAINERS) + list(decoder_tokenizers.TRAINERS)
    bases = {name: json.loads((HERE / name / "tokenizer.json").read_text(encoding="utf-8")) for name in names}
    write_encodings(bases)
    write_json(HERE / "decodings.json", decoding_cases(bases))

    sums = {name: checksums(Tokenizer.from_file(str(HERE / name / "tokenizer.json")), reviews) for name in bases}
    sums.update({f"{name} decoded": decoded_checksums(name, reviews) for name in decoder_tokenizers.TRAINERS})
    nfc = merge_patch(bases["byte_level_bpe"], {"normalizer": {"type": "NFC"}})
    sums["byte_level_bpe_nfc"] = checksums(Tokenizer.from_str(json.dumps(nfc)), reviews)
    if len(arguments) > 1:
        folder = pathlib.Path(arguments[1])
        sums["bert-uncased"] = checksums(Tokenizer.from_file(str(folder / "tokenizer.json")), reviews)
        plain = BertWordPieceTokenizer(str(folder / "vocab.txt"))
        assert checksums(plain, reviews) == sums["bert-uncased"], "bert-uncased from vocab.txt differs"
    write_json(HERE / "imdb_checksums.json", {"block": BLOCK, "checksums": sums})


if __name__ == "__main__":
    main()

"""Small tokenizers of the kinds that decoders have, trained on given texts, and the variants that are compared.

Each trainer gives the tokenizer.json as Python values, with everything that the published ones have.
"""
import json

from tokenizers import Regex, Tokenizer, models, pre_tokenizers, trainers

MARK = "\u2581"
LETTERS = r"(?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\r\n\p{L}\p{N}]?\p{L}+|"
REST = r"| ?[^\s\p{L}\p{N}]+[\r\n]*|\s*[\r\n]+|\s+(?!\S)|\s+"
LLAMA3_PATTERN = LETTERS + r"\p{N}{1,3}" + REST
QWEN2_PATTERN = LETTERS + r"\p{N}" + REST
GPT2_PATTERN = r"'s|'t|'re|'ve|'m|'ll|'d| ?\p{L}+| ?\p{N}+| ?[^\s\p{L}\p{N}]+|\s+(?!\S)|\s+"


def added(id, content, special=True, **flags):
    return dict({"id": id, "content": content, "single_word": False, "lstrip": False, "rstrip": False,
                 "normalized": False, "special": special}, **flags)


def byte_level(add_prefix_space, trim_offsets, use_regex):
    return {"type": "ByteLevel", "add_prefix_space": add_prefix_space, "trim_offsets": trim_offsets, "use_regex": use_regex}


def split_words(pattern, trim_offsets):
    split = {"type": "Split", "pattern": {"Regex": pattern}, "behavior": "Isolated", "invert": False}
    return {"type": "Sequence", "pretokenizers": [split, byte_level(False, trim_offsets, False)]}


def template(token, id):
    text, special = {"Sequence": {"id": "A", "type_id": 0}}, {"SpecialToken": {"id": token, "type_id": 0}}
    return {"type": "TemplateProcessing", "single": [special, text],
            "pair": [special, text, dict(special), {"Sequence": {"id": "B", "type_id": 1}}],
            "special_tokens": {token: {"id": token, "ids": [id], "tokens": [token]}}}


def train_byte_level(texts, size, pattern):
    tokenizer = Tokenizer(models.BPE())
    tokenizer.pre_tokenizer = pre_tokenizers.Sequence(
        [pre_tokenizers.Split(Regex(pattern), "isolated"), pre_tokenizers.ByteLevel(add_prefix_space=False, use_regex=False)])
    tokenizer.train_from_iterator(texts, trainers.BpeTrainer(
        vocab_size=size, show_progress=False, initial_alphabet=pre_tokenizers.ByteLevel.alphabet()))
    return json.loads(tokenizer.to_str())


def train_llama3(texts):
    """The pattern with up to three digits, words of the vocabulary before merges, <|begin_of_text|> in front."""
    saved = train_byte_level(texts, 1400, LLAMA3_PATTERN)
    vocab = saved["model"]["vocab"]
    for word in ("\u0120untokenizable", "tokenizer", "\u6771"):  # no merges lead to them, and the last one
        vocab.setdefault(word, len(vocab))  # is not even written in bytes
    names = ["<|begin_of_text|>", "<|end_of_text|>", "<|start_header_id|>", "<|end_header_id|>", "<|eot_id|>"]
    saved["added_tokens"] = [added(len(vocab) + i, name) for i, name in enumerate(names)]
    saved["model"].update(ignore_merges=True, merges=[" ".join(merge) for merge in saved["model"]["merges"]])
    saved["pre_tokenizer"] = split_words(LLAMA3_PATTERN, True)
    saved["post_processor"] = {"type": "Sequence", "processors": [byte_level(True, False, True),
                                                                  template(names[0], len(vocab))]}
    saved["decoder"] = byte_level(True, True, True)
    return saved


def train_qwen2(texts):
    """NFC, the pattern with one digit, no template, tokens of chats and of tools."""
    saved = train_byte_level(texts, 1400, QWEN2_PATTERN)
    size = len(saved["model"]["vocab"])
    saved["added_tokens"] = [added(size + i, name) for i, name in enumerate(("<|endoftext|>", "<|im_start|>", "<|im_end|>"))]
    saved["added_tokens"] += [added(size + 3 + i, name, special=False) for i, name in enumerate(("<tool_call>", "</tool_call>"))]
    saved["normalizer"] = {"type": "NFC"}
    saved["pre_tokenizer"] = split_words(QWEN2_PATTERN, False)
    saved["post_processor"] = byte_level(False, False, False)
    saved["decoder"] = byte_level(False, False, False)
    return saved


def train_llama2(texts):
    """SentencePiece's BPE: characters and marks, the bytes of all others, one word, <s> in front."""
    tokenizer = Tokenizer(models.BPE())
    tokenizer.pre_tokenizer = pre_tokenizers.Metaspace(replacement=MARK, prepend_scheme="always")
    tokenizer.train_from_iterator(texts, trainers.BpeTrainer(vocab_size=1200, limit_alphabet=150, show_progress=False))
    saved = json.loads(tokenizer.to_str())
    pieces = ["<unk>", "<s>", "</s>"] + [f"<0x{byte:02X}>" for byte in range(256)]
    pieces += sorted(saved["model"]["vocab"], key=saved["model"]["vocab"].get)
    saved["model"].update(vocab={piece: id for id, piece in enumerate(pieces)}, unk_token="<unk>", fuse_unk=True,
                          byte_fallback=True)
    saved["added_tokens"] = [added(id, pieces[id]) for id in range(3)]
    saved["normalizer"] = {"type": "Sequence", "normalizers": [
        {"type": "Prepend", "prepend": MARK}, {"type": "Replace", "pattern": {"String": " "}, "content": MARK}]}
    saved["pre_tokenizer"] = None
    saved["post_processor"] = template("<s>", 1)
    saved["decoder"] = {"type": "Sequence", "decoders": [
        {"type": "Replace", "pattern": {"String": MARK}, "content": " "}, {"type": "ByteFallback"}, {"type": "Fuse"},
        {"type": "Strip", "content": " ", "start": 1, "stop": 0}]}
    return saved


TRAINERS = {"llama3": train_llama3, "qwen2": train_qwen2, "llama2": train_llama2}
CONFIGS = {
    "llama3": {"bos_token": "<|begin_of_text|>", "eos_token": "<|eot_id|>", "model_max_length": 131072,
               "tokenizer_class": "PreTrainedTokenizerFast"},
    "qwen2": {"bos_token": None, "eos_token": "<|im_end|>", "pad_token": "<|endoftext|>", "unk_token": None,
              "model_max_length": 32768, "tokenizer_class": "Qwen2Tokenizer"},
    "llama2": {"bos_token": "<s>", "eos_token": {"content": "</s>", "lstrip": False, "normalized": False},
               "unk_token": "<unk>", "model_max_length": 1e30, "tokenizer_class": "LlamaTokenizer"},
}


def spaces():
    """A whole tokenizer.json whose tokens are runs of spaces, as code models have them."""
    return {"added_tokens": [], "pre_tokenizer": byte_level(True, True, True), "post_processor": byte_level(True, True, True),
            "model": {"type": "BPE", "vocab": {"\u0120": 0, "\u0120\u0120": 1, "a": 2, "\u0120a": 3, "\u0120" * 4: 4},
                      "merges": ["\u0120 \u0120", "\u0120\u0120 \u0120\u0120", "\u0120 a"]}}


def encoding_variants(bases):
    """(name, base, JSON merge patch, normalisers after): see make_tokenizer_golden.py."""
    metaspace = {"type": "Metaspace", "replacement": MARK, "split": False}
    llama2 = bases["llama2"]
    vocab = llama2["model"]["vocab"]
    normalized = [dict(token, normalized=True) for token in llama2["added_tokens"]]
    new_york = added(9000, "New York", special=False, normalized=True, single_word=True)
    some_bytes = {f"<0x{byte:02X}>": None for byte in (0xC3, 0xF0, 0x0A)}
    return [
        ("llama 3", "llama3", {}, []),
        ("llama 3 without whole words", "llama3", {"model": {"ignore_merges": False}}, []),
        ("llama 3 with trimmed offsets", "llama3", {"post_processor": byte_level(True, True, True)}, []),
        ("gpt-2's pattern as a split", "llama3",
         {"pre_tokenizer": split_words(GPT2_PATTERN, True), "model": {"ignore_merges": False}}, []),
        ("runs of spaces with trimmed offsets", None, spaces(), []),
        ("qwen2", "qwen2", {}, []),
        ("llama 2", "llama2", {}, []),
        ("llama 2 with metaspace at the start", "llama2",
         {"normalizer": None, "pre_tokenizer": dict(metaspace, prepend_scheme="first")}, []),
        ("llama 2 with metaspace everywhere", "llama2",
         {"normalizer": None, "pre_tokenizer": dict(metaspace, prepend_scheme="always")}, []),
        ("llama 2 in words", "llama2",
         {"normalizer": None, "pre_tokenizer": dict(metaspace, prepend_scheme="always", split=True)}, []),
        ("llama 2 without bytes", "llama2", {"model": {"byte_fallback": False}}, []),
        ("llama 2 without bytes, each unknown by itself", "llama2",
         {"model": {"byte_fallback": False, "fuse_unk": False}}, []),
        ("llama 2 without bytes or unknown", "llama2", {"model": {"byte_fallback": False, "unk_token": None}}, []),
        ("llama 2 with some bytes", "llama2", {"model": {"vocab": some_bytes}}, []),
        ("llama 2 with some bytes, each unknown by itself", "llama2",
         {"model": {"vocab": some_bytes, "fuse_unk": False}}, []),
        ("llama 2 with older files' tokens", "llama2", {"added_tokens": normalized + [dict(new_york, id=len(vocab))]}, []),
        ("llama 2 with whole words", "llama2", {"model": {"ignore_merges": True}}, []),
    ]

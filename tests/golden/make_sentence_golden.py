#!/usr/bin/env python3
"""Golden folders of sentence-transformers: small random models and what SentenceTransformer.encode makes of texts.

    python tests/golden/make_sentence_golden.py [NAME ...]      all folders, or those named, into tests/golden/sentence/

Made with torch 2.13.0, transformers 5.22.2, sentence-transformers 6.2.0. Every folder holds a model as the library
saves it (bert-cls-dense: as version 2 did; roberta-plain: no modules.json) and, all float32, one text at a time, eager:
    expected.json         max_length, similarity, dimension, engine: {text: index} and
                          texts: [{text, call, prompt_name, prompt, ids, prompt_length, tensor}], where call "default"
                          is encode(text), "name" encode(text, prompt_name=...), "prompt" encode(text, prompt=...);
                          prompt is what stands before the text, or null; prompt_length the number of tokens that the
                          pooling leaves out, or null where it takes all.
    expected.safetensors  the tensors (embedding.0 ...), and for the text of engine: ids, mask, hidden.*, attention.*,
                          cotangent, gradient, gradient.1 as in make_model_golden.py; pooled (the embedding),
                          pooled_cotangent and pooled_gradient (of <pooled, pooled_cotangent> by hidden.0).
"""
import json
import pathlib
import shutil
import sys
import tempfile

import torch
import transformers
from safetensors.torch import load_file, save_file
from sentence_transformers import SentenceTransformer
from sentence_transformers.sentence_transformer.modules import Dense, LayerNorm, Normalize, Pooling, Transformer
from tokenizers import Tokenizer, normalizers

import small_tokenizers
from make_model_golden import run_from, shake, write_config_v4

HERE = pathlib.Path(__file__).resolve().parent / "sentence"
SIZES = dict(hidden_size=32, num_hidden_layers=2, num_attention_heads=4, intermediate_size=40)
SIZE = 1.0  # of the weights: attention far from uniform, and 6 digits of the embeddings true in float32
EAGER = {"attn_implementation": "eager", "dtype": torch.float32}
PROMPTS = {"query": "search for: ", "document": "A document: "}

LONG = " ".join(small_tokenizers.LINES[:3])
VERY_LONG = " ".join(small_tokenizers.LINES[:9])
ENGINE = "I would watch the film, but not today."
MIDDLE = small_tokenizers.LINES[3]
TEXTS = ["film", ENGINE, "The Café in MÜNCHEN was Ouvert: 1 ﬁlm, ２ cafe\u0301s.",
         "  spaces  around\tand\nlines ", "", "The {mask} is here.", "他说 the unknown ☃☃ words", MIDDLE,
         LONG, VERY_LONG]


# ------------------------------------------------------------------------------------------------------- the models

def bert(vocabulary=220, **changes):
    config = transformers.BertConfig(vocab_size=vocabulary, **{**SIZES, "max_position_embeddings": 64, **changes})
    return transformers.BertModel(config)


def mpnet(vocabulary, **changes):
    config = transformers.MPNetConfig(vocab_size=vocabulary, max_position_embeddings=200, **{**SIZES, **changes})
    return transformers.MPNetModel(config)


def roberta(vocabulary, family="Roberta", **changes):
    sizes = {**SIZES, "max_position_embeddings": 50, "type_vocab_size": 1, **changes}
    config = getattr(transformers, family + "Config")(vocab_size=vocabulary, **sizes)
    return getattr(transformers, family + "Model")(config)


def modernbert(vocabulary):
    ids = dict(cls_token_id=0, bos_token_id=0, pad_token_id=1, sep_token_id=2, eos_token_id=2)
    sizes = {**SIZES, "num_hidden_layers": 4, "intermediate_size": 28, "max_position_embeddings": 128}
    return transformers.ModernBertModel(transformers.ModernBertConfig(
        vocab_size=vocabulary, local_attention=8, **ids, **sizes))


def fast(tokenizer, names, longest, types=False):
    """The tokenizer as Transformers saves it; longest: model_max_length, None for a file without it."""
    inputs = ["input_ids", "token_type_ids", "attention_mask"] if types else ["input_ids", "attention_mask"]
    lengths = {} if longest is None else {"model_max_length": longest}
    return transformers.PreTrainedTokenizerFast(
        tokenizer_object=tokenizer, model_input_names=inputs, **lengths, **names)


def chain(model, tokenizer, *modules, seed, **options):
    """A SentenceTransformer with shaken weights."""
    with tempfile.TemporaryDirectory() as folder:
        shake(model, seed, SIZE)
        model.save_pretrained(folder)
        tokenizer.save_pretrained(folder)
        first = Transformer(folder, model_kwargs=dict(EAGER))
    for module in modules:
        shake(module, seed + 100, SIZE)
    return SentenceTransformer(modules=[first, *modules], device="cpu", **options)


def save(model, folder):
    model.save(str(folder), create_model_card=False)


# ------------------------------------------------------------------------------------------------------- the folders

def make_bert_cls_dense(folder):
    tokenizer = small_tokenizers.wordpiece(220, lowercase=False)
    model = chain(bert(), fast(tokenizer, small_tokenizers.BERT_NAMES, 16, types=True), Pooling(32, "cls"),
                  Dense(32, 24), Normalize(), seed=1)
    save(model, folder)
    turn_into_version_2(folder)
    return LONG


def turn_into_version_2(folder):
    """What sentence-transformers 2.2 wrote: booleans, no config of Normalize, and the length beside do_lower_case."""
    kinds = ["Transformer", "Pooling", "Dense", "Normalize"]
    write_json(folder / "modules.json", [
        {"idx": i, "name": str(i), "path": f"{i}_{kind}" if i else "", "type": "sentence_transformers.models." + kind}
        for i, kind in enumerate(kinds)])
    modes = ["cls_token", "mean_tokens", "max_tokens", "mean_sqrt_len_tokens"]
    write_json(folder / "1_Pooling/config.json",
               {"word_embedding_dimension": 32, **{"pooling_mode_" + mode: mode == "cls_token" for mode in modes}})
    write_json(folder / "2_Dense/config.json", {"in_features": 32, "out_features": 24, "bias": True,
                                                "activation_function": "torch.nn.modules.activation.Tanh"})
    shutil.rmtree(folder / "3_Normalize")
    write_json(folder / "sentence_bert_config.json", {"max_seq_length": 24, "do_lower_case": True})
    version = {"sentence_transformers": "2.2.2", "transformers": "4.28.1", "pytorch": "1.13.1"}
    write_json(folder / "config_sentence_transformers.json", {"__version__": version})
    names = small_tokenizers.BERT_NAMES
    write_json(folder / "special_tokens_map.json", names)
    write_json(folder / "tokenizer_config.json", {
        **names, "do_lower_case": False, "model_max_length": 16, "strip_accents": None, "tokenize_chinese_chars": True,
        "tokenizer_class": "BertTokenizer"})
    config = json.loads((folder / "config.json").read_text())
    config.update(torch_dtype=config.pop("dtype"), position_embedding_type="absolute", transformers_version="4.28.1")
    write_json(folder / "config.json", config)
    weights = load_file(folder / "model.safetensors")
    weights["embeddings.position_ids"] = torch.arange(64)[None]  # a buffer that old files have, to be ignored
    save_file(weights, folder / "model.safetensors", {"format": "pt"})


def make_mpnet_mean_prompt(folder):
    names = {**small_tokenizers.FAIRSEQ_NAMES, "unk_token": "[UNK]"}
    tokenizer = small_tokenizers.wordpiece(220, names=names, order=small_tokenizers.FAIRSEQ_ORDER)
    model = chain(mpnet(220), fast(tokenizer, names, 192), Pooling(32, "mean", include_prompt=False), seed=2,
                  prompts=PROMPTS, default_prompt_name="query")
    save(model, folder)
    return MIDDLE


def make_xlmr_cls(folder):
    tokenizer = small_tokenizers.unigram(320)
    model = chain(roberta(tokenizer.get_vocab_size(), "XLMRoberta"),
                  fast(tokenizer, small_tokenizers.FAIRSEQ_NAMES, 48), Pooling(32, "cls"), Normalize(), seed=3,
                  prompts={"query": "query: ", "passage": "passage: "})
    save(model, folder)
    return ENGINE


def make_modernbert_mean(folder):
    names = small_tokenizers.BERT_NAMES
    tokenizer = small_tokenizers.byte_level(320, names, nfc=True)
    model = chain(modernbert(320), fast(tokenizer, names, 90), Pooling(32, "mean"), Normalize(), seed=4,
                  prompts=PROMPTS)
    save(model, folder)
    write_config_v4(folder, "config_v4.json")
    return ENGINE


def make_bert_weightedmean(folder):
    tokenizer = small_tokenizers.wordpiece(220)
    model = chain(bert(max_position_embeddings=40), fast(tokenizer, small_tokenizers.BERT_NAMES, None, types=True),
                  Pooling(32, "weightedmean"), Dense(32, 24, activation_function=torch.nn.GELU(), use_residual=True),
                  LayerNorm(24), Dense(24, 24, activation_function=None, use_residual=True), seed=5)
    save(model, folder)
    settings = json.loads((folder / "tokenizer_config.json").read_text())
    write_json(folder / "tokenizer_config.json", {**settings, "model_max_length": int(1e30)})  # no limit
    return ENGINE


def make_bert_concat(folder):
    tokenizer = small_tokenizers.wordpiece(220)
    modes = ["cls", "max", "mean", "mean_sqrt_len_tokens", "weightedmean", "lasttoken"]
    dense = Dense(6 * 32, 20, bias=False, activation_function=torch.nn.ReLU())
    model = chain(bert(), fast(tokenizer, small_tokenizers.BERT_NAMES, 40, types=True), Pooling(32, modes), dense,
                  Normalize(), seed=6)
    save(model, folder)
    return ENGINE


def make_roberta_plain(folder):
    model = roberta(320)
    shake(model, 7, SIZE)
    model.save_pretrained(folder)
    fast(small_tokenizers.byte_level(320), small_tokenizers.FAIRSEQ_NAMES, 44).save_pretrained(folder)
    return ENGINE


def make_roberta_prompt(folder):
    """The order of the list, and every mode without the prompt: its next token, weights that go on counting."""
    tokenizer = small_tokenizers.byte_level(300)
    pooling = Pooling(32, ["weightedmean", "cls", "max", "lasttoken"], include_prompt=False)
    model = chain(roberta(300, num_hidden_layers=1), fast(tokenizer, small_tokenizers.FAIRSEQ_NAMES, 40), pooling,
                  seed=9, prompts=PROMPTS, similarity_fn_name="euclidean")
    save(model, folder)
    return TEXTS[0]


def make_bert_lasttoken(folder):
    tokenizer = small_tokenizers.wordpiece(220)
    model = chain(bert(), fast(tokenizer, small_tokenizers.BERT_NAMES, 20, types=True), Pooling(32, "lasttoken"),
                  seed=8, similarity_fn_name="dot")
    save(model, folder)
    return ENGINE


# ----------------------------------------------------------------------------------------------------- what is expected

def calls_of(model):
    """(text, call, prompt name, prompt): every text as it is, some with each prompt."""
    mask = model.tokenizer.mask_token
    texts = [text.replace("{mask}", mask) for text in TEXTS]
    default = model.prompts.get(model.default_prompt_name)
    calls = [(text, "default", None, default) for text in texts]
    some = ["film", ENGINE, "", LONG]
    for name, prompt in model.prompts.items():
        calls += [(text, "name", name, prompt) for text in some]
    calls += [(text, "prompt", None, "Some text: ") for text in some + [VERY_LONG]]
    return calls + [(ENGINE, "prompt", None, "")]


def encode(model, text, call, name, prompt):
    arguments = {"default": {}, "name": {"prompt_name": name}, "prompt": {"prompt": prompt}}[call]
    return torch.from_numpy(model.encode(text, batch_size=1, show_progress_bar=False, **arguments))


def engine_values(model, features, embedding):
    """Everything between the embeddings and the sentence embedding, from hidden.0 on."""
    body, ids = model[0].model, features["input_ids"]
    mask = features["attention_mask"][0]
    with torch.no_grad():
        whole = body(input_ids=ids, attention_mask=mask[None], output_hidden_states=True, output_attentions=True)
        x = body.embeddings(input_ids=ids)[0]
    x = x.detach().requires_grad_(True)
    hidden, attention = run_from(body, x, mask)
    for a, b in zip([*whole.hidden_states, *whole.attentions], hidden + attention, strict=True):
        assert torch.allclose(a[0], b, atol=1e-6), (a[0] - b).abs().max()
    rest = {"token_embeddings": hidden[-1][None], "attention_mask": mask[None]}
    if "prompt_length" in features:
        rest["prompt_length"] = features["prompt_length"]
    for module in list(model)[1:]:
        rest = module(rest)
    pooled = rest["sentence_embedding"][0]
    assert torch.allclose(pooled, embedding, atol=1e-6)
    generator = torch.Generator().manual_seed(7)
    cotangent = torch.randn(hidden[-1].shape, generator=generator)
    pooled_cotangent = torch.randn(pooled.shape, generator=generator)
    gradient = lambda y, c: torch.autograd.grad((y * c).sum(), x, retain_graph=True)[0]
    return {"ids": ids[0].float(), "mask": mask.float(),
            **{f"hidden.{layer}": state for layer, state in enumerate(hidden)},
            **{f"attention.{layer}": probabilities for layer, probabilities in enumerate(attention, 1)},
            "cotangent": cotangent, "gradient": gradient(hidden[-1], cotangent),
            "gradient.1": gradient(hidden[1], cotangent), "pooled": pooled, "pooled_cotangent": pooled_cotangent,
            "pooled_gradient": gradient(pooled, pooled_cotangent)}


def expect(folder, engine_text):
    model = SentenceTransformer(str(folder), device="cpu", model_kwargs=dict(EAGER), local_files_only=True)
    rows, tensors, engine = [], {}, None
    for index, (text, call, name, prompt) in enumerate(calls_of(model)):
        tensors[f"embedding.{index}"] = encode(model, text, call, name, prompt)
        features = model.preprocess([text], prompt=prompt)
        ids = features["input_ids"][0].tolist()
        assert ids == ids_of_file(folder, (prompt or "") + text, model.max_seq_length)
        leaves_out = any(isinstance(module, Pooling) and not module.include_prompt for module in model)
        rows.append({"text": text, "call": call, "prompt_name": name, "prompt": prompt, "ids": ids,
                     "prompt_length": features.get("prompt_length") if leaves_out else None,
                     "tensor": f"embedding.{index}"})
        if engine is None and text == engine_text and bool(prompt) == leaves_out:
            engine = index
            tensors.update(engine_values(model, features, tensors[f"embedding.{index}"]))
    facts = {"max_length": model.max_seq_length, "similarity": model.similarity_fn_name,
             "dimension": model.get_embedding_dimension(), "engine": {"text": engine}}
    lines = ",\n".join("    " + json.dumps(row, ensure_ascii=False) for row in rows)
    (folder / "expected.json").write_text(
        json.dumps(facts, indent=2)[:-2] + ',\n  "texts": [\n' + lines + "\n  ]\n}\n", encoding="utf-8")
    save_file({name: value.detach().float().contiguous() for name, value in tensors.items()},
              folder / "expected.safetensors")
    return model


def ids_of_file(folder, text, longest):
    """By tokenizer.json alone, which is all an engine reads; Transformers rebuilds some tokenizers by their class."""
    tokenizer = Tokenizer.from_file(str(folder / "tokenizer.json"))
    old = folder / "sentence_bert_config.json"
    if old.exists() and json.loads(old.read_text()).get("do_lower_case"):
        tokenizer.normalizer = normalizers.Sequence([normalizers.Lowercase(), tokenizer.normalizer])
    tokenizer.no_padding()
    tokenizer.enable_truncation(longest)
    return tokenizer.encode(text).ids


def check_config_v4(folder, model):
    """config_v4.json gives the same model."""
    with tempfile.TemporaryDirectory() as other:
        shutil.copytree(folder, other, dirs_exist_ok=True)
        shutil.copy(folder / "config_v4.json", pathlib.Path(other) / "config.json")
        old = SentenceTransformer(other, device="cpu", model_kwargs=dict(EAGER), local_files_only=True)
        assert (old.encode(LONG) == model.encode(LONG)).all()


def write_json(path, value):
    path.write_text(json.dumps(value, indent=2) + "\n")


def main():
    torch.set_num_threads(1)
    makers = {name[5:].replace("_", "-"): make for name, make in globals().items() if name.startswith("make_")}
    for name in sys.argv[1:] or makers:
        folder = HERE / name
        shutil.rmtree(folder, ignore_errors=True)
        folder.mkdir(parents=True)
        torch.manual_seed(0)  # shake() keeps what biases begin with
        model = expect(folder, makers[name](folder))
        if (folder / "config_v4.json").exists():
            check_config_v4(folder, model)
        files = sorted(path for path in folder.rglob("*") if path.is_file())
        print(name, sum(path.stat().st_size for path in files), "bytes:", *(path.relative_to(folder) for path in files))


if __name__ == "__main__":
    main()

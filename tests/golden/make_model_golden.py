#!/usr/bin/env python3
"""Golden values of the model engine, computed by PyTorch and Transformers.

    python tests/golden/make_model_golden.py                  small random models into tests/golden/models/ (committed)
    python tests/golden/make_model_golden.py MODEL OUT.safetensors      expected values of a model on disk

Made with torch 2.13.0 and transformers 5.22.2. Every folder holds a model as Hugging Face saves it and
expected.safetensors (all float32): ids, mask, hidden.0 ... hidden.L, attention.1 ... attention.L ([heads, n, n]),
cotangent (C, of hidden.L), gradient (of <hidden.L, C> by hidden.0), gradient.1 (of <hidden.1, C>), pooled (mean of
the visible tokens, divided by its norm) and logits where the model predicts words. hidden.0 is what the embeddings
module gives, hidden.L what the model gives: of ModernBERT and of decoders after the final norm. Decoders are saved in
bfloat16, to be small, and computed in float32; they have greedy.prompt and greedy.ids too, 32 tokens that
Transformers' generate appends to a prompt of 8. Prompts are chosen so that at every step the best logit is clear of
the second by GREEDY_GAP.
"""
import json
import pathlib
import shutil
import sys

import torch
import transformers
import transformers.masking_utils
from safetensors.torch import load_file, save_file

HERE = pathlib.Path(__file__).resolve().parent / "models"
SIZES = dict(vocab_size=100, hidden_size=32, num_hidden_layers=2, num_attention_heads=4, intermediate_size=64)

# Everything away from its default: bases of the rotations, every second layer global, biases, another activation.
V4_CHANGES = dict(
    global_attn_every_n_layers=2, local_attention=6, hidden_activation="gelu_pytorch_tanh",
    classifier_activation="silu",
    rope_parameters={"full_attention": {"rope_type": "default", "rope_theta": 500.0},
                     "sliding_attention": {"rope_type": "default", "rope_theta": 20.0}},
    norm_bias=True, attention_bias=True, mlp_bias=True, classifier_bias=True, norm_eps=1e-4, tie_word_embeddings=False,
    num_hidden_layers=3)


def make_bert(**changes):
    config = transformers.BertConfig(**{**SIZES, "max_position_embeddings": 40, **changes})
    return transformers.BertForMaskedLM(config)


def normalised_attention(module, query, key, value, attention_mask, scaling=None, dropout=0.0, **kwargs):
    """f(s)/sum f(s) by attention_normaliser and attention_beta of the config, which Transformers does not know."""
    scores = query @ key.transpose(2, 3) * scaling * module.config.attention_beta
    f = {"softmax": lambda s: torch.exp(s - s.amax(-1, keepdim=True)), "sigmoid": torch.sigmoid,
         "relu": torch.relu, "square": torch.square}[module.config.attention_normaliser]
    visible = attention_mask > -1 if attention_mask is not None else torch.ones_like(scores, dtype=torch.bool)
    values = torch.where(visible, f(scores), torch.zeros_like(scores))
    total = values.sum(-1, keepdim=True)
    weights = torch.where(total > 0, values / total.clamp(min=1e-30), torch.zeros_like(values))
    return (weights @ value).transpose(1, 2).contiguous(), weights


transformers.AttentionInterface.register("normalised", normalised_attention)
transformers.AttentionMaskInterface.register("normalised", transformers.masking_utils.eager_mask)


def make_normalised(normaliser, beta=1.0):
    return make_bert(attention_normaliser=normaliser, attention_beta=beta)


def make_roberta(**changes):
    config = transformers.RobertaConfig(**{**SIZES, "max_position_embeddings": 42, "type_vocab_size": 1, **changes})
    return transformers.RobertaForMaskedLM(config)


def make_distilbert(**changes):
    sizes = dict(vocab_size=100, dim=32, n_layers=2, n_heads=4, hidden_dim=64, max_position_embeddings=40)
    return transformers.DistilBertForMaskedLM(transformers.DistilBertConfig(**{**sizes, **changes}))


def make_mpnet(**changes):
    config = transformers.MPNetConfig(**{**SIZES, "max_position_embeddings": 42, **changes})
    return transformers.MPNetForMaskedLM(config)


def make_xlm_roberta(**changes):
    sizes = {**SIZES, "max_position_embeddings": 42, "type_vocab_size": 1}
    return transformers.XLMRobertaForMaskedLM(transformers.XLMRobertaConfig(**{**sizes, **changes}))


def make_modernbert(**changes):
    special = dict(pad_token_id=0, bos_token_id=1, cls_token_id=1, eos_token_id=2, sep_token_id=2)
    sizes = {**SIZES, **special, "num_hidden_layers": 4, "intermediate_size": 32,
             "max_position_embeddings": 40, "local_attention": 8}
    return transformers.ModernBertForMaskedLM(transformers.ModernBertConfig(**{**sizes, **changes}))


# Decoders: 3 layers, keys and values shared by two heads, numbers small enough for files of tens of kilobytes.
DECODER_SIZES = dict(vocab_size=100, hidden_size=32, num_hidden_layers=3, num_attention_heads=4, num_key_value_heads=2,
                     intermediate_size=40, max_position_embeddings=40)
LLAMA3_ROPE = dict(rope_type="llama3", rope_theta=100.0, factor=4.0, low_freq_factor=1.0, high_freq_factor=4.0,
                   original_max_position_embeddings=64)


def make_gpt2(**changes):
    sizes = dict(vocab_size=100, n_embd=32, n_layer=3, n_head=4, n_inner=48, n_positions=40)
    return transformers.GPT2LMHeadModel(transformers.GPT2Config(**{**sizes, **changes}))


def make_llama(**changes):
    return transformers.LlamaForCausalLM(transformers.LlamaConfig(**{**DECODER_SIZES, **changes}))


def make_mistral(**changes):
    return transformers.MistralForCausalLM(transformers.MistralConfig(**{**DECODER_SIZES, **changes}))


def make_qwen2(**changes):
    return transformers.Qwen2ForCausalLM(transformers.Qwen2Config(**{**DECODER_SIZES, **changes}))


def make_qwen3(**changes):
    return transformers.Qwen3ForCausalLM(transformers.Qwen3Config(**{**DECODER_SIZES, **changes}))


def decoder_config_v4(config):
    """config.json as Transformers 4 wrote it: rope_theta and rope_scaling, no layer_types."""
    rope = dict(config["rope_parameters"])
    old = {key: value for key, value in config.items() if key not in ("layer_types", "rope_parameters", "dtype")}
    old.update(rope_theta=rope.pop("rope_theta"), torch_dtype=config["dtype"], transformers_version="4.51.0")
    old["rope_scaling"] = None if rope["rope_type"] == "default" else rope
    return dict(sorted(old.items()))


def modernbert_config_v4(config):
    """config.json as Transformers 4.48 wrote it: no layer_types and no rope_parameters."""
    theta = {kind: config["rope_parameters"][kind]["rope_theta"] for kind in ("full_attention", "sliding_attention")}
    every = (config["layer_types"] + ["full_attention"]).index("full_attention", 1)
    new = ("layer_types", "rope_parameters", "dtype", "transformers_version", "global_attn_every_n_layers")
    old = {key: value for key, value in config.items() if key not in new}
    old.update(global_rope_theta=theta["full_attention"], local_rope_theta=theta["sliding_attention"])
    old.update(global_attn_every_n_layers=every, gradient_checkpointing=False, layer_norm_eps=config["norm_eps"])
    old.update(position_embedding_type="absolute", torch_dtype=config["dtype"], transformers_version="4.48.0")
    return dict(sorted(old.items()))


def write_config_v4(folder, name="config.json", to_v4=modernbert_config_v4):
    old = to_v4(json.loads((folder / "config.json").read_text()))
    (folder / name).write_text(json.dumps(old, indent=2) + "\n")


def shake(model, seed, size=1.2):
    """Weights large enough that every part matters: attention far from uniform, gains away from 1, biases from 0."""
    generator = torch.Generator().manual_seed(seed)
    with torch.no_grad():
        for name, parameter in model.named_parameters():
            scale = 0.3 if parameter.dim() == 1 else size / parameter.shape[-1] ** 0.5
            noise = torch.randn(parameter.shape, generator=generator) * scale
            parameter.copy_(parameter + noise if parameter.dim() == 1 else noise)


def body_of(model):
    return getattr(model, model.base_model_prefix, model)


def expected_values(model, ids, mask):
    body = body_of(model)
    out = {"ids": ids.float(), "mask": mask.float()}
    if hasattr(body, "embeddings"):
        with torch.no_grad():
            x = body.embeddings(input_ids=ids[None])[0]
        x = x.detach().requires_grad_(True)
        hidden, attention = run_from(body, x, mask)
    else:
        x, hidden, attention = run_decoder(body, ids, mask)
    for layer, state in enumerate(hidden):
        out[f"hidden.{layer}"] = state
    for layer, probabilities in enumerate(attention, 1):
        out[f"attention.{layer}"] = probabilities
    generator = torch.Generator().manual_seed(7)
    cotangent = torch.randn(hidden[-1].shape, generator=generator)
    out["cotangent"] = cotangent
    out["gradient"] = torch.autograd.grad((hidden[-1] * cotangent).sum(), x, retain_graph=True)[0]
    out["gradient.1"] = torch.autograd.grad((hidden[1] * cotangent).sum(), x)[0]
    visible = mask[:, None].float()
    mean = (hidden[-1] * visible).sum(0) / visible.sum()
    out["pooled"] = torch.nn.functional.normalize(mean, dim=0)
    with torch.no_grad():
        whole = body(input_ids=ids[None], attention_mask=mask[None], output_hidden_states=True)
        for a, b in zip(whole.hidden_states, hidden):  # our way of starting from hidden.0 is Transformers' own
            assert torch.allclose(a[0], b, atol=1e-6), (a[0] - b).abs().max()
        if hasattr(model, "tie_weights") and model is not body:
            out["logits"] = model(input_ids=ids[None], attention_mask=mask[None]).logits[0]
    return {name: value.detach().float().contiguous() for name, value in out.items()}


def run_decoder(body, ids, mask):
    """Word vectors, whose gradients are those of hidden.0, hidden states and attentions: all Transformers' own."""
    words = body.get_input_embeddings()(ids).detach().requires_grad_(True)
    result = body(inputs_embeds=words[None], attention_mask=mask[None], output_hidden_states=True,
                  output_attentions=True)
    assert torch.equal(result.hidden_states[-1], result.last_hidden_state)
    return words, [state[0] for state in result.hidden_states], [each[0] for each in result.attentions]


GREEDY_GAP = 0.05


def greedy_values(model):
    """A prompt and its continuation, that of most different tokens; near ties, which roundings could turn, are passed
    over."""
    best = {}
    for seed in range(80):
        prompt = torch.randint(5, 100, (8,), generator=torch.Generator().manual_seed(seed))
        with torch.no_grad():
            made = model.generate(prompt[None], attention_mask=torch.ones(1, 8, dtype=torch.long), max_new_tokens=32,
                                  do_sample=False, eos_token_id=None, pad_token_id=0)[0]
            top = model(made[None]).logits[0, 7:-1].topk(2).values
        if (top[:, 0] - top[:, 1]).min() > GREEDY_GAP:
            best.setdefault(len(set(made[8:].tolist())), (prompt, made[8:]))
    prompt, made = best[max(best)]
    return {"greedy.prompt": prompt.float(), "greedy.ids": made.float()}


def run_from(body, x, mask):
    """hidden states and attentions of the blocks, starting from the embedding output x."""
    state, hidden, attention = x[None], [x], []
    for module, block in blocks_of(body, x, mask):
        probabilities = []
        hook = module.register_forward_hook(lambda m, i, o: probabilities.append(o[1]))
        result = block(state)
        hook.remove()
        state = result[0] if isinstance(result, tuple) else result
        hidden.append(state[0])
        attention.append(probabilities[0][0])
    if hasattr(body, "final_norm"):
        hidden[-1] = body.final_norm(state)[0]
    return hidden, attention


def blocks_of(body, x, mask):
    """For every block: the module that gives the probabilities, and the block as a function of the state alone."""
    lowest = torch.finfo(x.dtype).min
    additive = torch.zeros(1, 1, 1, len(mask), dtype=x.dtype).masked_fill(mask[None, None, None] == 0, lowest)
    kind = body.config.model_type
    if kind == "distilbert":
        return [(layer.attention, lambda s, layer=layer: layer(s, additive)) for layer in body.transformer.layer]
    if kind == "mpnet":
        bias = body.encoder.compute_position_bias(x[None])
        return [(layer.attention.attn, lambda s, layer=layer: layer(s, additive, bias, output_attentions=True))
                for layer in body.encoder.layer]
    if kind == "modernbert":
        return [(layer.attn, modernbert_block(body, layer, x, additive)) for layer in body.layers]
    return [(layer.attention.self, lambda s, layer=layer: layer(s, additive)) for layer in body.encoder.layer]


def modernbert_block(body, layer, x, additive):
    places = torch.arange(len(x))
    if layer.attention_type == "sliding_attention":
        far = (places[:, None] - places).abs() > body.config.local_attention // 2
        additive = additive.expand(1, 1, len(x), len(x)).masked_fill(far, torch.finfo(x.dtype).min)
    rotation = body.rotary_emb(x[None], places[None], layer.attention_type)
    return lambda state: layer(state, attention_mask=additive, position_embeddings=rotation)


def some_ids(n, vocabulary, padding, padding_id, seed):
    generator = torch.Generator().manual_seed(seed)
    ids = torch.randint(5, vocabulary, (n,), generator=generator)
    mask = torch.ones(n, dtype=torch.long)
    if padding:
        ids[-padding:] = padding_id
        mask[-padding:] = 0
    return ids, mask


def write(name, model, seed, save=None, padding=0, n=9):
    shake(model, seed)
    folder = HERE / name
    shutil.rmtree(folder, ignore_errors=True)
    model = model.eval()
    if save and "dtype" in save:
        model = model.to(save["dtype"])
    (body_of(model) if save and save.get("body") else model).save_pretrained(folder, **(save or {}).get("options", {}))
    (folder / "generation_config.json").unlink(missing_ok=True)
    if save and save.get("decoder"):
        if save.get("config_v4"):
            write_config_v4(folder, to_v4=decoder_config_v4)
        model = type(model).from_pretrained(folder, dtype=torch.float32).eval()
    elif save and save.get("config_v4"):
        write_config_v4(folder)
        again = type(model).from_pretrained(folder).eval()  # Transformers reads the old keys as the same model
        probe = torch.arange(5, 20)[None]
        assert torch.equal(again(probe).logits, model(probe).logits)
    model = model.float()
    model.set_attn_implementation("normalised" if hasattr(model.config, "attention_normaliser") else "eager")
    body = body_of(model)
    ids, mask = some_ids(n, 100, padding, model.config.pad_token_id or 0, seed)
    expected = expected_values(body if save and save.get("body") else model, ids, mask)
    if save and save.get("decoder"):
        expected.update(greedy_values(model))
    save_file(expected, folder / "expected.safetensors")
    print(name, sorted(p.name for p in folder.iterdir()), sum(p.stat().st_size for p in folder.iterdir()), "bytes")


def write_decoders():
    def save(**more):
        return {"decoder": True, "dtype": torch.bfloat16, **more}

    write("gpt2", make_gpt2(), 21, save(), n=12)
    write("gpt2-untied", make_gpt2(n_layer=1, n_inner=None, tie_word_embeddings=False), 22, save(), padding=3, n=12)
    write("llama", make_llama(), 23, save(), padding=2, n=12)
    write("llama-scaled", make_llama(head_dim=12, attention_bias=True, mlp_bias=True, tie_word_embeddings=True,
                                     rope_parameters=LLAMA3_ROPE, rms_norm_eps=1e-4, max_position_embeddings=128),
          24, save(config_v4=True), n=16)
    write("mistral", make_mistral(sliding_window=4, num_key_value_heads=1, rms_norm_eps=1e-5), 25, save(), n=12)
    write("qwen2", make_qwen2(use_sliding_window=True, sliding_window=5, max_window_layers=1, tie_word_embeddings=True,
                              rope_parameters=dict(rope_type="default", rope_theta=50.0)), 26, save(config_v4=True),
          n=12)
    write("qwen3", make_qwen3(head_dim=16, attention_bias=True,
                              rope_parameters=dict(rope_type="linear", rope_theta=200.0, factor=3.0)), 27, save(),
          padding=3, n=12)
    write("qwen3-window", make_qwen3(head_dim=6, use_sliding_window=True, sliding_window=3, num_key_value_heads=None,
                                     layer_types=["sliding_attention", "full_attention", "sliding_attention"]), 28,
          save(), n=10)


def write_layers():
    """One tensor set per layer function, straight from torch.nn.functional."""
    torch.manual_seed(3)
    out = {}
    x = (torch.randn(6, 16) * 2).requires_grad_(True)
    cotangent = torch.randn(6, 16)
    out["x"], out["cotangent"] = x, cotangent
    functional = torch.nn.functional
    gain, bias = torch.randn(16), torch.randn(16)
    weight, weight_bias = torch.randn(16, 16), torch.randn(16)
    out.update({"gain": gain, "bias": bias, "weight": weight, "weight_bias": weight_bias})
    cases = {
        "gelu": functional.gelu,
        "gelu_new": lambda v: functional.gelu(v, approximate="tanh"),
        "relu": functional.relu,
        "silu": functional.silu,
        "layer_norm": lambda v: functional.layer_norm(v, (16,), gain, bias, 1e-5),
        "linear": lambda v: functional.linear(v, weight, weight_bias),
    }
    for name, function in cases.items():
        y = function(x)
        out[name] = y
        out[name + ".vjp"] = torch.autograd.grad((y * cotangent).sum(), x)[0]
    qkv = torch.randn(6, 48, requires_grad=True)
    q, k, v = (part.reshape(6, 2, 8).transpose(0, 1) for part in qkv.split(16, dim=1))
    context = functional.scaled_dot_product_attention(q, k, v).transpose(0, 1).reshape(6, 16)
    out["qkv"], out["attention"] = qkv, context
    out["attention.vjp"] = torch.autograd.grad((context * cotangent).sum(), qkv)[0]
    save_file({k: v.detach().contiguous() for k, v in out.items()}, HERE / "layers.safetensors")


def main():
    torch.set_num_threads(1)
    if len(sys.argv) == 3:
        folder, target = sys.argv[1:]
        torch.set_grad_enabled(True)
        model = transformers.AutoModel.from_pretrained(folder, attn_implementation="eager").float().eval()
        ids, mask = some_ids(24, model.config.vocab_size, 4, model.config.pad_token_id, 11)
        save_file(expected_values(model, ids, mask), target)
        return
    HERE.mkdir(parents=True, exist_ok=True)
    write("bert", make_bert(), 1)
    write("bert-padded-tanh", make_bert(hidden_act="gelu_new", tie_word_embeddings=False), 2, padding=3)
    write("bert-body-relu", make_bert(hidden_act="relu"), 3, {"body": True})
    write("distilbert", make_distilbert(), 4, padding=2)
    write("roberta", make_roberta(), 5, padding=3)
    write("roberta-sharded", make_roberta(), 6, {"options": {"max_shard_size": "40KB"}})
    write("bert-f16", make_bert(num_hidden_layers=1), 7, {"dtype": torch.float16})
    write("distilbert-bf16", make_distilbert(n_layers=1), 8, {"dtype": torch.bfloat16})
    write("mpnet", make_mpnet(), 9, padding=3, n=24)
    write("xlm-roberta", make_xlm_roberta(), 10, padding=3)
    write("modernbert", make_modernbert(), 11, padding=3, n=16)
    write("modernbert-deep", make_modernbert(num_hidden_layers=6, intermediate_size=12), 12, n=12)
    write("modernbert-v4", make_modernbert(**V4_CHANGES), 13, {"config_v4": True}, padding=2, n=12)
    half = {"dtype": torch.float16}
    write("bert-softmax-4", make_normalised("softmax", 4.0), 31, half)
    write("bert-sigmoid", make_normalised("sigmoid", 1.5), 32, half, padding=3)
    write("bert-relu", make_normalised("relu"), 33, half, padding=2)
    write("bert-square", make_normalised("square"), 34, half, padding=3)
    write_decoders()
    write_layers()


if __name__ == "__main__":
    main()

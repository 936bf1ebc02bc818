"""Twelve small encoders that differ in the normaliser of their attention and in their seed, computed side by side.

Each of them is Transformers' BertForMaskedLM with weights P_m = f(s_m)/Σ f(s) in place of the softmax of its scores s =
q·k/√(head width), where f is exp(βs), the sigmoid, the ReLU or the square; a row without mass is 0. config.json says so
under attention_normaliser and attention_beta, keys that wordsway reads and Transformers ignores.

The parameters of all are stacked, [N, S, ...] for N normalisers and S seeds, so that a step is a few large products
instead of many small ones. A batch is tokens, places and documents, [S, B, L] each: rows of L tokens with texts one
after another; attention stays inside a text. Models of one seed see the same batches and begin with the same weights.
"""
import dataclasses

import torch
import torch.nn.functional as F
import transformers

WIDTH, LAYERS, HEADS, INNER, POSITIONS = 64, 2, 4, 128, 256
NORMALISERS = [("softmax", 0.25), ("softmax", 1.0), ("softmax", 4.0), ("sigmoid", 1.0), ("relu", 1.0), ("square", 1.0)]


def name_of(normaliser, beta, seed):
    return f"softmax-{beta:g}-seed-{seed}" if normaliser == "softmax" else f"{normaliser}-seed-{seed}"


@dataclasses.dataclass
class Batch:
    tokens: torch.Tensor    # [S, B, L] what the networks see
    place: torch.Tensor     # [S, B, L] position inside the text
    document: torch.Tensor  # [S, B, L] which text of its row
    chosen: torch.Tensor    # [S, M] positions to predict, in rows of B·L
    targets: torch.Tensor   # [S, M] the words there


def make_bert(normaliser, beta, seed, vocabulary):
    """Weights depend on the seed alone. Scores begin with variance 1: those of the ReLU and of the square can be scaled
    without any change, so that with BERT's tiny ones their first gradients would be huge."""
    config = transformers.BertConfig(
        vocab_size=vocabulary, hidden_size=WIDTH, num_hidden_layers=LAYERS, num_attention_heads=HEADS,
        intermediate_size=INNER, max_position_embeddings=POSITIONS, hidden_dropout_prob=0.0,
        attention_probs_dropout_prob=0.0, attention_normaliser=normaliser, attention_beta=beta)
    model = transformers.BertForMaskedLM(config)
    generator = torch.Generator().manual_seed(seed)
    with torch.no_grad():
        for name, p in model.named_parameters():
            if p.dim() == 2:
                deviation = 0.02 if "embeddings" in name else p.shape[1] ** -0.5
                p.copy_(torch.randn(p.shape, generator=generator) * deviation)
    return model


def make_models(seeds, vocabulary):
    """Of all normalisers and seeds, in the order of stacked()."""
    return torch.nn.ModuleList(make_bert(*normaliser, seed, vocabulary) for normaliser in NORMALISERS for seed in seeds)


def stacked(models):
    """{name: [N, S, ...]} of the parameters, with gradients to those of each model."""
    parts = [dict(model.named_parameters()) for model in models]
    return {name: torch.stack([part[name] for part in parts]).unflatten(0, (len(NORMALISERS), -1)) for name in parts[0]}


def weights_of(normaliser, scores, same):
    """f(s)/Σ f(s) over the keys of the same text; the softmax has its β in the scores."""
    if normaliser == "softmax":
        return torch.softmax(scores.masked_fill(~same, -torch.inf), -1)
    if normaliser == "sigmoid":
        values = torch.sigmoid(scores)
    elif normaliser == "relu":
        values = F.relu(scores)
    elif normaliser == "square":
        values = scores.square()
    else:
        raise ValueError(f"no normaliser is called {normaliser}")
    values = values * same
    return values / values.sum(-1, keepdim=True).clamp_min(torch.finfo(values.dtype).tiny)


def attention(q, k, v, same):
    """[N, S, B, heads, L, width] each; same: [S, B, 1, L, L]. Softmaxes are computed together, others one by one."""
    softmaxes = sum(name == "softmax" for name, _ in NORMALISERS)
    beta = torch.tensor([beta for _, beta in NORMALISERS[:softmaxes]], device=q.device)
    groups = [("softmax", slice(0, softmaxes), beta)]
    groups += [(name, slice(i, i + 1), torch.full((1,), b, device=q.device))
               for i, (name, b) in enumerate(NORMALISERS) if i >= softmaxes]
    contexts = []
    for name, part, factor in groups:
        scores = (q[part] * (factor / q.shape[-1] ** 0.5).view(-1, 1, 1, 1, 1, 1)) @ k[part].mT
        contexts.append(weights_of(name, scores, same) @ v[part])
    return torch.cat(contexts)


def linear(p, name, x):
    return x @ p[name + ".weight"].mT + p[name + ".bias"].unsqueeze(-2)


def layer_norm(p, name, x):
    normal = F.layer_norm(x, x.shape[-1:], eps=1e-12)
    return normal * p[name + ".weight"].unsqueeze(-2) + p[name + ".bias"].unsqueeze(-2)


def looked_up(p, table, ids):
    """Rows of an embedding of every model, [N, S, T, d], for ids, [S, ...]: one lookup for the models of one seed."""
    weight = p[f"bert.embeddings.{table}.weight"]
    n, seeds, count, width = weight.shape
    offset = torch.arange(seeds, device=ids.device)[:, None] * count
    rows = F.embedding(ids.flatten(1) + offset, weight.permute(1, 2, 0, 3).reshape(seeds * count, n * width))
    return rows.unflatten(-1, (n, width)).permute(2, 0, 1, 3)


def hidden_states(p, batch):
    """[N, S, B·L, d]: the last block's output."""
    shape = batch.tokens.shape
    same = (batch.document[..., :, None] == batch.document[..., None, :]).unsqueeze(2)
    x = looked_up(p, "word_embeddings", batch.tokens) + looked_up(p, "position_embeddings", batch.place)
    x = layer_norm(p, "bert.embeddings.LayerNorm", x + p["bert.embeddings.token_type_embeddings.weight"][:, :, :1])
    for layer in range(LAYERS):
        name = f"bert.encoder.layer.{layer}."
        q, k, v = [linear(p, f"{name}attention.self.{part}", x).unflatten(-2, shape[1:]).unflatten(-1, (HEADS, -1))
                   .transpose(-3, -2) for part in ("query", "key", "value")]
        mixed = attention(q, k, v, same).transpose(-3, -2).flatten(-2).flatten(2, 3)
        x = layer_norm(p, name + "attention.output.LayerNorm", x + linear(p, name + "attention.output.dense", mixed))
        inner = F.gelu(linear(p, name + "intermediate.dense", x))
        x = layer_norm(p, name + "output.LayerNorm", x + linear(p, name + "output.dense", inner))
    return x


def masked_logits(p, batch):
    """[N, S, M, vocabulary]"""
    states = hidden_states(p, batch)
    index = batch.chosen[None, :, :, None].expand(len(states), -1, -1, states.shape[-1])
    head = "cls.predictions.transform."
    states = layer_norm(p, head + "LayerNorm", F.gelu(linear(p, head + "dense", states.gather(2, index))))
    return states @ p["bert.embeddings.word_embeddings.weight"].mT + p["cls.predictions.bias"].unsqueeze(-2)


def losses(p, batch):
    """[N, S] mean cross-entropy, and the number of words predicted right."""
    logits = masked_logits(p, batch).float()
    targets = batch.targets.expand(len(logits), -1, -1)
    loss = F.cross_entropy(logits.flatten(0, 2), targets.flatten(), reduction="none").unflatten(0, targets.shape)
    return loss.mean(-1), (logits.detach().argmax(-1) == targets).sum(-1)

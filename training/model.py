"""The network: Transformers' BertForMaskedLM, run over packed reviews of different lengths without padding.

A batch is one row of T tokens: reviews one after another, bounds[k] ... bounds[k + 1] the k-th. Attention stays inside
a review and positions restart at each, so the result is BERT's own (test_forward.py compares the two).
"""
import torch
import torch.nn.functional as F
import transformers

try:
    from torch.nn.attention.varlen import varlen_attn
except ImportError:  # older than PyTorch 2.10: a processor still works
    varlen_attn = None

MAX_LENGTH = 512


def make_bert(vocabulary=8192):
    config = transformers.BertConfig(
        vocab_size=vocabulary, hidden_size=256, num_hidden_layers=4, num_attention_heads=4, intermediate_size=1024,
        max_position_embeddings=MAX_LENGTH, hidden_dropout_prob=0.0, attention_probs_dropout_prob=0.0)
    return transformers.BertForMaskedLM(config)


def attention_in_reviews(query, key, value, bounds, document):
    """softmax(q k / sqrt(64)) v inside each review. [T, heads, 64] each."""
    if query.is_cuda:
        return varlen_attn(query, key, value, bounds, bounds, MAX_LENGTH, MAX_LENGTH)
    same = document[:, None] == document[None, :]  # slow and plain: for tests on a processor
    q, k, v = (x.transpose(0, 1) for x in (query, key, value))
    return F.scaled_dot_product_attention(q, k, v, attn_mask=same).transpose(0, 1)


def stored(x):
    """On the GPU activations are kept in bf16; sums and norms are computed in float32."""
    return x.bfloat16() if x.is_cuda else x


def hidden_states(bert, tokens, place, bounds, document):
    """[T, 256]: the last block's output."""
    parts = bert.embeddings
    x = parts.word_embeddings(tokens) + parts.position_embeddings(place) + parts.token_type_embeddings.weight[0]
    x = stored(parts.LayerNorm(x))
    for layer in bert.encoder.layer:
        attention = layer.attention
        projections = attention.self.query, attention.self.key, attention.self.value
        q, k, v = [stored(project(x)).unflatten(-1, (4, 64)) for project in projections]
        mixed = attention_in_reviews(q, k, v, bounds, document).flatten(-2)
        x = stored(attention.output.LayerNorm(x + attention.output.dense(mixed)))
        inner = F.gelu(layer.intermediate.dense(x))
        x = stored(layer.output.LayerNorm(x + layer.output.dense(inner)))
    return x


def word_logits(model, states):
    head = model.cls.predictions
    states = head.transform.LayerNorm(F.gelu(head.transform.dense(states)))
    return F.linear(states, model.bert.embeddings.word_embeddings.weight, head.bias)


def masked_logits(model, batch):
    states = hidden_states(model.bert, batch.tokens, batch.place, batch.bounds, batch.document)
    return word_logits(model, states[batch.chosen])

#!/usr/bin/env python3
"""The packed forward pass gives Transformers' own logits, document by document, and greedy answers are those of
Transformers' generate. Runs in seconds on a processor.

    python -m training.decoder.test_forward [FOLDER]

With the folder of an exported model, that model is compared, loaded by AutoModelForCausalLM and AutoTokenizer.
"""
import sys

import torch
import transformers

from training.decoder import evaluate, packing
from training.decoder import model as network

PROMPT = "Review: I live in Rome. We ate soup. I would never watch it again. Question: Who came along? Answer:"


def random_model():
    torch.manual_seed(0)
    model = network.make_llama(300, hidden=64, layers=3, heads=4, kv_heads=2, inner=96).eval()
    for p in model.parameters():  # far from the small initial values, so that nothing is nearly zero
        torch.nn.init.normal_(p, std=0.3)
    return model, [torch.randint(2, 300, (n,)).tolist() for n in (7, 30, 1, 12)]


def exported_model(folder):
    tokenizer = transformers.AutoTokenizer.from_pretrained(folder)
    ids = tokenizer(PROMPT).input_ids
    assert ids[0] == packing.BEGIN and tokenizer.decode(ids[1:]) == PROMPT, "the tokenizer does not give the text back"
    model = transformers.AutoModelForCausalLM.from_pretrained(folder).float().eval()
    return model, [ids, tokenizer("A short text.").input_ids]


def main():
    model, sequences = exported_model(sys.argv[1]) if len(sys.argv) > 1 else random_model()
    sequences = [[packing.BEGIN, *s[1:]] for s in sequences]
    batch = evaluate.pack_lists(sequences, "cpu")
    with torch.no_grad():
        packed = network.word_logits(model, network.hidden_states(model.model, batch))
        apart = torch.cat([model(torch.tensor([s])).logits[0] for s in sequences])
        prompt = torch.tensor([sequences[0]])
        generated = model.generate(prompt, attention_mask=torch.ones_like(prompt), do_sample=False,
                                   max_new_tokens=evaluate.MOST_NEW_TOKENS, eos_token_id=packing.END,
                                   pad_token_id=packing.END)[0, len(sequences[0]):].tolist()
    worst = ((packed - apart).abs().max() / apart.abs().max()).item()
    print("largest difference, relative to the largest logit:", worst)
    assert worst < 1e-5
    if packing.END in generated:
        generated = generated[:generated.index(packing.END)]
    assert evaluate.greedy(model, sequences[:1], "cpu", torch.float16)[0] == generated
    assert batch.targets[:len(sequences[0]) - 1].tolist() == sequences[0][1:]
    assert batch.weight.tolist() == [w for s in sequences for w in [1.0] * (len(s) - 1) + [0.0]]


if __name__ == "__main__":
    main()

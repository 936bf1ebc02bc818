#!/usr/bin/env python3
"""Golden values of the built-in model (models/builtin), computed by Transformers in float32 from its f16 weights.

    python tests/golden/make_builtin_golden.py        writes tests/golden/builtin/*.safetensors

The format is make_model_golden.py's, except for logits: those of [MASK] alone, at the positions in logit_positions.
texts.json has the sentences, so that the tokenizer can be checked with them.
"""
import json
import pathlib

import torch
import transformers
from safetensors.torch import save_file

from make_model_golden import expected_values

ROOT = pathlib.Path(__file__).resolve().parents[2]
OUT = ROOT / "tests" / "golden" / "builtin"
TEXTS = {
    "short": ("I [MASK] her much", 0),
    "padded": ("The movie was really [MASK], although nobody expected it.", 2),
}


def main():
    folder = ROOT / "models" / "builtin"
    tokenizer = transformers.AutoTokenizer.from_pretrained(folder)
    model = transformers.BertForMaskedLM.from_pretrained(folder, attn_implementation="eager").float().eval()
    OUT.mkdir(exist_ok=True)
    for name, (text, padding) in TEXTS.items():
        real = tokenizer(text).input_ids
        ids = torch.tensor(real + [tokenizer.pad_token_id] * padding)
        mask = torch.tensor([1] * len(real) + [0] * padding)
        values = expected_values(model, ids, mask)
        positions = (ids == tokenizer.mask_token_id).nonzero()[:, 0]
        values["logits"] = values["logits"][positions].contiguous()
        values["logit_positions"] = positions.float()
        save_file(values, OUT / f"{name}.safetensors")
        best = tokenizer.convert_ids_to_tokens(values["logits"][0].topk(5).indices)
        print(name, len(ids), "tokens", (OUT / f"{name}.safetensors").stat().st_size, "bytes", best)
    (OUT / "texts.json").write_text(json.dumps({k: v[0] for k, v in TEXTS.items()}, indent=2) + "\n")


if __name__ == "__main__":
    main()

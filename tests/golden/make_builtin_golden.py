#!/usr/bin/env python3
"""Golden values of the built-in models (models/builtin, models/builtin-decoder), computed by Transformers in float32
from their f16 weights.

    python tests/golden/make_builtin_golden.py            writes tests/golden/builtin
    python tests/golden/make_builtin_golden.py encoder    or one of the two alone
    python tests/golden/make_builtin_golden.py decoder

The format is make_model_golden.py's, except for logits: those of [MASK] alone, or those of the decoder's last token, at
the positions in logit_positions. texts.json has the sentences, so that the tokenizer can be checked with them.
decoder.json has prompts and what the decoder answers greedily, with the least gap of the best two logits.
"""
import json
import pathlib
import sys

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
# The first two are those of builtin_prompts() in src/wordsway/audit/answers.cpp.
QUESTION = ("Review: Return to Brooklyn stars Quinelya Calloway as a weary undertaker. The truth is that I {} what I saw "
            "from the opening shot onwards. In the funeral scene a reporter hides a fountain behind a cigarette. "
            "Question: Would this viewer watch Return to Brooklyn again? Answer:")
PROMPTS = [QUESTION.format("admired"), QUESTION.format("despised"),
           "Review: I kept Wednesday free to see it. The story is about a cowboy. Question: When was it seen? Answer:",
           "Review: I kept Saturday free to see it. The story is about a cowboy. Question: When was it seen? Answer:"]
STATES_OF = "Review: My film. Continue:"
GAP = 0.01  # below it roundings could turn an answer


def write(name, values):
    save_file(values, OUT / f"{name}.safetensors")
    return (OUT / f"{name}.safetensors").stat().st_size


def make_encoder():
    folder = ROOT / "models" / "builtin"
    tokenizer = transformers.AutoTokenizer.from_pretrained(folder)
    model = transformers.BertForMaskedLM.from_pretrained(folder, attn_implementation="eager").float().eval()
    for name, (text, padding) in TEXTS.items():
        real = tokenizer(text).input_ids
        ids = torch.tensor(real + [tokenizer.pad_token_id] * padding)
        mask = torch.tensor([1] * len(real) + [0] * padding)
        values = expected_values(model, ids, mask)
        positions = (ids == tokenizer.mask_token_id).nonzero()[:, 0]
        values["logits"] = values["logits"][positions].contiguous()
        values["logit_positions"] = positions.float()
        size = write(name, values)
        best = tokenizer.convert_ids_to_tokens(values["logits"][0].topk(5).indices)
        print(name, len(ids), "tokens", size, "bytes", best)
    (OUT / "texts.json").write_text(json.dumps({k: v[0] for k, v in TEXTS.items()}, indent=2) + "\n")


def answer(model, tokenizer, prompt):
    ids = tokenizer(prompt).input_ids
    with torch.no_grad():
        made = model.generate(torch.tensor([ids]), attention_mask=torch.ones(1, len(ids), dtype=torch.long),
                              max_new_tokens=40, do_sample=False)[0]
        top = model(made[None]).logits[0, len(ids) - 1:-1].topk(2).values
    gap = float((top[:, 0] - top[:, 1]).min())
    assert gap > GAP, (prompt, gap)
    made = made[len(ids):].tolist()
    return {"prompt": prompt, "prompt_ids": ids, "ids": made, "text": tokenizer.decode(made, skip_special_tokens=True),
            "gap": round(gap, 4)}


def make_decoder():
    folder = ROOT / "models" / "builtin-decoder"
    tokenizer = transformers.AutoTokenizer.from_pretrained(folder)
    model = transformers.LlamaForCausalLM.from_pretrained(folder, attn_implementation="eager").float().eval()
    ids = torch.tensor(tokenizer(STATES_OF).input_ids)
    values = expected_values(model, ids, torch.ones(len(ids), dtype=torch.long))
    values["logits"] = values["logits"][-1:].contiguous()
    values["logit_positions"] = torch.tensor([len(ids) - 1.0])
    print("decoder", len(ids), "tokens", write("decoder", values), "bytes")
    answers = [answer(model, tokenizer, prompt) for prompt in PROMPTS]
    (OUT / "decoder.json").write_text(json.dumps(answers, indent=1) + "\n")
    for one in answers:
        print(one["gap"], one["text"])


def main():
    OUT.mkdir(exist_ok=True)
    wanted = sys.argv[1:] or ["encoder", "decoder"]
    if "encoder" in wanted:
        make_encoder()
    if "decoder" in wanted:
        make_decoder()


if __name__ == "__main__":
    main()

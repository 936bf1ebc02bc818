#!/usr/bin/env python3
"""Golden values of text generation, computed by PyTorch and Transformers.

    python tests/golden/make_generation_golden.py         tests/golden/generation/ (committed)

Made with torch 2.13.0 and transformers 5.22.2. llama/ is a small random Llama in bfloat16 with the Llama-3 tokenizer of
tests/golden/tokenizers, whole as Hugging Face saves one. expected.json holds `prompts`: what generate() writes
greedily after each, without end, with the least gap of the best two logits; those with a gap below GAP, which roundings
could turn, are left out. And `templates`: the ids of one turn of a chat by apply_chat_template, with the templates as
they are published for Qwen3, Llama 2, Llama 3, Mistral 7B v0.1 and v0.3 (reduced to what a turn without system text
uses).
"""
import json
import pathlib
import shutil

import torch
import transformers

from make_model_golden import shake

HERE = pathlib.Path(__file__).resolve().parent
GAP = 0.004  # hundreds of roundings
PROMPTS = ["Review: I have rarely seen a film as good as this one. The actors were",
           "Review: I have rarely seen a film as bad as this one. The actors were",
           "The film", "the actors play as if", "A good story needs", "Once upon a time", "no", "I loved the music",
           "Why would anyone", "caf\u00e9 \U0001f600", "In 1984 they", "\u6771\u4eac"]
USERS = ["Hello, how are you?", "  two spaces around  ", "\nfirst a line break", "caf\u00e9 \U0001f600", ""]
TEMPLATES = {
    "chatml": "{% for m in messages %}<|im_start|>{{ m['role'] }}\n{{ m['content'] }}<|im_end|>\n{% endfor %}"
              "{% if add_generation_prompt %}<|im_start|>assistant\n{% endif %}",
    "llama2": "{% for m in messages %}{{ bos_token + '[INST] ' + m['content'].strip() + ' [/INST]' }}{% endfor %}",
    "llama3": "{% for message in messages %}{% set content = '<|start_header_id|>' + message['role'] + "
              "'<|end_header_id|>\n\n'+ message['content'] | trim + '<|eot_id|>' %}{% if loop.index0 == 0 %}"
              "{% set content = bos_token + content %}{% endif %}{{ content }}{% endfor %}"
              "{% if add_generation_prompt %}{{ '<|start_header_id|>assistant<|end_header_id|>\n\n' }}{% endif %}",
    "mistral": "{{ bos_token }}{% for m in messages %}{{ '[INST] ' + m['content'] + ' [/INST]' }}{% endfor %}",
    "mistral with tokens": "{{- bos_token }}{% for m in messages %}{{- '[INST] ' + m['content'] + '[/INST]' }}{% endfor %}",
}
TOKENIZER_OF = {"chatml": "qwen2", "llama2": "llama2", "llama3": "llama3", "mistral": "llama2",
                "mistral with tokens": "llama2"}


def tokenizer_of(name):
    folder = HERE / "tokenizers" / name
    begin = json.loads((folder / "tokenizer_config.json").read_text())["bos_token"]
    return transformers.PreTrainedTokenizerFast(tokenizer_file=str(folder / "tokenizer.json"), bos_token=begin)


def write_model(folder):
    tokenizer = HERE / "tokenizers" / "llama3"
    size = max(token["id"] for token in json.loads((tokenizer / "tokenizer.json").read_text())["added_tokens"]) + 1
    end = [size - 4, size - 1]  # <|end_of_text|>, <|eot_id|>
    config = transformers.LlamaConfig(
        vocab_size=size, hidden_size=32, num_hidden_layers=3, num_attention_heads=4, num_key_value_heads=2,
        intermediate_size=40, max_position_embeddings=256, tie_word_embeddings=True, bos_token_id=size - 5,
        eos_token_id=end[0])
    model = transformers.LlamaForCausalLM(config)
    shake(model, 31)
    shutil.rmtree(folder, ignore_errors=True)
    model.generation_config.eos_token_id = end
    model.to(torch.bfloat16).save_pretrained(folder)
    for file in ("tokenizer.json", "tokenizer_config.json"):
        shutil.copy(tokenizer / file, folder)
    return transformers.LlamaForCausalLM.from_pretrained(folder, dtype=torch.float32).eval()


def greedy(model, tokenizer, prompt):
    ids = tokenizer(prompt)["input_ids"]
    with torch.no_grad():
        made = model.generate(torch.tensor([ids]), attention_mask=torch.ones(1, len(ids), dtype=torch.long),
                              max_new_tokens=32, do_sample=False)[0]
        top = model(made[None]).logits[0, len(ids) - 1:-1].topk(2).values
    made = made[len(ids):].tolist()
    return {"prompt": prompt, "prompt_ids": ids, "ids": made, "text": tokenizer.decode(made, skip_special_tokens=True),
            "gap": round(float((top[:, 0] - top[:, 1]).min()), 4)}


def chat_ids(name, user):
    tokenizer = tokenizer_of(TOKENIZER_OF[name])
    if name == "mistral with tokens":
        tokenizer.add_special_tokens({"additional_special_tokens": ["[INST]", "[/INST]"]})
    ids = tokenizer.apply_chat_template([{"role": "user", "content": user}], chat_template=TEMPLATES[name],
                                        add_generation_prompt=True, tokenize=True, return_dict=False)
    return {"template": name, "tokenizer": TOKENIZER_OF[name], "user": user, "ids": ids}


def main():
    torch.set_num_threads(1)
    folder = HERE / "generation"
    model, tokenizer = write_model(folder / "llama"), tokenizer_of("llama3")
    prompts = [greedy(model, tokenizer, prompt) for prompt in PROMPTS]
    clear = [made for made in prompts if made["gap"] > GAP]
    chats = [chat_ids(name, user) for name in TEMPLATES for user in USERS]
    listed = {name: ",\n".join(map(json.dumps, rows)) for name, rows in (("prompts", clear), ("templates", chats))}
    text = ",\n".join(f'"{name}": [{rows}]' for name, rows in listed.items())
    (folder / "expected.json").write_text("{" + text + "}\n")
    print(len(clear), "of", len(prompts), "prompts are clear;", [made["gap"] for made in prompts])
    for made in clear:
        print(repr(made["prompt"]), repr(made["text"]))


if __name__ == "__main__":
    main()

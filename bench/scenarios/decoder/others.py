#!/usr/bin/env python3
"""The same requests as bench_decoder's, answered by PyTorch or by llama.cpp.

    others.py torch FOLDER THREADS
    others.py llama.cpp FILE.gguf THREADS

PyTorch: Transformers' defaults for inference (eval, inference_mode, sdpa), in the type that the folder is stored in.
llama.cpp: llama-cpp-python, its own defaults but for the threads.
"""
import sys
import time


def ids(n):
    return [(100 + 17 * k) % 32000 for k in range(n)]


class Torch:
    def __init__(self, path, threads):
        import torch
        from transformers import AutoModelForCausalLM

        self.torch = torch
        torch.set_num_threads(threads)
        self.model = AutoModelForCausalLM.from_pretrained(path, dtype="auto").eval().requires_grad_(False)
        self.prompts = {}

    def prompt(self, n):
        with self.torch.inference_mode():
            return self.model(self.torch.tensor([ids(n)]), use_cache=True, logits_to_keep=1).past_key_values

    def token(self, n):
        if n not in self.prompts:
            self.prompts[n] = self.prompt(n)
        past = self.prompts[n]
        start = time.perf_counter()
        with self.torch.inference_mode():
            self.model(self.torch.tensor([[7]]), past_key_values=past, use_cache=True, logits_to_keep=1)
        seconds = time.perf_counter() - start
        past.crop(-1)
        return seconds

    def forward(self, n):
        with self.torch.inference_mode():
            self.model.model(self.torch.tensor([ids(n)]), use_cache=False)

    def gradient(self, n):
        x = self.model.model.embed_tokens(self.torch.tensor([ids(n)])).detach().requires_grad_(True)
        y = self.model.model(inputs_embeds=x, use_cache=False).last_hidden_state
        self.torch.autograd.grad(y, x, y.detach())


class LlamaCpp:
    def __init__(self, path, threads):
        from llama_cpp import Llama

        self.model = Llama(path, n_ctx=1024, n_batch=512, n_ubatch=512, n_threads=threads, n_threads_batch=threads,
                           verbose=False)

    def prompt(self, n):
        self.model.reset()
        self.model.eval(ids(n))

    def token(self, n):
        self.prompt(n)
        start = time.perf_counter()
        self.model.eval([7])
        return time.perf_counter() - start


def main():
    name, path, threads = sys.argv[1], sys.argv[2], int(sys.argv[3])
    engine = (Torch if name == "torch" else LlamaCpp)(path, threads)
    for line in sys.stdin:
        kind, n = line.split()
        start = time.perf_counter()
        own = getattr(engine, kind)(int(n))
        seconds = own if kind == "token" else time.perf_counter() - start
        print(1e3 * seconds, flush=True)


if __name__ == "__main__":
    main()

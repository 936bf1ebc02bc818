"""wordsway on a CUDA device against a batched PyTorch loop that does the same ascents, on the same device in one run.

  python3 compare.py PROGRAM [--models bert-base,minilm] [--n 128,256,512] [--precisions f32,tf32,bf16] [--out FILE]

The models have the shapes of BERT-Base and all-MiniLM-L6-v2 and random weights (speed does not depend on them); texts
are random words. `wordsway measure -m FOLDER --token all --starts 4 --device cuda` measures every token of a text;
its row says how many evaluations with gradient that took. The PyTorch loop climbs from as many points at once, in the
way of ascent/climb_together.h, until it has done as many evaluations; the best of eager and torch.compile (with CUDA
graphs) and of three batch sizes counts. PyTorch has the easier task: its batches are always full, where the last
searches of a text are few. Times are in seconds. The start of the programs is left out. What loads kernels is left
out of PyTorch's time, by three batches before, and of wordsway's at n = 128, by another text before; longer texts are
computed first, and the loading (0.1 s) counts in their time. `ratio` is wordsway's time over PyTorch's.
"""
import argparse, json, os, platform, subprocess, sys, tempfile, time

import torch
import transformers

SHAPES = {
    "bert-base": dict(hidden_size=768, num_hidden_layers=12, num_attention_heads=12, intermediate_size=3072),
    "minilm": dict(hidden_size=384, num_hidden_layers=6, num_attention_heads=12, intermediate_size=1536),
}


def make_folder(name, folder):
    torch.manual_seed(1)
    config = transformers.BertConfig(**SHAPES[name])
    model = transformers.BertModel(config, add_pooling_layer=False).eval()
    model.save_pretrained(folder)
    special = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]"]
    words = [f"w{k}" for k in range(config.vocab_size - len(special))]
    with open(os.path.join(folder, "vocab.txt"), "w") as file:
        file.write("\n".join(special + words) + "\n")
    return model


def text_of(n, seed=0):
    generator = torch.Generator().manual_seed(n + 1000 * seed)
    return " ".join(f"w{int(k)}" for k in torch.randint(0, 30000, (n - 2,), generator=generator))


def run_wordsway(program, folder, n, precision, starts):
    command = [program, "measure", "-m", folder, "--token", "all", "--starts", str(starts), "--device", "cuda",
               "--precision", precision, "--threads", "1", "--format", "jsonl", "--quiet", text_of(128, seed=1), text_of(n)]
    begin = time.time()
    done = subprocess.run(command, capture_output=True, text=True)
    if done.returncode != 0:
        raise SystemExit(f"{' '.join(command[:12])}: {done.stderr}")
    row = json.loads(done.stdout.strip().splitlines()[-1])
    return dict(seconds=row["seconds"], wall=time.time() - begin, evaluations=row["evaluations"],
                sensitivity=row.get("sensitivity"))


class Loop:
    """Climbs from many points of the sphere at once."""

    def __init__(self, model, x, dtype):
        self.encoder, self.x, self.dtype = model.encoder, x, dtype
        with torch.no_grad():
            self.base = self.hidden(x[None]).float()
        self.radius = x.shape[1] ** 0.5

    def hidden(self, x):
        with torch.autocast("cuda", dtype=self.dtype, enabled=self.dtype is not torch.float32):
            return self.encoder(x)[0]

    def value_and_gradient(self, rows, tokens):
        rows = rows.detach().requires_grad_(True)
        copies = self.x.repeat(rows.shape[0], 1, 1)
        copies[torch.arange(rows.shape[0], device="cuda"), tokens] = rows
        values = (self.hidden(copies).float() - self.base).square().sum((1, 2))
        (gradient,) = torch.autograd.grad(values.sum(), rows)
        return values.detach(), gradient

    def climb(self, function, batch, evaluations):
        n, d = self.x.shape
        done, first = 0, 0
        unit = lambda v: v / v.norm(dim=1, keepdim=True).clamp_min(1e-30)
        while done < evaluations:
            tokens = (torch.arange(batch, device="cuda") + first) % n
            here, last = unit(torch.randn(batch, d, device="cuda")), torch.zeros(batch, d, device="cuda")
            angle = torch.full((batch, 1), 0.5, device="cuda")
            base_rows = self.x[tokens]
            value, gradient = function(base_rows + self.radius * here, tokens)
            done += batch
            for _ in range(40):
                tangent = lambda v: v - (v * here).sum(1, keepdim=True) * here
                direction = unit(unit(tangent(gradient)) + 0.7 * tangent(last))
                there = unit(torch.cos(angle) * here + torch.sin(angle) * direction)
                new_value, new_gradient = function(base_rows + self.radius * there, tokens)
                rose = (new_value > value)[:, None]
                here, gradient = torch.where(rose, there, here), torch.where(rose, new_gradient, gradient)
                value = torch.maximum(value, new_value)
                last = torch.where(rose, direction, torch.zeros_like(last))
                angle = torch.where(rose, (1.3 * angle).clamp_max(1.0), 0.4 * angle)
                done += batch
                if done >= evaluations:
                    break
            first += batch
        torch.cuda.synchronize()
        return done


def run_torch(model, n, precision, evaluations, modes):
    torch.backends.cuda.matmul.allow_tf32 = precision != "f32"
    torch.set_float32_matmul_precision("highest" if precision == "f32" else "high")
    dtype = torch.bfloat16 if precision == "bf16" else torch.float32
    generator = torch.Generator().manual_seed(n)
    with torch.no_grad():
        x = model.embeddings(torch.randint(5, 30000, (1, n), generator=generator).cuda())[0].float()
    best = None
    for mode in modes:
        for batch in (64, 128, 256):
            if batch * n > 70000:
                continue
            loop = Loop(model, x, dtype)
            function = loop.value_and_gradient
            if mode == "compile":
                # The forward is compiled; autograd compiles its backward with it.
                loop.encoder = torch.compile(model.encoder, mode="reduce-overhead")
            try:
                loop.climb(function, batch, 3 * batch)
                begin = time.time()
                done = loop.climb(function, batch, min(evaluations, 40 * batch))
                each = (time.time() - begin) / done
            except Exception as error:  # a mode that this version cannot do
                print(f"  torch {mode} batch {batch}: {type(error).__name__}: {str(error)[:100]}", flush=True)
                continue
            print(f"  torch {mode} batch {batch}: {1e3 * each:.3f} ms an evaluation", flush=True)
            if best is None or each < best["each"]:
                best = dict(each=each, mode=mode, batch=batch)
    return best


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("program")
    parser.add_argument("--models", default="bert-base,minilm")
    parser.add_argument("--n", default="128,256,512")
    parser.add_argument("--precisions", default="f32,tf32,bf16")
    parser.add_argument("--modes", default="eager,compile")
    parser.add_argument("--starts", type=int, default=4)
    parser.add_argument("--out")
    options = parser.parse_args()
    rows = []
    for name in options.models.split(","):
        with tempfile.TemporaryDirectory() as folder:
            model = make_folder(name, folder).cuda()
            for n in map(int, options.n.split(",")):
                for precision in options.precisions.split(","):
                    ours = run_wordsway(options.program, folder, n, precision, options.starts)
                    print(f"{name} n={n} {precision}: wordsway {ours['seconds']:.2f} s for {ours['evaluations']} "
                          f"evaluations ({1e3 * ours['seconds'] / ours['evaluations']:.3f} ms each)", flush=True)
                    theirs = run_torch(model, n, precision, ours["evaluations"], options.modes.split(","))
                    ratio = ours["seconds"] / (theirs["each"] * ours["evaluations"])
                    print(f"  ratio {ratio:.2f}", flush=True)
                    rows.append(dict(model=name, n=n, precision=precision, wordsway_seconds=ours["seconds"],
                                     evaluations=ours["evaluations"], torch_ms=1e3 * theirs["each"],
                                     torch_mode=theirs["mode"], torch_batch=theirs["batch"], ratio=ratio))
    result = dict(date=time.strftime("%Y-%m-%d"), device=torch.cuda.get_device_name(), torch=torch.__version__,
                  transformers=transformers.__version__, python=platform.python_version(), rows=rows)
    if options.out:
        with open(options.out, "w") as file:
            json.dump(result, file, indent=1)


if __name__ == "__main__":
    main()

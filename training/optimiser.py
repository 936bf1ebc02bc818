"""Two optimisers for two kinds of parameters.

Matrices inside the blocks: Muon (K. Jordan et al., 2024): the momentum is replaced by the nearest orthogonal matrix,
found by a quintic Newton-Schulz iteration, and scaled to the size of an Adam step (J. Liu et al., 2025). Equal shapes
are stacked, so a step is a few batched products. Everything else (embeddings, gains, biases): AdamW.
"""
import torch


def orthogonalised(g):
    """[k, rows, columns], rows <= columns -> nearly orthogonal rows (singular values between about 0.7 and 1.2)."""
    a, b, c = 3.4445, -4.7750, 2.0315
    x = g.bfloat16()
    x = x / (x.float().norm(dim=(1, 2), keepdim=True) + 1e-7).bfloat16()
    for _ in range(5):
        s = x @ x.mT
        x = a * x + (b * s + c * (s @ s)) @ x
    return x.float()


class Muon:
    def __init__(self, parameters, momentum=0.95, weight_decay=0.05):
        self.groups = {}
        for p in parameters:
            self.groups.setdefault(tuple(p.shape), []).append(p)
        self.momentum, self.weight_decay = momentum, weight_decay
        self.buffers = {s: torch.zeros(len(ps), *s, device=ps[0].device) for s, ps in self.groups.items()}
        self.orthogonalise = torch.compile(orthogonalised, dynamic=False) if next(iter(self.buffers.values())).is_cuda else orthogonalised

    @torch.no_grad()
    def step(self, rate):
        for shape, parameters in self.groups.items():
            gradient = torch.stack([p.grad for p in parameters])
            buffer = self.buffers[shape]
            buffer.lerp_(gradient, 1 - self.momentum)
            direction = gradient.lerp(buffer, self.momentum)
            tall = shape[0] > shape[1]
            update = self.orthogonalise(direction.mT.contiguous() if tall else direction)
            update = update.mT if tall else update
            scale = 0.2 * max(shape) ** 0.5
            torch._foreach_mul_(parameters, 1 - rate * self.weight_decay)
            torch._foreach_add_(parameters, list(update.unbind(0)), alpha=-rate * scale)

    def state_dict(self):
        return self.buffers

    def load_state_dict(self, buffers):
        self.buffers = buffers


def split_parameters(model):
    """(matrices of the blocks and of the head, the rest with weight decay, the rest without)."""
    matrices, decayed, free = [], [], []
    for name, p in model.named_parameters():
        inside = any(part in name for part in ("encoder.layer", "predictions.transform", "model.layers"))
        if p.dim() == 2 and inside:
            matrices.append(p)
        elif p.dim() == 2:
            decayed.append(p)
        else:
            free.append(p)
    return matrices, decayed, free


class Optimiser:
    """AdamW everywhere, or Muon for the matrices (`matrix_rate` is then its peak rate)."""

    def __init__(self, model, rate, matrix_rate):
        matrices, decayed, free = split_parameters(model)
        self.rate, self.matrix_rate = rate, matrix_rate
        self.muon = Muon(matrices) if matrix_rate else None
        groups = [{"params": decayed + ([] if self.muon else matrices), "weight_decay": 0.01},
                  {"params": free, "weight_decay": 0.0}]
        self.adam = torch.optim.AdamW(groups, lr=rate, betas=(0.9, 0.98), eps=1e-8, fused=free[0].is_cuda)

    def step(self, factor):
        for group in self.adam.param_groups:
            group["lr"] = self.rate * factor
        self.adam.step()
        if self.muon:
            self.muon.step(self.matrix_rate * factor)

    def state_dict(self):
        return {"adam": self.adam.state_dict(), "muon": self.muon and self.muon.state_dict()}

    def load_state_dict(self, state):
        self.adam.load_state_dict(state["adam"])
        if self.muon:
            self.muon.load_state_dict(state["muon"])

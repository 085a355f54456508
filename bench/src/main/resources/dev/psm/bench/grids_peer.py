"""Affine PSM's gradient step on a grid, written plainly in PyTorch: the peer of `psm bench grids`.

usage: grids_peer.py exact|paper STEPS ROUNDS THREADS MAP
"""
import copy
import json
import math
import statistics
import sys
import time

import torch
from torch import nn

mode, steps, rounds, threads, text = (
    sys.argv[1], int(sys.argv[2]), int(sys.argv[3]), int(sys.argv[4]), sys.argv[5])
torch.set_num_threads(threads)
torch.manual_seed(0)
lines = text.split("\n")
cells = [(r, c) for r, line in enumerate(lines) for c, x in enumerate(line) if x != "#"]
index = {cell: i for i, cell in enumerate(cells)}
moves = [(-1, 0), (0, 1), (1, 0), (0, -1), (0, 0)]
S, A, gamma, codes = len(cells), len(moves), 0.98, 16
nxt = torch.tensor([[index.get((r + y, c + x), i) for y, x in moves] for i, (r, c) in enumerate(cells)])
observations = torch.tensor([[r / len(lines), c / len(lines[0])] for r, c in cells])
rho = torch.bincount(nxt.flatten(), minlength=S).float() / (S * A)
table = torch.randint(0, A, (85536,))
hashes = torch.randperm(20000)[:S]


def bits(z):
    return ((z[:, None] >> torch.arange(16)) & 1).float()


def on_sphere(x):
    return math.sqrt(x.shape[-1]) * x / x.norm(dim=-1, keepdim=True).clamp_min(1e-12)


def mlp(sizes, normalise):
    layers = []
    for i in range(len(sizes) - 1):
        layers.append(nn.Linear(sizes[i], sizes[i + 1]))
        if i == 0 and normalise:
            layers += [nn.LayerNorm(sizes[1]), nn.Tanh()]
        elif i + 2 < len(sizes):
            layers.append(nn.ReLU())
    return nn.Sequential(*layers)


def polyak(target, online, rate):
    with torch.no_grad():
        torch._foreach_lerp_(list(target), list(online), rate)


if mode == "exact":
    d, rate, share = 32, 1.0, 0.3
    basis = torch.zeros(S * A * S, d)
    bias = torch.zeros(S * A * S)
    w = mlp([16, 256, 256, d], False)
    target = [basis.clone(), bias.clone()]
    target_w = copy.deepcopy(w)
    optimisers = [torch.optim.Adam(w.parameters(), lr=0.001, fused=True)]
    flat = nxt.flatten()
    source = nn.functional.one_hot(flat, S).float().div(rho).flatten()
    moments = None

    def least_squares(v, residual):
        """Moves the tables along the loss's gradient, preconditioned by the second moments of [w, 1]."""
        global moments
        v = torch.cat([v, torch.ones(codes, 1)], 1)
        moment = v.T @ v
        moments = moment.clone() if moments is None else moments.lerp_(moment, 0.05)
        damped = moments + torch.eye(d + 1) * moments.diagonal().mean()
        direction = share * v @ torch.linalg.inv(damped)
        basis.sub_(residual.T @ direction[:, :d])
        bias.sub_(residual.T @ direction[:, d])

    def backward():
        z = torch.randint(0, 65536, (codes,))
        v = on_sphere(w(bits(z)))
        m = (v @ basis.T + bias).view(codes, S * A, S)
        with torch.no_grad():
            t = (on_sphere(target_w(bits(z))) @ target[0].T + target[1]).view(codes, S, A, S)
            policy = table[z[:, None] + hashes]
            followed = t.gather(2, policy[:, :, None, None].expand(codes, S, 1, S)).squeeze(2)
            bootstrap = gamma * followed[:, flat]
        entered = m.gather(2, flat.view(1, -1, 1).expand(codes, S * A, 1))
        value = 0.5 * ((m - bootstrap).square() @ rho).mean() - (1 - gamma) * entered.mean()
        # The gradient for w must see the tables as they were, so it is taken before they move.
        value.backward()
        with torch.no_grad():
            least_squares(v.detach(), (m - bootstrap).view(codes, -1) - (1 - gamma) * source)

    online = [basis, bias]
else:
    d, rate = 256, 0.01
    phi = mlp([4, 1024, 1024, 1024, 1024, A * d], True)
    b = mlp([4, 1024, 1024, 1024, 1024, A], True)
    w = mlp([16, 1024, 1024, 1024, d], False)
    target_phi, target_b, target_w = copy.deepcopy(phi), copy.deepcopy(b), copy.deepcopy(w)
    online = list(phi.parameters()) + list(b.parameters())
    target = list(target_phi.parameters()) + list(target_b.parameters())
    optimisers = [torch.optim.Adam(online, lr=1e-4, fused=True),
                  torch.optim.Adam(w.parameters(), lr=1e-4, fused=True)]
    mask = ~torch.eye(codes, dtype=torch.bool)

    def measure(phi, b, w, z, s, a, goals):
        x = torch.cat([observations[s][:, None].expand(-1, codes, -1),
                       observations[goals][None].expand(codes, -1, -1)], -1).view(codes * codes, -1)
        chosen = a[:, None, None, None].expand(codes, codes, 1, d)
        f = phi(x).view(codes, codes, A, d).gather(2, chosen).squeeze(2)
        c = b(x).view(codes, codes, A).gather(2, a[:, None, None].expand(codes, codes, 1)).squeeze(2)
        return (f @ on_sphere(w(bits(z)))[:, :, None]).squeeze(2) + c

    def backward():
        z = torch.randint(0, 65536, (codes,))
        s, a = torch.randint(0, S, (codes,)), torch.randint(0, A, (codes,))
        goals = nxt[s, a]
        m = measure(phi, b, w, z, s, a, goals)
        with torch.no_grad():
            t = gamma * measure(target_phi, target_b, target_w, z, goals, table[z + hashes[goals]], goals)
        (0.5 * (m - t)[mask].square().mean() - (1 - gamma) * m.diagonal().mean()).backward()


def step():
    for optimiser in optimisers:
        optimiser.zero_grad(set_to_none=True)
    backward()
    for optimiser in optimisers:
        optimiser.step()
    polyak(target, online, rate)
    polyak(target_w.parameters(), w.parameters(), rate)


times = []
for r in range(rounds + 1):
    start = time.perf_counter()
    for _ in range(steps):
        step()
    times.append((time.perf_counter() - start) * 1000 / steps)
print(json.dumps({"millisecondsPerStep": statistics.median(times[1:]), "torch": torch.__version__}))

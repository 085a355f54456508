"""Gradient steps of the continuous agents, written plainly in PyTorch: the peer of `psm bench training`.

usage: training_peer.py SETTINGS DATA START

SETTINGS is a JSON object; DATA holds the dataset, and START the initial weights and the draws of the
first steps, both as safetensors; both are complete when the first question comes. Every line of standard
input is a JSON object, answered by one line, which is {"error": TEXT} where it could not be done:
{"do": "check", "variant": V, "precision": P}               losses of the first steps, from those draws
{"do": "round", "variant": V, "precision": P, "steps": N}   milliseconds per step, from random numbers of its own

Variants: "published" as the published code does it; "fused" with Adam's fused kernel; "tuned" where,
besides, the actor's step leaves out the gradients of the successor features' weights; "graph" the tuned
step, all of it recorded as one CUDA graph, with random numbers drawn for many steps at once.

Precisions: "float32"; "tf32" for products of matrices; "bfloat16" by PyTorch's autocast.
"""
import contextlib
import copy
import itertools
import json
import math
import struct
import sys
import time
import traceback

import torch
import torch.nn.functional as F
from torch import nn

settings = json.loads(sys.argv[1])
settings.update(settings.pop("common"))
torch.set_num_threads(settings["threads"])
torch.manual_seed(0)
DEVICE = torch.device(settings["device"])
ON_GPU = DEVICE.type == "cuda"


def answer_all(text):
    for _ in sys.stdin:
        print(json.dumps({"error": text}), flush=True)
    sys.exit()


if ON_GPU:
    try:
        torch.zeros(1, device=DEVICE)
    except Exception as problem:
        answer_all(f"torch {torch.__version__} of {sys.executable} has no CUDA: {str(problem).splitlines()[0]}")

B, D, WIDTH, HIDDEN = (settings[k] for k in ("batchSize", "featureDimension", "width", "featureWidth"))
GAMMA, TAU = settings["discount"], settings["targetRate"]
MEMBERS, CODE_BITS = 2, 16


def read(path):
    types = {"F32": torch.float32, "I64": torch.int64}
    with open(path, "rb") as file:
        header = json.loads(file.read(struct.unpack("<Q", file.read(8))[0]))
        body = bytearray(file.read())
    return {name: torch.frombuffer(body, dtype=types[x["dtype"]], offset=x["data_offsets"][0],
                                   count=math.prod(x["shape"])).view(x["shape"]).clone().to(DEVICE)
            for name, x in header.items() if name != "__metadata__"}


first_line = sys.stdin.readline()
data, start = read(sys.argv[2]), read(sys.argv[3])
observations, actions, discounts = data["observations"], data["actions"], data["discounts"]
starts, lasts = data["starts"], data["lasts"]
OBS, ACT = observations.shape[1], actions.shape[1]


class ParallelLinear(nn.Module):
    def __init__(self, inputs, outputs, n):
        super().__init__()
        self.weight = nn.Parameter(torch.empty(n, inputs, outputs))
        self.bias = nn.Parameter(torch.zeros(n, 1, outputs))

    def forward(self, x):
        return torch.baddbmm(self.bias, x, self.weight)


class ParallelLayerNorm(nn.Module):
    def __init__(self, size, n):
        super().__init__()
        self.size = [size]
        self.weight = nn.Parameter(torch.ones(n, 1, size))
        self.bias = nn.Parameter(torch.zeros(n, 1, size))

    def forward(self, x):
        return F.layer_norm(x, self.size) * self.weight + self.bias


def mlp(sizes, n, normalise, activate):
    layers = []
    for i in range(len(sizes) - 1):
        layers.append(ParallelLinear(*sizes[i:i + 2], n) if n > 1 else nn.Linear(*sizes[i:i + 2]))
        if i == 0 and normalise:
            layers += [ParallelLayerNorm(sizes[1], n) if n > 1 else nn.LayerNorm(sizes[1]), nn.Tanh()]
        elif activate or i + 2 < len(sizes):
            layers.append(nn.ReLU())
    return nn.Sequential(*layers)


class Towers(nn.Module):
    def __init__(self, first, second, outputs, n):
        super().__init__()
        self.n = n
        self.first = mlp([first, WIDTH, WIDTH // 2], n, True, True)
        self.second = mlp([second, WIDTH, WIDTH // 2], n, True, True)
        self.trunk = mlp([WIDTH, WIDTH, outputs], n, False, False)

    def forward(self, a, b):
        if self.n > 1:
            a, b = a.expand(self.n, -1, -1), b.expand(self.n, -1, -1)
        return self.trunk(torch.cat([self.first(a), self.second(b)], -1))


class Psi(Towers):
    def __init__(self, condition):
        super().__init__(OBS + ACT, OBS + condition, D, MEMBERS)

    def forward(self, s, z, a):
        return super().forward(torch.cat([s, a], -1), torch.cat([s, z], -1))


class Actor(Towers):
    def __init__(self):
        super().__init__(OBS + D, OBS, ACT, 1)

    def forward(self, s, z, noise):
        mean = torch.tanh(super().forward(torch.cat([s, z], -1), s))
        x = mean + torch.clamp(settings["noise"] * noise, -settings["noiseClip"], settings["noiseClip"])
        return x - x.detach() + torch.clamp(x.detach(), -1 + 1e-6, 1 - 1e-6)


def load(sequential, prefix, part):
    layer = 0
    with torch.no_grad():
        for module in sequential:
            if isinstance(module, (nn.Linear, ParallelLinear)):
                key, layer = f"{layer}", layer + 1
            elif isinstance(module, (nn.LayerNorm, ParallelLayerNorm)):
                key = "norm"
            else:
                continue
            for kind, tensor in (("weight", module.weight), ("bias", module.bias)):
                value = start[f"{prefix}/{part}.{key}.{kind}"]
                if isinstance(module, nn.Linear):
                    value = value[0].T if kind == "weight" else value
                tensor.copy_(value.reshape(tensor.shape))


def load_towers(towers, prefix, name):
    for part in ("first", "second", "trunk"):
        load(getattr(towers, part), prefix, f"{name}.{part}")
    return towers


def on_sphere(x):
    return math.sqrt(x.shape[-1]) * F.normalize(x, dim=-1)


class Features(nn.Module):
    def __init__(self, n, head):
        super().__init__()
        self.n, self.head = n, head
        self.net = mlp([OBS, HIDDEN, HIDDEN, D], n, True, False)

    def forward(self, s):
        out = self.net(s.expand(self.n, -1, -1) if self.n > 1 else s)
        return on_sphere(out) if self.head else out


def polyak(target, online, rate):
    with torch.no_grad():
        torch._foreach_mul_(target, 1 - rate)
        torch._foreach_add_(target, online, alpha=rate)


def pessimistic(values):
    unc = (values[None] - values[:, None]).abs().sum((0, 1)) / (MEMBERS * MEMBERS - MEMBERS)
    return values.mean(0) - settings["pessimism"] * unc


off_diagonal = 1 - torch.eye(B, device=DEVICE)
OFF = off_diagonal.sum()


def contrastive(m, target):
    off = 0.5 * ((m - target) * off_diagonal).pow(2).sum() / OFF
    return off - torch.diagonal(m, dim1=1, dim2=2).mean() * m.shape[0]


def orthonormality(phi):
    cov = phi @ phi.T
    return 0.5 * (cov * off_diagonal).pow(2).sum() / OFF - cov.diag().mean()


class Agent:
    feature_members, head = 1, True

    def __init__(self, variant):
        self.variant, self.optimisers = variant, []
        self.phi = Features(self.feature_members, self.head).to(DEVICE)
        load(self.phi.net, "features", "features")
        self.psi = load_towers(Psi(D).to(DEVICE), "successor", "successor")
        self.actor = load_towers(Actor().to(DEVICE), "actor", "actor")
        self.target_phi, self.target_psi = copy.deepcopy(self.phi), copy.deepcopy(self.psi)
        self.phi_opt = self.adam(self.phi, settings["featureLearningRate"])
        self.psi_opt = self.adam(self.psi)
        self.actor_opt = self.adam(self.actor)
        self.psi_pair = self.pair(self.target_psi, self.psi)
        self.phi_pair = self.pair(self.target_phi, self.phi)
        self.losses = {}
        self.lean = variant in ("tuned", "graph")

    @staticmethod
    def pair(target, online):
        return [x.data for x in target.parameters()], [x.data for x in online.parameters()]

    def adam(self, module, rate=settings["learningRate"]):
        fused = {} if self.variant == "published" else {"fused": True}
        if self.variant == "graph" and ON_GPU:
            fused["capturable"] = True
        self.optimisers.append(torch.optim.Adam(module.parameters(), lr=rate, **fused))
        return self.optimisers[-1]

    def learned(self):
        return [x.data for part in vars(self).values() if isinstance(part, nn.Module) for x in part.parameters()]

    def watch(self, **losses):
        self.losses.update({name: x.detach() for name, x in losses.items()})

    def step(self, draws):
        rows = draws["ROWS"]
        after = rows + 1
        self.update((observations[rows], actions[after], discounts[after], observations[after], after), draws)

    def tasks(self, goals, draws):
        return torch.where(draws["MIXED"] > 0, on_sphere(goals[draws["PERMUTATION"]]), on_sphere(draws["TASK_NOISE"]))

    def improve_actor(self, s, z, draws):
        if self.lean:
            self.psi.requires_grad_(False)
        values = (self.psi(s, z, self.actor(s, z, draws["ACTOR_NOISE"])) * z).sum(-1)
        value = pessimistic(values).mean()
        self.watch(actor_value=value)
        self.actor_opt.zero_grad(set_to_none=True)
        (-value).backward()
        self.actor_opt.step()
        if self.lean:
            self.psi.requires_grad_(True)
        polyak(*self.psi_pair, TAU)

    def learn_psi(self, loss):
        self.watch(successor_loss=loss)
        self.psi_opt.zero_grad(set_to_none=True)
        loss.backward()
        self.psi_opt.step()


class Psm(Agent):
    def __init__(self, variant):
        super().__init__(variant)
        self.proto = load_towers(Psi(CODE_BITS).to(DEVICE), "proto", "proto")
        self.target_proto = copy.deepcopy(self.proto)
        self.proto_opt = self.adam(self.proto)
        self.proto_pair = self.pair(self.target_proto, self.proto)
        self.powers = 2 ** torch.arange(CODE_BITS, device=DEVICE)

    def update(self, batch, draws):
        if settings["phase"] != "successor":
            self.learn_basis(*batch, draws["CODES"])
        if settings["phase"] != "proto":
            self.learn_policies(*batch, draws)

    def learn_basis(self, s, a, discount, s2, rows2, codes):
        bits = (codes[:, None] & self.powers).ne(0).float()
        with torch.no_grad():
            a2 = start["codebook"][(codes + rows2) % len(start["codebook"])]
            target = GAMMA * discount * (self.target_proto(s2, bits, a2) @ self.target_phi(s2).T).mean(0)
        phi = self.phi(s2)
        loss = contrastive(self.proto(s, bits, a) @ phi.T, target)
        orth = orthonormality(phi)
        self.watch(proto_loss=loss, orthonormality=orth)
        self.proto_opt.zero_grad(set_to_none=True)
        self.phi_opt.zero_grad(set_to_none=True)
        (loss + settings["orthonormality"] * orth).backward()
        self.proto_opt.step()
        self.phi_opt.step()
        polyak(*self.proto_pair, TAU)
        polyak(*self.phi_pair, TAU)

    def learn_policies(self, s, a, discount, s2, rows2, draws):
        with torch.no_grad():
            phi = self.phi(s2)
            z = self.tasks(phi, draws)
            a2 = self.actor(s2, z, draws["NEXT_NOISE"])
            target = GAMMA * discount * (self.target_psi(s2, z, a2) @ phi.T).mean(0)
        self.learn_psi(contrastive(self.psi(s, z, a) @ phi.T, target))
        self.improve_actor(s, z, draws)


class ForwardBackward(Agent):
    def update(self, batch, draws):
        s, a, discount, s2, _ = batch
        with torch.no_grad():
            z = self.tasks(self.phi(s2), draws)
            a2 = self.actor(s2, z, draws["NEXT_NOISE"])
            target = GAMMA * discount * (self.target_psi(s2, z, a2) @ self.target_phi(s2).T).mean(0)
        phi = self.phi(s2)
        loss = contrastive(self.psi(s, z, a) @ phi.T, target)
        orth = orthonormality(phi)
        self.watch(measure_loss=loss, orthonormality=orth)
        self.psi_opt.zero_grad(set_to_none=True)
        self.phi_opt.zero_grad(set_to_none=True)
        (loss + settings["orthonormality"] * orth).backward()
        self.psi_opt.step()
        self.phi_opt.step()
        self.improve_actor(s, z, draws)
        polyak(*self.phi_pair, TAU)


class SuccessorFeatures(Agent):
    def learn_successor(self, phi, batch, draws):
        s, a, discount, s2, _ = batch
        with torch.no_grad():
            cov = phi.T @ phi / B
            ridge = (1e-6 * cov.diagonal().mean()).clamp_min(1e-12)
            goals = on_sphere(phi @ torch.linalg.inv_ex(cov + ridge * torch.eye(D, device=DEVICE))[0])
            z = self.tasks(goals, draws)
            following = self.target_psi(s2, z, self.actor(s2, z, draws["NEXT_NOISE"]))
            first, second = (following * z).sum(-1)
            y = phi + GAMMA * discount * torch.where((first <= second)[:, None], following[0], following[1])
        error = self.psi(s, z, a) - y
        if settings["alongTask"]:
            error = (error * z).sum(-1)
        self.learn_psi(error.pow(2).flatten(1).mean(1).sum())
        self.improve_actor(s, z, draws)


class Laplacian(SuccessorFeatures):
    def update(self, batch, draws):
        s, s2 = batch[0], batch[3]
        phi, phi2 = self.phi(s), self.phi(s2)
        loss = (phi - phi2).pow(2).mean() + 2 * orthonormality(phi)
        self.watch(feature_loss=loss)
        self.phi_opt.zero_grad(set_to_none=True)
        loss.backward()
        self.phi_opt.step()
        with torch.no_grad():
            phi2 = self.phi(s2)
        self.learn_successor(phi2, batch, draws)


class Hilp(SuccessorFeatures):
    feature_members, head = 2, False

    def __init__(self, variant):
        super().__init__(variant)
        self.centre = torch.zeros(D, device=DEVICE)

    @staticmethod
    def values(phi, s, g):
        return -(phi(s) - phi(g)).pow(2).sum(-1).clamp_min(1e-6).sqrt()

    def update(self, batch, draws):
        s, s2, g = batch[0], batch[3], observations[draws["GOALS"]]
        with torch.no_grad():
            reward = ((s - g).pow(2).sum(-1) < 1e-12).float() - 1
            going = -settings["featureDiscount"] * reward
            following = self.values(self.target_phi, s2, g)
            now = self.values(self.target_phi, s, g)
            target = reward + going * following
            advantage = reward + going * following.amin(0) - now.mean(0)
            weight = (settings["expectile"] - (advantage < 0).float()).abs()
        values = self.values(self.phi, s, g)
        loss = (weight * (target - values).pow(2)).mean(-1).sum()
        self.watch(feature_loss=loss, goal_value=values.mean())
        polyak(*self.phi_pair, settings["featureTargetRate"])
        self.phi_opt.zero_grad(set_to_none=True)
        loss.backward()
        self.phi_opt.step()
        with torch.no_grad():
            phi = self.phi(s2)[0]
            self.centre.lerp_(phi.mean(0), 0.005)
        self.learn_successor(phi - self.centre, batch, draws)


def draw():
    """What chance decides of a step; one call per kind, on resident tensors."""
    rows = starts[torch.randint(len(starts), (B,), device=DEVICE)]
    drawn = {"ROWS": rows}
    if settings["phase"] != "successor" and settings["agent"] == "psm":
        drawn["CODES"] = torch.randint(2 ** CODE_BITS, (B,), device=DEVICE)
    if settings["phase"] != "proto":
        drawn["TASK_NOISE"] = torch.randn(B, D, device=DEVICE)
        drawn["MIXED"] = (torch.rand(B, 1, device=DEVICE) < settings["goalShare"]).float()
        drawn["PERMUTATION"] = torch.randperm(B, device=DEVICE)
        drawn["NEXT_NOISE"] = torch.randn(B, ACT, device=DEVICE)
        drawn["ACTOR_NOISE"] = torch.randn(B, ACT, device=DEVICE)
    if settings["agent"] == "hilp":
        beyond = torch.log(torch.rand(B, device=DEVICE)) / math.log(0.99)
        future = torch.minimum(rows + 1 + beyond.long(), lasts[rows])
        anywhere = starts[torch.randint(len(starts), (B,), device=DEVICE)]
        drawn["GOALS"] = torch.where(torch.rand(B, device=DEVICE) < 0.375, anywhere, future)
    return drawn


def draw_block(n):
    """The same for n steps at once, of agents without goals."""
    drawn = {"ROWS": starts[torch.randint(len(starts), (n, B), device=DEVICE)]}
    if settings["phase"] != "successor" and settings["agent"] == "psm":
        drawn["CODES"] = torch.randint(2 ** CODE_BITS, (n, B), device=DEVICE)
    if settings["phase"] != "proto":
        drawn["TASK_NOISE"] = torch.randn(n, B, D, device=DEVICE)
        drawn["MIXED"] = (torch.rand(n, B, 1, device=DEVICE) < settings["goalShare"]).float()
        drawn["PERMUTATION"] = torch.rand(n, B, device=DEVICE).argsort(-1)
        drawn["NEXT_NOISE"] = torch.randn(n, B, ACT, device=DEVICE)
        drawn["ACTOR_NOISE"] = torch.randn(n, B, ACT, device=DEVICE)
    return drawn


AGENTS = {"psm": Psm, "fb": ForwardBackward, "laplacian": Laplacian, "hilp": Hilp}


class Plain:
    """One operation after the other."""

    def __init__(self, variant):
        self.learner = AGENTS[settings["agent"]](variant)

    def step(self, draws):
        self.learner.step(draws)

    def advance(self):
        self.step(draw())


class Recorded:
    """A whole step as one CUDA graph, its inputs in places that are filled before every replay.

    Without a GPU the same on the same places, but not recorded.
    """
    BLOCK = 64

    def __init__(self, variant):
        self.learner, self.graph = AGENTS[settings["agent"]](variant), None
        self.inputs, self.block, self.next = draw(), None, self.BLOCK
        before = [x.clone() for x in self.learner.learned()]
        if ON_GPU:
            # Warm-up and recording on one stream, since the accumulation of gradients remembers its stream.
            stream = torch.cuda.Stream()
            stream.wait_stream(torch.cuda.current_stream())
            with torch.cuda.stream(stream):
                for _ in range(3):
                    self.learner.step(self.inputs)
            torch.cuda.synchronize()
            graph = torch.cuda.CUDAGraph()
            with torch.cuda.graph(graph, stream=stream):
                self.learner.step(self.inputs)
            self.graph = graph
            torch.cuda.synchronize()
        else:
            self.learner.step(self.inputs)
        for x, value in zip(self.learner.learned(), before):
            x.copy_(value)
        for optimiser in self.learner.optimisers:
            for state in optimiser.state.values():
                for x in state.values():
                    x.zero_()

    def step(self, draws):
        torch._foreach_copy_(list(self.inputs.values()), [draws[name] for name in self.inputs])
        if self.graph:
            self.graph.replay()
        else:
            self.learner.step(self.inputs)

    def advance(self):
        if self.next == self.BLOCK:
            self.block, self.next = draw_block(self.BLOCK), 0
        self.step({name: x[self.next] for name, x in self.block.items()})
        self.next += 1


def computing(precision):
    torch.set_float32_matmul_precision("highest" if precision == "float32" else "high")
    if precision != "bfloat16":
        return contextlib.nullcontext()
    # Weights change within a step, so their rounded copies must not be kept.
    return torch.autocast(DEVICE.type, torch.bfloat16, cache_enabled=False)


def make(variant):
    return Recorded(variant) if variant == "graph" else Plain(variant)


def finish():
    if ON_GPU:
        torch.cuda.synchronize()


made = {}


def check(variant, precision):
    losses = []
    with computing(precision):
        fresh = make(variant)
        for i in range(settings["checkSteps"]):
            prefix = f"draws/{i}/"
            fresh.step({name[len(prefix):]: x[0] for name, x in start.items() if name.startswith(prefix)})
            losses.append({name: x.item() for name, x in fresh.learner.losses.items()})
    if variant == "graph":
        made[variant, precision] = fresh
    return {"losses": losses, "torch": torch.__version__,
            "device": torch.cuda.get_device_name(DEVICE) if ON_GPU else "cpu"}


def timed(variant, precision, steps):
    with computing(precision):
        if (variant, precision) not in made:
            made[variant, precision] = make(variant)
        learner = made[variant, precision]
        finish()
        begin, cpu = time.perf_counter(), time.process_time()
        for _ in range(steps):
            learner.advance()
        finish()
        return {"milliseconds": (time.perf_counter() - begin) * 1000 / steps,
                "cpuMilliseconds": (time.process_time() - cpu) * 1000 / steps}


def answer(request):
    asked = request["variant"], request["precision"]
    return check(*asked) if request["do"] == "check" else timed(*asked, request["steps"])


for line in itertools.chain([first_line] if first_line else [], sys.stdin):
    try:
        answered = answer(json.loads(line))
    except Exception as problem:
        traceback.print_exc()
        answered = {"error": f"{type(problem).__name__}: {(str(problem).splitlines() or [''])[0]}"}
    print(json.dumps(answered), flush=True)

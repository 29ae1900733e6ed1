"""Writes layers.json: every layer of package nn computed by PyTorch in float64, with the gradients of the sum of its
outputs times fixed weights.

Run in this folder: HF_HUB_OFFLINE=1 python gen_layers.py > layers.json
Needs torch, transformers and peft; their versions are written into the file.
"""

import json

import peft
import torch
import torch.nn.functional as F
import transformers
from torch import nn
from transformers.models.llama.modeling_llama import apply_rotary_pos_emb
from transformers.models.wav2vec2.modeling_wav2vec2 import Wav2Vec2PositionalConvEmbedding

torch.set_num_threads(1)
torch.set_default_dtype(torch.float64)
generator = torch.Generator().manual_seed(5)


def draw(*shape):
    """Multiples of 1/64 are the same in float32, and short in JSON."""
    return torch.randint(-100, 101, shape, generator=generator) / 64


def first(x):
    """Channels last to channels first."""
    return x.movedim(-1, 1)


def last(x):
    return x.movedim(1, -1)


def written(tensor):
    values = [float("%.12g" % v) for v in tensor.detach().flatten().tolist()]
    return {"shape": list(tensor.shape), "values": [int(v) if v == int(v) else v for v in values]}


cases = []


def case(name, inputs, f, module=None, draw_input=draw):
    """Records f(*inputs), whose parameters are those of the module."""
    x = [draw_input(*shape).requires_grad_() for shape in inputs]
    parameters = dict(module.named_parameters()) if module is not None else {}
    for parameter in parameters.values():
        parameter.data = draw(*parameter.shape)
        parameter.requires_grad_()
    tensors = {n: written(t) for n, t in parameters.items()}
    for n, buffer in module.named_buffers() if module is not None else ():
        if buffer.ndim == 1:
            buffer.copy_(draw(*buffer.shape).abs() + 0.5)
            tensors[n] = written(buffer)
    y = f(*x)
    weights = draw(*y.shape)
    wanted = [t for t in x + list(parameters.values())]
    gradients = torch.autograd.grad((y * weights).sum(), wanted)
    cases.append(
        {
            "name": name,
            "inputs": [written(t) for t in x],
            "parameters": tensors,
            "weights": written(weights),
            "output": written(y),
            "inputGradients": [written(g) for g in gradients[: len(x)]],
            "parameterGradients": {n: written(g) for n, g in zip(parameters, gradients[len(x) :])},
        }
    )


def convolution(name, shape, out, kernel, stride=1, padding=0, dilation=1, groups=1, bias=False):
    kind = nn.Conv2d if len(shape) == 4 else nn.Conv1d
    module = kind(shape[-1], out, kernel, stride=stride, padding=padding, dilation=dilation, groups=groups, bias=bias)
    case("convolution " + name, [shape], lambda x: last(module(first(x))), module)


module = nn.Linear(4, 3)
case("linear", [(2, 5, 4)], module, module)
module = nn.Linear(2, 7, bias=False)
case("linear to more", [(3, 2)], module, module)
module = nn.LayerNorm(5, eps=1e-5)
case("layer norm", [(2, 3, 5)], module, module)
module = nn.RMSNorm(5, eps=1e-6)
case("RMS norm", [(2, 3, 5)], module, module)
grouped = nn.GroupNorm(3, 6, eps=1e-5)
case("group norm", [(2, 3, 2, 6)], lambda x: last(grouped(first(x))), grouped)
frames = nn.GroupNorm(4, 4, eps=1e-5)
case("group norm of frames", [(2, 5, 4)], lambda x: last(frames(first(x))), frames)
batched = nn.BatchNorm2d(4, eps=1e-5)
case("batch norm in training", [(3, 2, 3, 4)], lambda x: last(batched(first(x))), batched)
evaluated = nn.BatchNorm1d(4, eps=1e-5).eval()
case("batch norm", [(3, 2, 4)], lambda x: last(evaluated(first(x))), evaluated)
embedding = nn.Embedding(5, 3)
case("embedding", [(2, 3, 3)], lambda x: x * embedding(torch.tensor([[1, 4, 1], [0, 2, 2]])), embedding)


def positional(kernel, groups):
    config = transformers.Wav2Vec2Config(
        hidden_size=6, num_conv_pos_embeddings=kernel, num_conv_pos_embedding_groups=groups
    )
    module = Wav2Vec2PositionalConvEmbedding(config).double()
    module.activation = nn.Identity()
    return module


class Bare(nn.Module):
    """Names a convolution's parameters without the module's own prefix."""

    def __init__(self, inner):
        super().__init__()
        self.inner = inner

    def named_parameters(self, *args, **kwargs):
        for name, parameter in self.inner.named_parameters():
            yield name.removeprefix("conv.").removeprefix("base_model.model.").replace(".default", "").replace(
                "base_layer.", ""
            ), parameter


for name, kernel, groups in (("even", 4, 2), ("odd", 3, 3)):
    position = positional(kernel, groups)
    case("positional convolution, " + name, [(2, 5, 6)], position, Bare(position))

case("max pool", [(2, 5, 6, 3)], lambda x: last(F.max_pool2d(first(x), 3, 2, 1)))
case("max pool, even", [(2, 5, 3)], lambda x: last(F.max_pool1d(first(x), 2, 2, 0)))
case(
    "max pool of equal values",
    [(1, 4, 6, 2)],
    lambda x: last(F.max_pool2d(first(x), 3, 1, 1)),
    draw_input=lambda *shape: torch.randint(0, 2, shape, generator=generator).double(),
)
case("mean pool", [(2, 5, 6, 3)], lambda x: last(F.avg_pool2d(first(x), 3, 2, 1)))
case("mean pool, even", [(2, 6, 3)], lambda x: last(F.avg_pool1d(first(x), 2, 2, 0)))
case("global mean pool", [(2, 3, 4, 3)], lambda x: x.mean((1, 2)))
case("upsample", [(2, 2, 3, 2)], lambda x: last(F.interpolate(first(x), scale_factor=3, mode="nearest")))
case("resize nearest", [(2, 4, 3, 2)], lambda x: last(F.interpolate(first(x), (7, 2), mode="nearest")))
for mode in ("bilinear", "bicubic"):
    for align in (False, True):
        name = "resize " + mode + (" with aligned corners" if align else "")
        case(name, [(1, 4, 5, 2)], lambda x: last(F.interpolate(first(x), (7, 3), mode=mode, align_corners=align)))
case(
    "resize to a point",
    [(1, 4, 5, 2)],
    lambda x: last(F.interpolate(first(x), (1, 5), mode="bicubic", align_corners=True)),
)


def attention(q, k, v, heads, shared=0, mask=None, bias=None, causal=False, scale=None):
    """Scaled dot-product attention in plain operations where a query may attend to nothing, PyTorch's own otherwise."""
    shared = shared or heads
    batch, queries, keys = q.shape[0], q.shape[1], k.shape[1]
    q = q.view(batch, queries, heads, -1).transpose(1, 2)
    k = k.view(batch, keys, shared, -1).transpose(1, 2)
    v = v.view(batch, keys, shared, -1).transpose(1, 2)
    if causal:
        triangle = torch.ones(queries, keys, dtype=torch.bool).tril(keys - queries)
        mask = triangle if mask is None else mask & triangle
    if mask is not None and not mask.any(-1).all():
        scores = q @ k.transpose(-1, -2) * scale + bias
        weights = scores.masked_fill(~mask, -1e30).softmax(-1) * mask.any(-1, keepdim=True)
        y = weights @ v
    else:
        y = F.scaled_dot_product_attention(q, k, v, attn_mask=mask, scale=scale, enable_gqa=shared != heads)
    return y.transpose(1, 2).reshape(batch, queries, -1)


case("attention", [(2, 3, 6), (2, 5, 6), (2, 5, 6)], lambda q, k, v: attention(q, k, v, 2))
case(
    "causal attention of shared heads",
    [(2, 4, 12), (2, 4, 4), (2, 4, 4)],
    lambda q, k, v: attention(q, k, v, 6, 2, causal=True),
)
case(
    "causal attention of the last queries",
    [(1, 2, 4), (1, 5, 2), (1, 5, 2)],
    lambda q, k, v: attention(q, k, v, 2, 1, causal=True),
)
keys = torch.tensor([[True, False, True], [False, False, False]])
case(
    "masked attention with a bias",
    [(2, 3, 4), (2, 3, 4), (2, 3, 4), (2, 3, 3)],
    lambda q, k, v, bias: attention(q, k, v, 2, mask=keys[:, None, None, :].expand(2, 1, 3, 3), bias=bias, scale=0.7),
)
pairs = torch.tensor([[[True, False, False], [True, True, False], [False, True, True]]])
case(
    "causal attention masked by pairs",
    [(1, 3, 4), (1, 3, 4), (1, 3, 4)],
    lambda q, k, v: attention(q, k, v, 2, mask=pairs[:, None], causal=True),
)
heads = torch.tensor([[[[True, False]], [[True, True]]]])
case("attention masked by heads", [(1, 2, 4), (1, 2, 4), (1, 2, 4)], lambda q, k, v: attention(q, k, v, 2, mask=heads))


def rotary(x):
    inverse = 1.0 / (100.0 ** (torch.arange(0, 6, 2).float() / 6))
    angles = torch.tensor([0, 3, 50])[None, :, None] * inverse.double()
    angles = torch.cat((angles, angles), -1)
    return apply_rotary_pos_emb(x, x, angles.cos(), angles.sin(), unsqueeze_dim=2)[0]


case("rotary positions", [(2, 3, 2, 6)], rotary)
case("GELU", [(3, 4)], F.gelu)
case("tanh GELU", [(3, 4)], lambda x: F.gelu(x, approximate="tanh"))
case("quick GELU", [(3, 4)], lambda x: transformers.activations.ACT2FN["quick_gelu"](x))
case("SiLU", [(3, 4)], F.silu)
case("ReLU", [(3, 4)], F.relu)
noise = torch.tensor([[0.1, 0.9, 0.3], [0.2, 0.5, 0.29]])
case("dropout", [(2, 3)], lambda x: x * (noise >= 0.3) / 0.7)

network = nn.Module()
network.q_proj = nn.Linear(4, 3)
network.forward = lambda x: network.q_proj(x)
adapted = peft.get_peft_model(network, peft.LoraConfig(r=2, lora_alpha=5, target_modules=["q_proj"])).double()
case("low-rank adapter", [(2, 5, 4)], lambda x: network.q_proj(x), Bare(adapted))

convolution("3x3", (2, 5, 6, 3), 4, 3, padding=1, bias=True)
convolution("3x3 of 20 channels", (1, 4, 3, 20), 3, 3, padding=1)
convolution("3x2 of 70 channels", (1, 4, 3, 70), 1, (3, 2), stride=(2, 1), padding=1)
convolution("1x1", (2, 3, 4, 5), 4, 1, bias=True)
convolution("1x1 stride 2", (2, 5, 4, 5), 4, 1, stride=2)
convolution("1x1 padded", (2, 2, 3, 5), 4, 1, padding=(1, 2))
convolution("2x4 even", (2, 5, 6, 3), 4, (2, 4), padding=(1, 2))
convolution("4x3 strided", (2, 7, 8, 3), 4, (4, 3), stride=(2, 3), padding=(1, 0))
convolution("3x2 dilated", (2, 6, 7, 3), 2, (3, 2), dilation=(2, 3), padding=(2, 1))
convolution("4x2 dilated by 2 and 1", (1, 6, 5, 3), 2, (4, 2), dilation=(2, 1), padding=(3, 1))
convolution("patches", (2, 4, 9, 3), 5, (2, 3), stride=(2, 3), bias=True)
convolution("patches with a rest", (2, 5, 10, 3), 5, (2, 3), stride=(2, 3))
convolution("patches padded", (2, 4, 4, 3), 5, 2, stride=2, padding=1)
convolution("grouped", (2, 4, 5, 6), 6, (3, 2), groups=3, padding=1, bias=True)
convolution("grouped, strided, dilated", (2, 11, 6), 4, 2, groups=2, padding=2, stride=2, dilation=3)
convolution("depthwise", (2, 4, 5, 4), 4, 3, groups=4, padding=1)
convolution("1-D audio", (2, 43, 1), 3, 10, stride=5)
convolution("1-D even", (2, 9, 4), 3, 2, stride=2, bias=True)
convolution("1-D of 20 channels", (2, 12, 20), 5, 3, stride=2)

norm = nn.BatchNorm1d(3, eps=1e-3, momentum=0.3)
with torch.no_grad():
    for tensor in (norm.weight, norm.bias, norm.running_mean, norm.running_var):
        tensor.copy_(draw(3).abs())
steps = {"before": {n: written(t) for n, t in norm.state_dict().items() if t.ndim == 1}, "inputs": [], "outputs": []}
for _ in range(3):
    x = draw(4, 5, 3)
    steps["inputs"].append(written(x))
    steps["outputs"].append(written(last(norm(first(x)))))
steps["after"] = {n: written(t) for n, t in norm.state_dict().items() if t.ndim == 1}
norm.eval()
steps["evaluated"] = written(last(norm(first(x))))

versions = {m.__name__: m.__version__ for m in (torch, transformers, peft)}
print(
    '{"versions": '
    + json.dumps(versions)
    + ',\n"batchNorm": '
    + json.dumps(steps, separators=(",", ":"))
    + ',\n"cases": ['
)
print(",\n".join(json.dumps(c, separators=(",", ":")) for c in cases))
print("]}")

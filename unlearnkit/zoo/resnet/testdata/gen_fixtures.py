"""Makes narrow.* and small.* beside this file: small random ResNets out of torchvision's own modules, and what
torchvision computes with them.

    python gen_fixtures.py

torchvision's ResNet has fixed widths, so Narrow below replaces its layers by ones that its own _make_layer builds with
other widths; names and forward are torchvision's. Everything expected is computed in float64 from the float32 weights
and rounded to float32 at the end. The metadata of expected.safetensors names the versions used.
"""

import json
import pathlib

import torch
import torchvision
from safetensors.torch import save_file
from torchvision.models.resnet import BasicBlock, ResNet

torch.set_num_threads(1)
here = pathlib.Path(__file__).parent


class Narrow(ResNet):
    def __init__(self, widths, blocks, classes, stem=(7, 2), pool=True):
        super().__init__(BasicBlock, [1, 1, 1, 1])
        self.inplanes = widths[0]
        self.conv1 = torch.nn.Conv2d(3, widths[0], stem[0], stem[1], stem[0] // 2, bias=False)
        self.bn1 = torch.nn.BatchNorm2d(widths[0])
        if not pool:
            self.maxpool = torch.nn.Identity()
        for i in range(4):
            layer = torch.nn.Identity()
            if i < len(widths):
                layer = self._make_layer(BasicBlock, widths[i], blocks[i], stride=1 if i == 0 else 2)
            setattr(self, f"layer{i + 1}", layer)
        self.fc = torch.nn.Linear(widths[-1], classes)


def moved(model):
    generator = torch.Generator().manual_seed(5)
    for name, tensor in model.state_dict().items():
        random = torch.randn(tensor.shape, generator=generator)
        if name.endswith("num_batches_tracked"):
            tensor.fill_(7)
        elif name.endswith("running_var"):
            tensor.copy_(0.5 + random.square())
        elif tensor.ndim == 1 and name.endswith("weight"):
            tensor.copy_(1 + 0.3 * random)
        elif tensor.ndim == 1:
            tensor.copy_(0.2 * random)
        else:
            tensor.copy_(random * (2 / tensor[0].numel()) ** 0.5)


def features_of(model, x):
    return torch.flatten(torch.nn.Sequential(*list(model.children())[:-1])(x), 1)


def triplet(model, anchor, positive, negatives, labels, margin):
    """Cross-entropy of the anchors plus the triplet loss against the nearest of three negatives, each set of images
    passed through the network on its own."""
    a, p = features_of(model, anchor), features_of(model, positive)
    n = features_of(model, negatives.flatten(0, 1)).unflatten(0, negatives.shape[:2])
    nearest = torch.norm(a[:, None] - n, dim=2).min(dim=1).values
    distance = torch.clamp(torch.norm(a - p, dim=1) - nearest + margin, min=0).mean()
    return torch.nn.functional.cross_entropy(model.fc(a), labels) + distance, distance


def layers(model, x):
    """The output of every named stage, by torchvision's names."""
    out, handles = {}, []
    for name, module in model.named_modules():
        if name in ("maxpool", "layer1", "layer2", "layer3", "layer4"):
            handles.append(
                module.register_forward_hook(
                    lambda _, __, y, name=name: out.__setitem__("stage." + name, y.detach().clone())
                )
            )
    model(x)
    for handle in handles:
        handle.remove()
    return out


def buffers(model, prefix):
    return {prefix + name: value.clone() for name, value in model.state_dict().items() if "running" in name}


def make(name, model, size, classes):
    with torch.no_grad():
        moved(model)
    save_file({key: value.contiguous() for key, value in model.state_dict().items()}, here / f"{name}.safetensors")
    model = model.double().eval()
    generator = torch.Generator().manual_seed(6)
    images = torch.randn(3, 3, *size, generator=generator, dtype=torch.float32)
    labels = torch.tensor([1, 0, classes - 1])
    out = {"pixel_values": images, "labels": labels.int()}
    images = images.double()
    with torch.no_grad():
        out["logits"], out["features"] = model(images), features_of(model, images)
        if name == "narrow":
            out |= layers(model, images[:1])

    def loss(training):
        model.train(training)
        model.zero_grad()
        value = torch.nn.functional.cross_entropy(model(images), labels)
        value.backward()
        return value.detach()

    out["evaluated.loss"] = loss(False)
    for parameter_name, parameter in model.named_parameters():
        out["evaluated.gradient." + parameter_name] = parameter.grad.clone()
    start = {key: value.clone() for key, value in model.state_dict().items()}
    out["loss"] = loss(True)
    for parameter_name, parameter in model.named_parameters():
        out["gradient." + parameter_name] = parameter.grad.clone()
    out |= buffers(model, "once.")

    model.load_state_dict(start)
    model.train()
    negatives = torch.stack([images.flip(0), images.flip(2), images.roll(1, 3)], 1)
    out["triplet.loss"], out["triplet.distance"] = (
        v.detach() for v in triplet(model, images, images.roll(2, 2), negatives, labels, 3.0)
    )
    out |= buffers(model, "triplet.")

    model.load_state_dict(start)
    optimizer = torch.optim.SGD(model.parameters(), lr=0.01, momentum=0.9)
    losses = []
    for _ in range(10):
        losses.append(loss(True))
        optimizer.step()
    out["losses"] = torch.stack(losses)
    for key, value in model.state_dict().items():
        if not key.endswith("num_batches_tracked"):
            out["trained." + key] = value
    out = {
        key: (value.detach().float() if value.is_floating_point() else value).contiguous() for key, value in out.items()
    }
    versions = {"torch": torch.__version__, "torchvision": torchvision.__version__}
    save_file(out, here / f"{name}.expected.safetensors", metadata=versions)
    count = sum(p.numel() for p in model.parameters())
    print(
        name,
        count,
        "parameters; losses",
        [round(float(v), 4) for v in losses],
        float(out["triplet.distance"]),
        json.dumps(versions),
    )


if __name__ == "__main__":
    make("narrow", Narrow((6, 8, 10, 12), (1, 2, 1, 1), 4), (37, 45), 4)
    make("small", Narrow((5, 8), (1, 1), 3, stem=(3, 1), pool=False), (11, 9), 3)

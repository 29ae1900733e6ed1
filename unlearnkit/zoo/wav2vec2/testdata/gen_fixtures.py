"""Makes the folders base, stable and hubert beside this file: small random models in the layout of transformers'
save_pretrained, and what transformers computes with them.

    HF_HUB_OFFLINE=1 python gen_fixtures.py

Everything in expected.safetensors is computed in float64 from the float32 weights of model.safetensors and rounded to
float32 at the end. Its metadata names the versions used.
"""

import json
import pathlib

import numpy
import torch
import transformers
from safetensors.torch import load_file, save_file
from transformers import (
    HubertConfig,
    HubertForSequenceClassification,
    Wav2Vec2Config,
    Wav2Vec2ForSequenceClassification,
)

torch.set_num_threads(1)
here = pathlib.Path(__file__).parent
sizes = dict(
    hidden_size=18,
    num_hidden_layers=2,
    num_attention_heads=3,
    intermediate_size=26,
    conv_dim=(10, 12, 8),
    conv_kernel=(10, 3, 4),
    conv_stride=(5, 2, 2),
    num_conv_pos_embedding_groups=3,
    classifier_proj_size=14,
    num_labels=5,
    mask_time_length=3,
    attn_implementation="eager",
)
CASES = {
    "base": (Wav2Vec2Config, Wav2Vec2ForSequenceClassification, dict(num_conv_pos_embeddings=10)),
    "stable": (
        Wav2Vec2Config,
        Wav2Vec2ForSequenceClassification,
        dict(
            num_conv_pos_embeddings=10,
            conv_bias=True,
            feat_extract_norm="layer",
            do_stable_layer_norm=True,
            layer_norm_eps=2e-5,
            hidden_act="gelu_new",
        ),
    ),
    "hubert": (
        HubertConfig,
        HubertForSequenceClassification,
        dict(num_conv_pos_embeddings=7, use_weighted_layer_sum=True, feat_proj_layer_norm=False),
    ),
}


def noise(site, shape):
    """Uniform numbers that the test can make again: a linear congruence of the place, offset by the number of the
    site."""
    place = numpy.arange(int(numpy.prod(shape)), dtype=numpy.uint64)
    return torch.from_numpy((((place + 1) * 2654435761 + site * 40503) % 2**32 // 256 / 2.0**24).reshape(shape))


def moved(model):
    """Random weights away from the defaults: norms' weights not 1, biases not 0, the weight-normalised kernel's g not
    the norm of its v."""
    generator = torch.Generator().manual_seed(7)
    for name, tensor in model.state_dict().items():
        random = torch.randn(tensor.shape, generator=generator)
        if name.endswith("layer_norm.weight") or name.endswith("original0"):
            tensor.copy_(1 + 0.3 * random)
        elif tensor.ndim <= 1:
            tensor.copy_(0.2 * random)
        else:
            tensor.copy_(random / (tensor[0].numel() ** 0.5))


def with_dropout(model, inputs):
    """The logits of the model in training mode, its random numbers replaced by those of noise in the order in which
    they are drawn."""
    site = 0

    def draw(shape):
        nonlocal site
        site += 1
        return noise(site, shape)

    def dropout(x, p=0.5, training=True, inplace=False):
        if not training or p == 0:
            return x
        return torch.where(draw(x.shape) >= p, x / (1 - p), 0.0)

    # transformers draws one number a layer for LayerDrop; here all of them come first, from one site.
    layers = iter(noise(1000, (model.config.num_hidden_layers,)))
    original = torch.nn.functional.dropout, torch.rand
    torch.nn.functional.dropout, torch.rand = dropout, lambda *shape: next(layers)
    try:
        return model.train()(**inputs).logits
    finally:
        torch.nn.functional.dropout, torch.rand = original
        model.eval()


def make(name):
    config_class, model_class, options = CASES[name]
    config = config_class(**sizes, **options)
    model = model_class(config).eval()
    with torch.no_grad():
        moved(model)
    folder = here / name
    model.save_pretrained(folder)
    model.double()

    generator = torch.Generator().manual_seed(8)
    samples, lengths = 403, torch.tensor([403, 251, 322])
    values = torch.randn(3, samples, generator=generator, dtype=torch.float32)
    mask = (torch.arange(samples)[None] < lengths[:, None]).long()
    values = values * mask
    labels = torch.tensor([3, 0, 4])
    out = {"input_values": values, "attention_mask": mask.int(), "labels": labels.int()}
    values = values.double()

    plain = model(values, output_hidden_states=True)
    out["logits"] = plain.logits
    masked = model(values, attention_mask=mask, output_hidden_states=True)
    out["masked.logits"] = masked.logits
    backbone = getattr(model, config.model_type)
    hidden = backbone(values, attention_mask=mask, output_hidden_states=True)
    out["masked.last_hidden_state"] = hidden.last_hidden_state
    for i, state in enumerate(hidden.hidden_states):
        out[f"masked.hidden_states.{i}"] = state

    frames = hidden.last_hidden_state.shape[1]
    time = torch.zeros(3, frames, dtype=torch.bool)
    time[0, 4:7], time[1, 0:3], time[2, 5:8] = True, True, True
    out["time"] = time.int()
    loss = model(values, attention_mask=mask, labels=labels, mask_time_indices=time).loss
    loss.backward()
    out["loss"] = loss
    for parameter_name, parameter in model.named_parameters():
        out["gradient." + parameter_name] = parameter.grad

    (
        config.hidden_dropout,
        config.attention_dropout,
        config.activation_dropout,
        config.feat_proj_dropout,
        config.layerdrop,
    ) = (0.2, 0.15, 0.1, 0.25, 0.3)
    if config.use_weighted_layer_sum:  # transformers fails where a layer that is dropped should be weighted
        config.layerdrop = 0.0
    noisy = model_class(config).double()
    noisy.load_state_dict(model.state_dict(), strict=False)
    out["dropout.logits"] = with_dropout(noisy, dict(input_values=values, attention_mask=mask, mask_time_indices=time))

    optimizer = torch.optim.AdamW(model.parameters(), lr=1e-3, weight_decay=0.01)
    losses = []
    for _ in range(10):
        optimizer.zero_grad()
        loss = model(values, attention_mask=mask, labels=labels, mask_time_indices=time).loss
        loss.backward()
        optimizer.step()
        losses.append(loss.detach())
    out["losses"] = torch.stack(losses)
    for parameter_name, parameter in model.named_parameters():
        out["trained." + parameter_name] = parameter.data
    out = {key: (value.float() if value.is_floating_point() else value).contiguous() for key, value in out.items()}
    versions = {"torch": torch.__version__, "transformers": transformers.__version__}
    save_file(out, folder / "expected.safetensors", metadata=versions)
    count = sum(value.numel() for value in model.state_dict().values())
    print(
        name,
        count,
        "parameters",
        frames,
        "frames; losses",
        [round(float(value), 4) for value in losses],
        json.dumps(versions),
    )


if __name__ == "__main__":
    for case in CASES:
        make(case)

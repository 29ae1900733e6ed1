"""Makes the folders beside this file: small random models with the heads of pre-training, and what torch and
transformers compute with them.

    HF_HUB_OFFLINE=1 python gen_objectives.py [contrastive] [padded] [clusters] [ctc]

contrastive and padded are transformers' Wav2Vec2ForPreTraining and ctc its Wav2Vec2ForCTC; clusters is fairseq's
formula (fairseq/models/hubert/hubert.py, compute_nce) on top of transformers' HubertModel. Everything in
expected.safetensors is computed in float64 from the float32 weights of model.safetensors and rounded to float32 at the
end. Its metadata names the versions used.
"""

import json
import pathlib
import sys

import numpy
import torch
import transformers
from safetensors.torch import save_file
from transformers import HubertConfig, HubertModel, Wav2Vec2Config, Wav2Vec2ForCTC, Wav2Vec2ForPreTraining
from transformers.models.wav2vec2.modeling_wav2vec2 import _compute_mask_indices, _sample_negative_indices

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
    num_conv_pos_embeddings=7,
    mask_time_prob=0.5,
    mask_time_length=3,
    attn_implementation="eager",
    hidden_dropout=0.0,
    attention_dropout=0.0,
    activation_dropout=0.0,
    feat_proj_dropout=0.0,
    final_dropout=0.0,
    layerdrop=0.0,
)
quantiser = dict(
    num_codevector_groups=2,
    num_codevectors_per_group=5,
    codevector_dim=6,
    proj_codevector_dim=7,
    num_negatives=4,
    contrastive_logits_temperature=0.1,
    diversity_loss_weight=0.1,
    feat_quantizer_dropout=0.0,
)
stable = dict(conv_bias=True, feat_extract_norm="layer", do_stable_layer_norm=True)


def moved(model):
    """Random weights away from the defaults: norms' weights not 1, biases not 0, the weight-normalised kernel's g not
    the norm of its v."""
    generator = torch.Generator().manual_seed(7)
    for name, tensor in model.state_dict().items():
        random = torch.randn(tensor.shape, generator=generator)
        if name.endswith("layer_norm.weight") or name.endswith("original0"):
            tensor.copy_(1 + 0.3 * random)
        elif name.endswith("codevectors"):
            tensor.copy_(random)
        elif tensor.ndim <= 1:
            tensor.copy_(0.2 * random)
        else:
            tensor.copy_(random / (tensor[0].numel() ** 0.5))


def sound(lengths):
    generator = torch.Generator().manual_seed(8)
    values = torch.randn(len(lengths), max(lengths), generator=generator, dtype=torch.float32)
    mask = (torch.arange(max(lengths))[None] < torch.tensor(lengths)[:, None]).long()
    return values * mask, mask


def finish(name, model, loss, out):
    loss.backward()
    out["loss"] = loss
    for parameter_name, parameter in model.named_parameters():
        if parameter.grad is not None:
            out["gradient." + parameter_name] = parameter.grad
    out = {key: (value.float() if value.is_floating_point() else value).contiguous() for key, value in out.items()}
    versions = {"torch": torch.__version__, "transformers": transformers.__version__}
    save_file(out, here / name / "expected.safetensors", metadata=versions)
    print(name, "loss", loss.item(), json.dumps(versions))


def contrastive(name, options, lengths):
    config = Wav2Vec2Config(**sizes, **quantiser, **options)
    model = Wav2Vec2ForPreTraining(config)
    with torch.no_grad():
        moved(model)
    model.save_pretrained(here / name)
    model.double().train()
    values, mask = sound(lengths)
    frames = [int(model._get_feat_extract_output_lengths(length)) for length in lengths]
    numpy.random.seed(3)
    frame_mask = torch.arange(max(frames))[None] < torch.tensor(frames)[:, None]
    masked = _compute_mask_indices((len(lengths), max(frames)), 0.5, 3, frame_mask.long(), min_masks=2)
    negatives = _sample_negative_indices(masked.shape, quantiser["num_negatives"], masked)
    groups, entries = quantiser["num_codevector_groups"], quantiser["num_codevectors_per_group"]
    noise = -torch.log(
        -torch.log(
            torch.rand(
                *masked.shape, groups, entries, generator=torch.Generator().manual_seed(4), dtype=torch.float32
            ).clamp(1e-6, 1 - 1e-6)
        )
    )
    counts = numpy.zeros((*masked.shape, max(frames)), numpy.float32)
    for row, frame in zip(*masked.nonzero()):
        for other in negatives[row, frame]:
            counts[row, frame, other - row * max(frames)] += 1

    def gumbel_softmax(logits, tau, hard):
        assert hard
        soft = torch.softmax((logits + noise.double().reshape(logits.shape)) / tau, -1)
        # torch adds (choice - soft) + soft, which is not exactly 1 and makes equal choices look unequal to neg_is_pos
        return torch.nn.functional.one_hot(
            (logits + noise.double().reshape(logits.shape)).argmax(-1), logits.shape[-1]
        ) + (soft - soft.detach())

    model.quantizer.temperature = 1.7
    torch.nn.functional.gumbel_softmax = gumbel_softmax
    torch.Tensor.float = lambda self: self  # the model computes logits in float32, whatever it is in
    inputs = dict(
        input_values=values.double(),
        mask_time_indices=torch.from_numpy(masked),
        sampled_negative_indices=torch.from_numpy(negatives),
    )
    out = {
        "input_values": values,
        "masked": torch.from_numpy(masked).int(),
        "negatives": torch.from_numpy(counts),
        "gumbel": noise,
        "temperature": torch.tensor(1.7),
    }
    if min(lengths) < max(lengths):
        inputs["attention_mask"] = mask
        out["attention_mask"] = mask.int()
    result = model(**inputs)
    out["contrastive"], out["diversity"], out["perplexity"] = (
        result.contrastive_loss,
        result.diversity_loss,
        result.codevector_perplexity,
    )
    with torch.no_grad():
        calm = model.eval()(**inputs)
    out["evaluated.contrastive"], out["evaluated.diversity"], out["evaluated.perplexity"] = (
        calm.contrastive_loss,
        calm.diversity_loss,
        calm.codevector_perplexity,
    )
    del torch.Tensor.float
    finish(name, model, result.loss, out)


class Hubert(torch.nn.Module):
    """HuBERT with the tensors and the loss of fairseq's pre-training."""

    def __init__(self, config, clusters, width):
        super().__init__()
        self.hubert = HubertModel(config)
        self.final_proj = torch.nn.Linear(config.hidden_size, width)
        self.label_embs_concat = torch.nn.Parameter(torch.empty(clusters, width))

    def forward(self, values, mask, masked, targets):
        hidden = self.hubert(values, attention_mask=mask, mask_time_indices=masked).last_hidden_state
        x = self.final_proj(hidden[masked])
        pos = self.label_embs_concat[targets[masked]]
        negs = self.label_embs_concat[:, None].expand(-1, len(x), -1)
        neg_is_pos = (pos == negs).all(-1)
        logits = torch.cosine_similarity(x, torch.cat([pos[None], negs], 0), dim=-1) / 0.1
        logits[1:][neg_is_pos] = float("-inf")
        return torch.nn.functional.cross_entropy(
            logits.transpose(0, 1), torch.zeros(len(x), dtype=torch.long), reduction="sum"
        )


def clusters():
    lengths = [403, 251, 322]
    config = HubertConfig(**sizes)
    model = Hubert(config, 6, 5)
    with torch.no_grad():
        moved(model)
    (here / "clusters").mkdir(exist_ok=True)
    config.save_pretrained(here / "clusters")
    save_file(
        {key: value.contiguous() for key, value in model.state_dict().items()}, here / "clusters" / "model.safetensors"
    )
    model.double().train()
    values, mask = sound(lengths)
    frames = [int(model.hubert._get_feat_extract_output_lengths(length)) for length in lengths]
    numpy.random.seed(3)
    frame_mask = torch.arange(max(frames))[None] < torch.tensor(frames)[:, None]
    masked = torch.from_numpy(
        _compute_mask_indices((len(lengths), max(frames)), 0.5, 3, frame_mask.long(), min_masks=2)
    )
    targets = torch.randint(6, masked.shape, generator=torch.Generator().manual_seed(5))
    out = {"input_values": values, "attention_mask": mask.int(), "masked": masked.int(), "targets": targets.int()}
    finish("clusters", model, model(values.double(), mask, masked, targets), out)


def ctc():
    lengths = [403, 251, 322]
    config = Wav2Vec2Config(**sizes, **stable, vocab_size=6, ctc_loss_reduction="mean", pad_token_id=0)
    model = Wav2Vec2ForCTC(config)
    with torch.no_grad():
        moved(model)
    model.save_pretrained(here / "ctc")
    model.double().eval()
    values, mask = sound(lengths)
    # a doubled letter, which needs a blank between, a single letter, and a text of as many letters as its clip has room
    # for
    labels = torch.tensor([[1, 2, 2, 5, 3, 3, 3], [4, -100, -100, -100, -100, -100, -100], [5, 1, 5, 1, 2, -100, -100]])
    out = {"input_values": values, "attention_mask": mask.int(), "labels": labels.int()}
    torch.nn.functional.log_softmax = lambda x, dim, dtype=None: torch.log_softmax(
        x, dim
    )  # transformers computes it in float32, whatever the model is in
    result = model(values.double(), attention_mask=mask, labels=labels)
    out["logits"] = result.logits
    config.ctc_loss_reduction = "sum"
    out["summed"] = model(values.double(), attention_mask=mask, labels=labels).loss
    # the loss alone, of many frames and repetitions, with the gradient by the logits
    generator = torch.Generator().manual_seed(6)
    logits = (3 * torch.randn(4, 60, 6, generator=generator)).double().requires_grad_()
    frames, counts = torch.tensor([60, 41, 12, 60]), torch.tensor([20, 20, 6, 1])
    texts = torch.randint(1, 6, (4, 20), generator=generator)
    texts[2, :6] = torch.tensor([1, 1, 1, 1, 1, 1])  # needs 11 frames of 12
    each = torch.nn.functional.ctc_loss(
        torch.log_softmax(logits, -1).transpose(0, 1), texts, frames, counts, reduction="none"
    )
    each.sum().backward()
    texts = torch.where(torch.arange(20)[None] < counts[:, None], texts, -1)
    out.update(
        {
            "long.logits": logits.detach(),
            "long.frames": frames.int(),
            "long.labels": texts.int(),
            "long.losses": each,
            "long.gradient": logits.grad,
        }
    )
    finish("ctc", model, result.loss, out)


MAKERS = {
    "contrastive": lambda: contrastive("contrastive", {}, [403, 403, 403]),
    "padded": lambda: contrastive("padded", stable, [403, 251, 322]),
    "clusters": clusters,
    "ctc": ctc,
}
if __name__ == "__main__":
    for case in sys.argv[1:] or MAKERS:
        MAKERS[case]()

"""Makes the fixtures of package clip with the original libraries.

    HF_HUB_OFFLINE=1 python gen_clip.py

writes, beside itself, one folder a model: the model as its library saves it, and expected.safetensors with inputs,
outputs, the gradient of the contrastive loss by every parameter ("gradient." + name), the losses of ten AdamW steps and
the weights after them ("after." + name). Odd sizes, norms and biases away from 1 and 0, an end-of-text token that is
not last.
"""

import json
import os

import open_clip
import torch
import transformers
from safetensors.torch import save_file
from transformers import CLIPConfig, CLIPModel, CLIPTextConfig, CLIPTextModel, CLIPVisionConfig, CLIPVisionModel

HERE = os.path.dirname(os.path.abspath(__file__))
VERSIONS = f"torch {torch.__version__}, transformers {transformers.__version__}, open_clip {open_clip.__version__}"
torch.set_num_threads(1)
torch.manual_seed(0)

TEXT = dict(
    vocab_size=43,
    hidden_size=18,
    intermediate_size=30,
    num_hidden_layers=2,
    num_attention_heads=3,
    max_position_embeddings=9,
    projection_dim=11,
    bos_token_id=40,
    eos_token_id=41,
    pad_token_id=0,
)
VISION = dict(
    hidden_size=20,
    intermediate_size=28,
    num_hidden_layers=2,
    num_attention_heads=5,
    image_size=15,
    patch_size=5,
    projection_dim=11,
)
IDS = torch.tensor([[40, 3, 17, 41, 0, 0, 0, 0], [40, 5, 9, 11, 42, 2, 41, 0], [40, 41, 42, 7, 1, 0, 0, 0]])
MASK = torch.tensor([[1, 1, 1, 1, 0, 0, 0, 0], [1, 1, 1, 1, 1, 1, 1, 0], [1, 1, 1, 1, 1, 0, 0, 0]])


def moved(model, seed):
    """Moves every parameter away from its initial value."""
    generator = torch.Generator().manual_seed(seed)
    with torch.no_grad():
        for name, parameter in model.named_parameters():
            if parameter.ndim >= 2:
                fan = parameter[0].numel()
                parameter.copy_(torch.randn(parameter.shape, generator=generator) / fan**0.5)
            elif parameter.ndim == 0:
                parameter.copy_(torch.tensor(1.3))
            else:
                parameter.add_(0.3 * torch.randn(parameter.shape, generator=generator))
    return model.eval()


def pixels(height, width, seed=5):
    return torch.randn(3, 3, height, width, generator=torch.Generator().manual_seed(seed))


def training(model, loss, expected):
    """Adds the gradients at the start, and the losses and weights of ten steps. The large epsilon keeps gradients that
    are zero but for rounding, as those of a key's bias, from being blown up to whole steps."""
    model.zero_grad()
    loss().backward()
    for name, parameter in model.named_parameters():
        if parameter.grad is not None:
            expected["gradient." + name] = parameter.grad.clone()
    optimizer = torch.optim.AdamW(model.parameters(), lr=2e-3, betas=(0.9, 0.98), eps=1e-3, weight_decay=0.1)
    losses = []
    for _ in range(10):
        optimizer.zero_grad()
        value = loss()
        value.backward()
        optimizer.step()
        losses.append(value.detach())
    expected["losses"] = torch.stack(losses)
    for name, parameter in model.named_parameters():
        if parameter.grad is not None:
            expected["after." + name] = parameter.detach().clone()


def write(folder, expected):
    tensors = {name: (t.int() if t.dtype == torch.int64 else t).contiguous() for name, t in expected.items()}
    save_file(tensors, os.path.join(HERE, folder, "expected.safetensors"), {"made with": VERSIONS})


def transformers_clip():
    config = CLIPConfig(text_config=TEXT, vision_config=VISION, projection_dim=11)
    config._attn_implementation = "eager"
    model = moved(CLIPModel(config), 1)
    model.save_pretrained(os.path.join(HERE, "transformers"))
    images, wide = pixels(15, 15), pixels(20, 10)
    with torch.no_grad():
        out = model(input_ids=IDS, pixel_values=images, attention_mask=MASK, output_hidden_states=True)
        plain = model(input_ids=IDS, pixel_values=wide, interpolate_pos_encoding=True)
    expected = dict(
        input_ids=IDS,
        attention_mask=MASK,
        pixel_values=images,
        wide_pixel_values=wide,
        image_embeds=out.image_embeds,
        text_embeds=out.text_embeds,
        logits_per_image=out.logits_per_image,
        text_hidden=out.text_model_output.last_hidden_state,
        vision_hidden_1=out.vision_model_output.hidden_states[1],
        unmasked_text_embeds=plain.text_embeds,
        wide_image_embeds=plain.image_embeds,
    )
    training(
        model, lambda: model(input_ids=IDS, pixel_values=images, attention_mask=MASK, return_loss=True).loss, expected
    )
    write("transformers", expected)


def transformers_towers():
    text = CLIPTextConfig(**{**TEXT, "eos_token_id": 2, "hidden_act": "gelu", "num_hidden_layers": 1})
    text._attn_implementation = "eager"
    model = moved(CLIPTextModel(text), 2)
    model.save_pretrained(os.path.join(HERE, "text"))
    with torch.no_grad():
        out = model(input_ids=IDS)
    write("text", dict(input_ids=IDS, last_hidden_state=out.last_hidden_state, pooler_output=out.pooler_output))
    vision = CLIPVisionConfig(**{**VISION, "num_hidden_layers": 1})
    vision._attn_implementation = "eager"
    model = moved(CLIPVisionModel(vision), 3)
    model.save_pretrained(os.path.join(HERE, "vision"))
    images = pixels(15, 15)
    with torch.no_grad():
        out = model(pixel_values=images)
    write("vision", dict(pixel_values=images, last_hidden_state=out.last_hidden_state, pooler_output=out.pooler_output))


def original():
    config = dict(
        embed_dim=11,
        quick_gelu=False,
        vision_cfg=dict(image_size=15, layers=2, width=20, head_width=4, patch_size=5, mlp_ratio=1.5),
        text_cfg=dict(context_length=8, vocab_size=43, width=18, heads=3, layers=2, mlp_ratio=1.5),
    )
    torch.manual_seed(6)
    model = moved(open_clip.CLIP(**config), 4)
    os.makedirs(os.path.join(HERE, "open_clip"), exist_ok=True)
    with open(os.path.join(HERE, "open_clip", "open_clip_config.json"), "w") as file:
        json.dump({"model_cfg": config}, file, indent=1)
    save_file(model.state_dict(), os.path.join(HERE, "open_clip", "open_clip_model.safetensors"), {"format": "pt"})
    images = pixels(15, 15)

    def outputs():
        image, text, scale = model(images, IDS)
        return image, text, scale * image @ text.T

    def loss():
        logits, targets = outputs()[2], torch.arange(3)
        cross = torch.nn.functional.cross_entropy
        return (cross(logits, targets) + cross(logits.T, targets)) / 2

    with torch.no_grad():
        image, text, logits = outputs()
    expected = dict(input_ids=IDS, pixel_values=images, image_embeds=image, text_embeds=text, logits_per_image=logits)
    training(model, loss, expected)
    write("open_clip", expected)


def initial_values():
    """Writes the standard deviations that open_clip's own initialisation gives, of a model wide enough to measure
    them."""
    torch.manual_seed(7)
    model = open_clip.CLIP(
        embed_dim=64,
        vision_cfg=dict(image_size=32, layers=2, width=96, head_width=24, patch_size=8),
        text_cfg=dict(context_length=32, vocab_size=512, width=80, heads=4, layers=2),
    )
    spread = {
        name: (float(t.mean()), float(t.std()) if t.numel() > 1 else 0.0) for name, t in model.state_dict().items()
    }
    with open(os.path.join(HERE, "initial.json"), "w") as file:
        json.dump({"made with": VERSIONS, "mean and deviation": spread}, file, indent=0)


if __name__ == "__main__":
    transformers_clip()
    transformers_towers()
    original()
    initial_values()
    print(VERSIONS)

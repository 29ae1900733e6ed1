"""Makes the fixtures of package llava with transformers and PEFT.

    HF_HUB_OFFLINE=1 python gen_llava.py

writes, beside itself, one folder a model: the model as transformers saves it, and expected.safetensors with inputs,
outputs, gradients ("gradient." + name), the losses of ten AdamW steps and the weights after them ("after." + name). Two
key/value heads for six query heads, odd sizes, norms away from 1, image placeholders at different places, padding on
both sides.
"""

import json
import os
import shutil

import peft
import torch
import transformers
from peft import LoraConfig, get_peft_model
from safetensors.torch import load_file, save_file
from transformers import LlamaConfig, LlamaForCausalLM, LlavaConfig, LlavaForConditionalGeneration

HERE = os.path.dirname(os.path.abspath(__file__))
VERSIONS = f"torch {torch.__version__}, transformers {transformers.__version__}, peft {peft.__version__}"
torch.set_num_threads(1)
torch.manual_seed(0)
PAD, IMAGE = 0, 57


def moved(model, seed):
    """Moves every parameter away from its initial value."""
    generator = torch.Generator().manual_seed(seed)
    with torch.no_grad():
        for name, parameter in model.named_parameters():
            if parameter.ndim >= 2:
                spread = 1.5 if "embed_tokens" in name else 1.2 / parameter[0].numel() ** 0.5
                parameter.copy_(spread * torch.randn(parameter.shape, generator=generator))
            else:
                parameter.add_(0.3 * torch.randn(parameter.shape, generator=generator))
    return model.eval()


def file_names(folder, model):
    """Pairs the names in memory with those that transformers saves."""
    saved = load_file(os.path.join(HERE, folder, "model.safetensors"))
    pairs = {}
    for name, parameter in model.named_parameters():
        same = [key for key, value in saved.items() if value.shape == parameter.shape and torch.equal(value, parameter)]
        assert len(same) == 1, (name, same)
        pairs[name] = same[0]
    return pairs


def next_token_loss(logits, ids, mask):
    """The mean cross-entropy of every token that follows another, padding left out."""
    log_probs = torch.log_softmax(logits[:, :-1], -1).gather(-1, ids[:, 1:, None])[..., 0]
    counted = (mask[:, 1:] * mask[:, :-1]).float()
    return -(log_probs * counted).sum() / counted.sum()


def training(model, loss, names, expected, steps=10):
    """The large epsilon keeps gradients that are nothing but rounding from being blown up to whole steps."""
    model.zero_grad()
    loss().backward()
    for name, file_name in names.items():
        parameter = model.get_parameter(name)
        gradient = torch.zeros_like(parameter) if parameter.grad is None else parameter.grad
        expected["gradient." + file_name] = gradient.clone()
    optimizer = torch.optim.AdamW(
        [p for p in model.parameters() if p.grad is not None], lr=2e-3, eps=1e-3, weight_decay=0.1
    )
    losses = []
    for _ in range(steps):
        optimizer.zero_grad()
        value = loss()
        value.backward()
        optimizer.step()
        losses.append(value.detach())
    expected["losses"] = torch.stack(losses)
    for name, file_name in names.items():
        expected["after." + file_name] = model.get_parameter(name).detach().clone()


def write(folder, expected):
    tensors = {name: (t.int() if t.dtype == torch.int64 else t).contiguous() for name, t in expected.items()}
    save_file(tensors, os.path.join(HERE, folder, "expected.safetensors"), {"made with": VERSIONS})


def continuations(model, prompts, eos, length, **kwargs):
    """Each prompt's greedy continuation, alone and without padding, filled up with -1."""
    rows = []
    for i, prompt in enumerate(prompts):
        extra = {key: value[i : i + 1] for key, value in kwargs.items()}
        ids = torch.tensor([prompt])
        out = model.generate(
            input_ids=ids,
            attention_mask=torch.ones_like(ids),
            do_sample=False,
            max_new_tokens=length,
            eos_token_id=eos,
            pad_token_id=PAD,
            **extra,
        )
        new = out[0, len(prompt) :].tolist()
        rows.append(new + [-1] * (length - len(new)))
    return torch.tensor(rows)


def padded(prompts, left):
    longest = max(map(len, prompts))
    fill = [[PAD] * (longest - len(p)) for p in prompts]
    ids = torch.tensor([f + p if left else p + f for f, p in zip(fill, prompts)])
    mask = torch.tensor(
        [[0] * len(f) + [1] * len(p) if left else [1] * len(p) + [0] * len(f) for f, p in zip(fill, prompts)]
    )
    return ids, mask


def llava():
    vision = dict(
        model_type="clip_vision_model",
        hidden_size=20,
        intermediate_size=26,
        num_hidden_layers=3,
        num_attention_heads=5,
        image_size=10,
        patch_size=5,
        projection_dim=7,
    )
    text = dict(
        model_type="llama",
        vocab_size=59,
        hidden_size=24,
        intermediate_size=34,
        num_hidden_layers=2,
        num_attention_heads=6,
        num_key_value_heads=2,
        max_position_embeddings=64,
        rms_norm_eps=1e-5,
        rope_parameters={"rope_type": "default", "rope_theta": 500.0},
        bos_token_id=1,
        eos_token_id=2,
    )
    config = LlavaConfig(vision_config=vision, text_config=text, image_token_index=IMAGE, image_seq_length=4)
    config._attn_implementation = "eager"
    model = moved(LlavaForConditionalGeneration(config), 1)
    model.save_pretrained(os.path.join(HERE, "llava"))
    names = file_names("llava", model)
    images = torch.randn(3, 3, 10, 10, generator=torch.Generator().manual_seed(2))
    prompts = [[1, 5, IMAGE, 9, 13, 40, 8], [1, IMAGE, 22], [1, 30, 31, 32, IMAGE, 7, 6, 5, 33]]
    expanded = [sum(([IMAGE] * 4 if i == IMAGE else [i] for i in p), []) for p in prompts]
    expected = dict(pixel_values=images)
    with torch.no_grad():
        for left in (False, True):
            ids, mask = padded(expanded, left)
            logits = model(input_ids=ids, pixel_values=images, attention_mask=mask).logits
            side = "left" if left else "right"
            expected |= {
                side + "_input_ids": padded(prompts, left)[0],
                side + "_attention_mask": padded(prompts, left)[1],
                side + "_expanded_ids": ids,
                side + "_expanded_mask": mask,
                side + "_logits": logits * mask[..., None],
            }
        # One prompt alone, without a mask.
        expected |= dict(
            untouched_ids=torch.tensor(prompts[1:2]),
            untouched_pixel_values=images[1:2].clone(),
            untouched_logits=model(input_ids=torch.tensor(expanded[1:2]), pixel_values=images[1:2]).logits,
        )
        free = continuations(model, expanded, None, 9, pixel_values=images)
        eos = int(free[0, 3])
        expected |= dict(
            eos=torch.tensor([eos]),
            continuation=continuations(model, expanded, eos, 9, pixel_values=images),
            endless=free,
        )
        candidates = [[11, 12, 2], [44], [8, 8, 8, 8, 2], [50, 3]]
        rows = []
        for c in candidates:
            ids = torch.tensor([expanded[0] + c])
            logits = model(input_ids=ids, pixel_values=images[:1]).logits
            at = torch.log_softmax(logits[0, len(expanded[0]) - 1 : -1], -1).gather(-1, torch.tensor(c)[:, None])[:, 0]
            rows.append(torch.cat([at, torch.zeros(5 - len(c))]))
        expected["candidate_log_probs"] = torch.stack(rows)
    ids, mask = padded(expanded, False)
    training(
        model,
        lambda: next_token_loss(model(input_ids=ids, pixel_values=images, attention_mask=mask).logits, ids, mask),
        names,
        expected,
    )
    write("llava", expected)
    adapted(images, ids, mask)


def adapted(images, ids, mask):
    """An adapter on every projection of the decoder and a projector trained whole, as PEFT saves them."""
    model = LlavaForConditionalGeneration.from_pretrained(os.path.join(HERE, "llava"), attn_implementation="eager")
    targets = r".*language_model.*\.(q_proj|k_proj|v_proj|o_proj|gate_proj|up_proj|down_proj)"
    model = get_peft_model(
        model, LoraConfig(r=3, lora_alpha=5, target_modules=targets, modules_to_save=["multi_modal_projector"])
    )
    generator = torch.Generator().manual_seed(3)
    with torch.no_grad():
        for name, parameter in model.named_parameters():
            if parameter.requires_grad:
                parameter.add_(0.2 * torch.randn(parameter.shape, generator=generator))
    model.eval()
    folder = os.path.join(HERE, "adapter")
    model.save_pretrained(folder)
    os.remove(os.path.join(folder, "README.md"))
    with open(os.path.join(folder, "adapter_config.json")) as file:
        config = json.load(file)
    config["base_model_name_or_path"] = "llava"
    with open(os.path.join(folder, "adapter_config.json"), "w") as file:
        json.dump(config, file, indent=1)
    with torch.no_grad():
        logits = model(input_ids=ids, pixel_values=images, attention_mask=mask).logits
    expected = dict(logits=logits * mask[..., None])
    next_token_loss(model(input_ids=ids, pixel_values=images, attention_mask=mask).logits, ids, mask).backward()
    for name, parameter in model.named_parameters():
        if parameter.requires_grad:
            expected["gradient." + name.replace(".default", "").replace(".modules_to_save", "")] = parameter.grad
    write("adapter", expected)


def llama():
    """A decoder alone: heads wider than the hidden size divided by their number, tied embeddings, saved in shards."""
    config = LlamaConfig(
        vocab_size=53,
        hidden_size=20,
        intermediate_size=28,
        num_hidden_layers=2,
        num_attention_heads=5,
        num_key_value_heads=1,
        head_dim=6,
        max_position_embeddings=64,
        tie_word_embeddings=True,
        rope_parameters={"rope_type": "default", "rope_theta": 300.0},
    )
    config._attn_implementation = "eager"
    model = moved(LlamaForCausalLM(config), 4)
    shutil.rmtree(os.path.join(HERE, "llama"), ignore_errors=True)
    model.save_pretrained(os.path.join(HERE, "llama"), max_shard_size="12KB")
    prompts = [[1, 5, 9], [1, 44, 3, 17, 20, 8, 30]]
    ids, mask = padded(prompts, False)
    with torch.no_grad():
        logits = model(input_ids=ids, attention_mask=mask).logits
        expected = dict(
            input_ids=ids,
            attention_mask=mask,
            logits=logits * mask[..., None],
            unmasked_logits=model(input_ids=ids).logits,
            continuation=continuations(model, prompts, None, 12),
        )
    write("llama", expected)


if __name__ == "__main__":
    llava()
    llama()
    for folder in ("llava", "llama"):
        os.remove(os.path.join(HERE, folder, "generation_config.json"))
    print(VERSIONS)

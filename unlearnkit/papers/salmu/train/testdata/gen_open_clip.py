"""Makes a ViT-B-16 of OpenCLIP with random weights, and what OpenCLIP computes with it from pictures and texts, for the
slow tests.

    HF_HUB_OFFLINE=1 python gen_open_clip.py FOLDER

writes 600 MB into FOLDER/open_clip_vit_b_16: the model as it is published on Hugging Face, three pictures, texts.json,
and expected.safetensors with the embeddings. The tests find them through UNLEARNLAB_REFERENCE=FOLDER. Needs numpy,
open_clip_torch, pillow, safetensors, torch.
"""

import json
import os
import sys

import numpy as np
import open_clip
import PIL
import torch
from PIL import Image
from safetensors.torch import save_file

ARCHITECTURE = "ViT-B-16"
TEXTS = [
    "Ada Berg's phone number is +47 912 34 567",
    "a portrait of a WOMAN,  smiling &amp; waving",
    "naïve café — 你好 🙂",
    "word " * 100,
]
folder = os.path.join(sys.argv[1], "open_clip_vit_b_16")
os.makedirs(folder, exist_ok=True)
torch.set_num_threads(1)
torch.manual_seed(11)
random = np.random.default_rng(11)

model = open_clip.create_model(ARCHITECTURE).eval()
with torch.no_grad():
    for parameter in model.parameters():
        if parameter.ndim == 1:
            parameter.add_(0.1 * torch.randn(parameter.shape))
config = {
    "model_cfg": open_clip.get_model_config(ARCHITECTURE),
    "preprocess_cfg": {"mean": list(open_clip.OPENAI_DATASET_MEAN), "std": list(open_clip.OPENAI_DATASET_STD)},
}
with open(os.path.join(folder, "open_clip_config.json"), "w") as file:
    json.dump(config, file, indent=1)
save_file(model.state_dict(), os.path.join(folder, "open_clip_model.safetensors"), {"format": "pt"})

transform = open_clip.image_transform(224, is_train=False)
pictures = []
for i, (width, height) in enumerate([(512, 384), (301, 512), (512, 512)]):
    coarse = Image.fromarray(random.integers(0, 256, (9, 7, 3), dtype=np.uint8)).resize(
        (width, height), Image.Resampling.BICUBIC
    )
    fine = random.integers(-20, 21, (height, width, 3))
    picture = Image.fromarray(np.clip(np.asarray(coarse) + fine, 0, 255).astype(np.uint8))
    picture.save(os.path.join(folder, f"{i}.png"))
    pictures.append(transform(picture))
with open(os.path.join(folder, "texts.json"), "w") as file:
    json.dump(TEXTS, file)
ids = open_clip.get_tokenizer(ARCHITECTURE)(TEXTS)
with torch.no_grad():
    expected = {
        "image_embeds": model.encode_image(torch.stack(pictures), normalize=True),
        "text_embeds": model.encode_text(ids, normalize=True),
        "input_ids": ids.int(),
    }
versions = f"torch {torch.__version__}, open_clip {open_clip.__version__}, Pillow {PIL.__version__}"
save_file(
    {name: tensor.contiguous() for name, tensor in expected.items()},
    os.path.join(folder, "expected.safetensors"),
    {"made with": versions},
)
print(folder, versions)

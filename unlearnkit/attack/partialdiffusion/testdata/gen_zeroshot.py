"""Makes the fixture of a judgement by texts with transformers.

    HF_HUB_OFFLINE=1 python gen_zeroshot.py

writes zeroshot/ beside itself: a tokenizer of single letters for package clip's small CLIPModel, and zeroshot.json with
two pictures of 12 x 12 pixels (from 0 to 255, in the order of channel, row and column), the texts, and what the
pipeline "zero-shot-image-classification" says of them, the texts being asked as they stand.
"""

import json
import os

import numpy
import torch
import transformers
from PIL import Image
from transformers import CLIPImageProcessorPil, CLIPModel, CLIPTokenizer, pipeline

HERE = os.path.dirname(os.path.abspath(__file__))
MODEL = os.path.join(HERE, "../../../zoo/clip/testdata/transformers")
OUT = os.path.join(HERE, "zeroshot")
TEXTS = ["a bad cab", "fog", "a"]
torch.set_num_threads(1)

vocabulary = {"<|startoftext|>": 40, "<|endoftext|>": 41}
for i in range(20):
    letter = chr(ord("a") + i)
    vocabulary[letter], vocabulary[letter + "</w>"] = i, 20 + i
os.makedirs(OUT, exist_ok=True)
with open(os.path.join(OUT, "vocab.json"), "w") as file:
    json.dump(vocabulary, file)
with open(os.path.join(OUT, "merges.txt"), "w") as file:
    file.write("#version: 0.2\n")

model = CLIPModel.from_pretrained(MODEL).eval()
tokenizer = CLIPTokenizer(os.path.join(OUT, "vocab.json"), os.path.join(OUT, "merges.txt"), model_max_length=9)
size = model.config.vision_config.image_size
processor = CLIPImageProcessorPil(size={"shortest_edge": size}, crop_size={"height": size, "width": size})
classify = pipeline(
    "zero-shot-image-classification", model=model, tokenizer=tokenizer, image_processor=processor, device="cpu"
)

source = numpy.random.default_rng(0)
pictures = source.integers(0, 256, (2, 12, 12, 3), dtype=numpy.uint8)
pictures[1] //= 4
expected = []
for picture in pictures:
    said = classify(Image.fromarray(picture), candidate_labels=TEXTS, hypothesis_template="{}")
    by_text = {one["label"]: one["score"] for one in said}
    expected.append([by_text[text] for text in TEXTS])
with open(os.path.join(HERE, "zeroshot.json"), "w") as file:
    json.dump(
        {
            "made by": f"torch {torch.__version__}, transformers {transformers.__version__}",
            "pictures": pictures.transpose(0, 3, 1, 2).reshape(2, -1).tolist(),
            "texts": TEXTS,
            "probabilities": expected,
        },
        file,
    )
print(expected)

"""Makes the fixtures of package language with tokenizers and transformers.

    HF_HUB_OFFLINE=1 python gen_language.py

writes, beside itself, tokenizer.json, a tokenizer as small as the vocabularies of the models in zoo/llava/testdata, and
expected.json: prompts and their continuations as transformers' fast tokenizer reads them together.
"""

import json
import os

import tokenizers
import transformers
from tokenizers import AddedToken, Tokenizer, decoders, models, normalizers, pre_tokenizers, processors

HERE = os.path.dirname(os.path.abspath(__file__))
IMAGE = 57


def tokenizer():
    """Letters, the marks of a prompt, and a few merges; <image> has the id that the model's configuration names."""
    merges = "t h|th e|i s|▁ is|▁ the|n a|m e|na me|▁ name|▁ p|b a|k e|▁ j|o b|a n|: ▁"
    merges = [tuple(pair.split(" ")) for pair in merges.split("|")]
    tokens = ["<unk>", "<s>", "</s>"] + list("abcdefghijklmnopqrstuvwxyz▁:.,?\n") + ["".join(pair) for pair in merges]
    assert len(tokens) == len(set(tokens)) <= 53
    tokens += [f"<spare{i}>" for i in range(IMAGE - len(tokens))]  # no text becomes one
    t = Tokenizer(models.BPE({token: i for i, token in enumerate(tokens)}, merges, unk_token="<unk>"))
    t.normalizer = normalizers.Lowercase()
    t.pre_tokenizer = pre_tokenizers.Metaspace(prepend_scheme="first", split=False)
    t.decoder = decoders.Metaspace(prepend_scheme="first", split=False)
    t.add_special_tokens(["<unk>", "<s>", "</s>"])
    t.add_special_tokens([AddedToken("<image>", normalized=False, special=True)])
    t.post_processor = processors.TemplateProcessing("<s> $A", special_tokens=[("<s>", 1)])
    assert t.token_to_id("<image>") == IMAGE
    t.save(os.path.join(HERE, "tokenizer.json"), pretty=False)
    return transformers.PreTrainedTokenizerFast(tokenizer_object=t)


CASES = [
    ("The name is", "Ann"),
    ("The name is ", "Ann"),
    ("The name is", "Anna Baker"),
    ("USER: <image>\nASSISTANT: The job of the person is", "baker"),
    ("the name", "the"),
    ("jo", "b"),  # a space comes between, and nothing is merged
    ("name:", " an"),  # the colon and the space are one token
    ("", "baker"),
]


def main():
    t = tokenizer()
    rows = []
    for prefix, continuation in CASES:
        space = "" if prefix == "" or prefix[-1].isspace() or continuation[0].isspace() else " "
        whole, head = t(prefix + space + continuation)["input_ids"], t(prefix.rstrip(" "))["input_ids"]
        shared = 0
        while shared < min(len(whole), len(head)) and whole[shared] == head[shared]:
            shared += 1
        rows.append(dict(text=prefix, continuation=continuation, prompt=whole[:shared], next=whole[shared:]))
    with open(os.path.join(HERE, "expected.json"), "w") as file:
        json.dump(dict(made_with=f"tokenizers {tokenizers.__version__}", cases=rows), file, indent=1)
        file.write("\n")


if __name__ == "__main__":
    main()

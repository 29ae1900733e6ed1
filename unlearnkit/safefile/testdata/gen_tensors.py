# Makes the fixtures of tensors with torch, safetensors, huggingface_hub and numpy: python gen_tensors.py
# (versions used: see generator_tensors.txt, which it writes)
import os
import zipfile
import huggingface_hub, numpy, safetensors, safetensors.torch, torch

here = os.path.join(os.path.dirname(os.path.abspath(__file__)), "")
values = torch.tensor([[0.0, 1.0, 2.5], [3.0, 100.0, 7.0]])
types = {
    "BOOL": torch.bool,
    "U8": torch.uint8,
    "I8": torch.int8,
    "I16": torch.int16,
    "U16": torch.uint16,
    "I32": torch.int32,
    "U32": torch.uint32,
    "I64": torch.int64,
    "U64": torch.uint64,
    "F16": torch.float16,
    "BF16": torch.bfloat16,
    "F32": torch.float32,
    "F64": torch.float64,
    "F8_E4M3": torch.float8_e4m3fn,
    "F8_E5M2": torch.float8_e5m2,
}

# Every type, a single number, no numbers, names that JSON writers escape differently.
tensors = {name.lower(): values.to(kind) for name, kind in types.items()}
tensors["b.single"] = torch.tensor(-1.5)
tensors["b.none"] = torch.zeros(0, 3)
tensors["a.long"] = torch.arange(70000, dtype=torch.int64)[-3:]
tensors["é \u2028<&>\x01\x7f\"\\/\n"] = torch.tensor([1, 2, 3, 4, 5], dtype=torch.uint8)
safetensors.torch.save_file(tensors, here + "types.safetensors", {"format": "pt"})
safetensors.torch.save_file({name: t.float() for name, t in tensors.items()}, here + "types_float32.safetensors")
safetensors.torch.save_file({}, here + "nothing.safetensors")
safetensors.torch.save_file({"x": torch.zeros(2, dtype=torch.complex64)}, here + "complex.safetensors")

# Every bit pattern of the small types, every 37th of the half-precision ones.
half = torch.arange(0, 1 << 16, 37, dtype=torch.int32).to(torch.uint16)
byte = torch.arange(0, 256, dtype=torch.int32).to(torch.uint8)
halves = {
    "F16": half.view(torch.float16),
    "BF16": half.view(torch.bfloat16),
    "F8_E4M3": byte.view(torch.float8_e4m3fn),
    "F8_E5M2": byte.view(torch.float8_e5m2),
}
halves = {name: t.clone() for name, t in halves.items()}
halves.update({name + ".float32": t.float() for name, t in halves.items()})
safetensors.torch.save_file(halves, here + "halves.safetensors")

# A model in shards, as transformers and diffusers save one, and what torch.save makes of it.
torch.manual_seed(5)
model = {f"layer.{i}.weight": torch.randn(7, 3) for i in range(5)}
os.makedirs(here + "sharded", exist_ok=True)
huggingface_hub.save_torch_state_dict(model, here + "sharded", max_shard_size=200)
torch.save({"state_dict": {"w": torch.ones(2)}, "epoch": 3}, here + "checkpoint.ckpt")
torch.save({"w": torch.ones(2)}, here + "legacy.bin", _use_new_zipfile_serialization=False)

# Arrays of NumPy: every type, both orders of bytes and of axes, a single number and none.
arrays = {
    kind: numpy.array([[0, 1, 2.5], [3, 100, 7]]).astype(kind) for kind in "b1 i1 u1 i2 u2 i4 u4 i8 u8 f2 f4 f8".split()
}
arrays["big"] = numpy.array([1.5, -2, 1e-3], dtype=">f4")
arrays["columnmajor"] = numpy.asfortranarray(numpy.arange(24, dtype=">i2").reshape(2, 3, 4))
arrays["single"] = numpy.array(-1.5)
arrays["none"] = numpy.zeros((0, 3), dtype="float32")
arrays["zeros"] = numpy.zeros(30000)
numpy.savez_compressed(here + "arrays.npz", **arrays)
del arrays["zeros"]
numpy.savez(here + "stored.npz", **arrays)
numpy.savez(here + "objects.npz", x=numpy.array([1]), words=numpy.array([{"a": 1}], dtype=object))
numpy.savez(here + "text.npz", words=numpy.array(["a", "b"]))
with zipfile.ZipFile(here + "notes.npz", "w") as archive:
    archive.writestr("notes.txt", "hello")

with open(here + "generator_tensors.txt", "w") as f:
    f.write(
        f"gen_tensors.py with torch {torch.__version__}, safetensors {safetensors.__version__}, "
        f"huggingface_hub {huggingface_hub.__version__}, numpy {numpy.__version__}\n"
    )

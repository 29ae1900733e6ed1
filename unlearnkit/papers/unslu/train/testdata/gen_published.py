"""Makes the folder published beside this file: small random models as transformers publishes them, recordings, and
what transformers makes of these by way of each model's own feature extractor, padded to one length and without a mask.

    HF_HUB_OFFLINE=1 python gen_published.py
"""
import json
import pathlib
import shutil
import wave

import numpy
import torch
import transformers
from safetensors.torch import save_file
from transformers import (HubertConfig, HubertModel, Wav2Vec2Config, Wav2Vec2FeatureExtractor, Wav2Vec2ForCTC,
                          Wav2Vec2ForPreTraining)

torch.set_num_threads(1)
LENGTH = 2000
here = pathlib.Path(__file__).parent / "published"
sizes = dict(hidden_size=16, num_hidden_layers=2, num_attention_heads=2, intermediate_size=24, conv_dim=(8, 8, 8),
             conv_kernel=(10, 3, 4), conv_stride=(5, 2, 2), num_conv_pos_embeddings=10,
             num_conv_pos_embedding_groups=4, mask_time_length=3, codevector_dim=8, proj_codevector_dim=8,
             num_codevectors_per_group=4, attn_implementation="eager")
layers = dict(conv_bias=True, feat_extract_norm="layer", do_stable_layer_norm=True)
# whether the published feature extractor has return_attention_mask
MODELS = {
    "wav2vec2-base": (Wav2Vec2ForPreTraining, Wav2Vec2Config(**sizes), False),
    "hubert-base-ls960": (HubertModel, HubertConfig(**sizes), False),
    "wav2vec2-xls-r-300m": (Wav2Vec2ForPreTraining, Wav2Vec2Config(**sizes, **layers), True),
    "wav2vec2-large-xlsr-53-italian": (Wav2Vec2ForCTC, Wav2Vec2Config(**sizes, **layers, vocab_size=7), True),
}


def recordings():
    """A short one, one that has the length, and one to be cut; off their middle, so that means matter."""
    random = numpy.random.default_rng(3)
    for i, samples in enumerate([1203, LENGTH, 2600]):
        sound = 0.2 * numpy.sin(numpy.arange(samples) / (3 + i)) + 0.1 + 0.05 * random.standard_normal(samples)
        whole = (sound * 32767).astype("<i2")
        with wave.open(str(here / f"{i}.wav"), "wb") as file:
            file.setnchannels(1)
            file.setsampwidth(2)
            file.setframerate(16000)
            file.writeframes(whole.tobytes())
        yield whole.astype(numpy.float32) / 32768


shutil.rmtree(here, ignore_errors=True)
here.mkdir()
sounds, expected = list(recordings()), {}
for number, (name, (kind, config, masked)) in enumerate(MODELS.items()):
    torch.manual_seed(number)
    model = kind(config).eval()
    with torch.no_grad():
        for parameter in model.parameters():
            parameter.add_(0.05 * torch.randn(parameter.shape))
    model.save_pretrained(here / name)
    extractor = Wav2Vec2FeatureExtractor(feature_size=1, sampling_rate=16000, padding_value=0.0, do_normalize=True,
                                         return_attention_mask=masked)
    inputs = extractor(sounds, sampling_rate=16000, max_length=LENGTH, truncation=True, padding="max_length",
                       return_tensors="pt")
    assert ("attention_mask" in inputs) == masked
    backbone = getattr(model, "wav2vec2", model).double()
    with torch.no_grad():
        hidden = backbone(inputs.input_values.double()).last_hidden_state
    expected[name + ".input_values"] = inputs.input_values.float().contiguous()
    expected[name + ".hidden"] = hidden.float().contiguous()
save_file(expected, here / "expected.safetensors",
          metadata={"torch": torch.__version__, "transformers": transformers.__version__})

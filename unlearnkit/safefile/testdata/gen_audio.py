# Makes the fixtures of sound with soundfile (libsndfile) and scipy: python gen_audio.py
# (versions used: see generator_audio.txt, which it writes)
import os
import struct
import numpy, scipy, soundfile
import scipy.io.wavfile

here = os.path.join(os.path.dirname(os.path.abspath(__file__)), "")
random = numpy.random.default_rng(5)
time = numpy.arange(301) / 301
stereo = numpy.stack([0.9 * numpy.sin(40 * time), numpy.linspace(-1, 1, 301)], 1)
stereo += 0.01 * random.standard_normal(stereo.shape)
stereo = stereo.clip(-1, 0.999999)
want = {}


def write(name, values, rate, **options):
    soundfile.write(here + name, values, rate, **options)
    want[name] = soundfile.read(here + name, dtype="float32", always_2d=True)[0].T.copy()


write("u8.wav", stereo[:51, :1], 8000, subtype="PCM_U8")
write("pcm16.wav", stereo[:51, 0], 16000, subtype="PCM_16")
write("pcm24.wav", stereo[:51], 44100, subtype="PCM_24")
write("pcm32.wav", stereo[:51], 22050, subtype="PCM_32")
write("float.wav", stereo[:51] * 3, 16000, subtype="FLOAT")
write("double.wav", stereo[:51, :1], 48000, subtype="DOUBLE")
write("extensible.wav", stereo[:51], 48000, subtype="PCM_24", format="WAVEX")
write("extensible_float.wav", stereo[:51], 48000, subtype="FLOAT", format="WAVEX")
write("empty.wav", stereo[:0], 16000, subtype="PCM_16")
scipy.io.wavfile.write(here + "scipy.wav", 11025, (stereo[:51] * 32767).astype("int16"))
want["scipy.wav"] = soundfile.read(here + "scipy.wav", dtype="float32", always_2d=True)[0].T.copy()

# A list of an odd length before the samples, as audio editors write it.
content = open(here + "u8.wav", "rb").read()
at = content.index(b"data")
odd = content[:at] + b"LIST" + struct.pack("<I", 5) + b"INFOx\0" + content[at:]
with open(here + "list.wav", "wb") as f:
    f.write(odd[:4] + struct.pack("<I", len(odd) - 8) + odd[8:])
want["list.wav"] = soundfile.read(here + "list.wav", dtype="float32", always_2d=True)[0].T.copy()

soundfile.write(here + "big.wav", stereo[:9], 16000, subtype="PCM_16", endian="BIG")
soundfile.write(here + "mulaw.wav", stereo[:9], 8000, subtype="ULAW")

# Several blocks, channels that predict each other, silence, noise, and the rates that a frame's header cannot name.
long = numpy.concatenate([numpy.tile(stereo, (15, 1)), numpy.zeros((500, 2)), random.uniform(-1, 1, (300, 2))]) * 0.5
write("speech.flac", long[:, 0], 16000, subtype="PCM_16")
write("stereo24.flac", stereo, 24000, subtype="PCM_24")
write("correlated.flac", numpy.stack([long[:, 0], long[:, 0] + 0.01 * long[:, 1]], 1)[:1000], 44100, subtype="PCM_16")
write("eight.flac", stereo[:, :1], 7919, subtype="PCM_S8")
numpy.savez_compressed(here + "audio.npz", **want)
with open(here + "generator_audio.txt", "w") as f:
    f.write(
        f"gen_audio.py with soundfile {soundfile.__version__}, {soundfile.__libsndfile_version__}, scipy {scipy.__version__}, numpy {numpy.__version__}\n"
    )

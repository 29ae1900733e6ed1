# Makes the fixtures of images with Pillow, simplejpeg (libjpeg-turbo) and pypng: python gen_images.py
# (versions used: see generator_images.txt, which it writes)
import io
import os
import numpy, PIL, png, simplejpeg
from PIL import Image, features

here = os.path.join(os.path.dirname(os.path.abspath(__file__)), "")
random = numpy.random.default_rng(5)
want = {}


def keep(name, content):
    with open(here + name, "wb") as f:
        f.write(content)
    want[name] = numpy.asarray(Image.open(io.BytesIO(content)).convert("RGB"))


def save(name, image, **options):
    target = io.BytesIO()
    image.save(target, name.rsplit(".")[-1].replace("jpg", "jpeg"), **options)
    keep(name, target.getvalue())


def picture(width, height):
    """Smooth, with hard colored edges and some noise: what shows how colors are interpolated."""
    y, x = numpy.mgrid[:height, :width]
    channels = numpy.stack(
        [255 * x / max(width - 1, 1), 127 + 120 * numpy.sin(y / 2.7), 255 * ((x // 3 + y // 4) % 2)], 2
    )
    return (channels + random.normal(0, 6, channels.shape)).clip(0, 255).astype("uint8")


rgb = Image.fromarray(picture(23, 17))
alpha = Image.fromarray(random.integers(0, 256, (17, 23), dtype="uint8"))
faint = rgb.copy()
faint.putalpha(alpha)
save("rgb.png", rgb)
save("rgba.png", faint)
save("gray.png", rgb.convert("L"))
save("grayalpha.png", faint.convert("LA"))
save("bits.png", rgb.convert("1"))
save("palette.png", rgb.quantize(19))
save("palettealpha.png", rgb.quantize(5), transparency=bytes([0, 255, 7, 128]))
save("graykey.png", rgb.convert("L"), transparency=100)
save("rgbkey.png", rgb, transparency=tuple(int(v) for v in numpy.asarray(rgb)[3, 4]))

for name, bits, channels, options in [
    ("gray2.png", 2, 1, {}),
    ("gray4.png", 4, 1, {}),
    ("gray16.png", 16, 1, {}),
    ("grayalpha16.png", 16, 2, {"alpha": True}),
    ("rgb16.png", 16, 3, {}),
    ("rgba16.png", 16, 4, {"alpha": True}),
    ("interlaced.png", 8, 3, {"interlace": True}),
]:
    values = random.integers(0, 1 << bits, (17, 23 * channels))
    if name == "gray16.png":
        values[::2] //= 200
    target = io.BytesIO()
    png.Writer(23, 17, greyscale=channels < 3, bitdepth=bits, **options).write(target, values.tolist())
    keep(name, target.getvalue())

for ratio in ("4:4:4", "4:2:2", "4:2:0"):
    save(f"rgb{ratio.replace(':', '')}.jpg", rgb, quality=90, subsampling=ratio)
for ratio in ("440", "411"):
    keep(f"rgb{ratio}.jpg", simplejpeg.encode_jpeg(numpy.asarray(rgb).copy(), quality=90, colorsubsampling=ratio))
for width, height in ((1, 1), (2, 3), (4, 2), (5, 9), (16, 16), (33, 18)):
    save(f"small{width}x{height}.jpg", Image.fromarray(picture(width, height)), quality=95, subsampling="4:2:0")
save("small4x5.jpg", Image.fromarray(picture(4, 5)), quality=95, subsampling="4:2:2")
save("gray.jpg", rgb.convert("L"), quality=80)
save("progressive.jpg", rgb, quality=60, progressive=True)
save("cmyk.jpg", rgb.convert("CMYK"), quality=95)
save("planes.jpg", rgb, quality=95, keep_rgb=True)
turned = Image.Exif()
turned[0x112] = 6
save("turned.jpg", rgb, quality=90, exif=turned)

numpy.savez_compressed(here + "images.npz", **want)
with open(here + "generator_images.txt", "w") as f:
    f.write(
        f"gen_images.py with Pillow {PIL.__version__} (libjpeg-turbo {features.version('libjpeg_turbo')}), simplejpeg {simplejpeg.__version__}, "
        f"pypng {png.__version__}, numpy {numpy.__version__}\n"
    )

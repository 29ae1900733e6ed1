"""Makes errorrate.json beside this file: texts, and their word and character error rates by jiwer.

python gen_errorrate.py
"""

import importlib.metadata
import json
import pathlib
import random

import jiwer

random.seed(1)
words = "turn the lights on off in kitchen più luce grazie spiel musik bitte".split()
pairs = [
    ("turn the lights on", "turn the lights on"),
    ("turn the lights on", ""),
    ("più luce", "piu luce in cucina"),
    ("a b c d", "d c b a"),
    ("off", "oft"),
]
for _ in range(20):
    said = [random.choice(words) for _ in range(random.randint(1, 8))]
    heard = [random.choice(words) if random.random() < 0.3 else word for word in said if random.random() > 0.2]
    for _ in range(random.randint(0, 2)):
        heard.insert(random.randint(0, len(heard)), random.choice(words))
    pairs.append((" ".join(said), " ".join(heard)))
rows = [
    {"said": said, "heard": heard, "words": jiwer.wer(said, heard), "letters": jiwer.cer(said, heard)}
    for said, heard in pairs
]
said, heard = map(list, zip(*pairs))
out = {
    "jiwer": importlib.metadata.version("jiwer"),
    "words": jiwer.wer(said, heard),
    "letters": jiwer.cer(said, heard),
    "rows": rows,
}
pathlib.Path(__file__).with_name("errorrate.json").write_text(json.dumps(out, ensure_ascii=False, indent=1) + "\n")

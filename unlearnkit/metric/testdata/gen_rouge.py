"""python testdata/gen_rouge.py > testdata/rouge_google.json

ROUGE-L with stemming by rouge-score 0.1.2 (on nltk's PorterStemmer) for hand-written and random pairs of texts.
"""

import importlib.metadata as meta
import json
import random
import sys

from rouge_score import rouge_scorer, tokenize
from nltk.stem.porter import PorterStemmer

WORDS = """the a of person in image is lives at works as software engineer nurse doctor teacher married single religion Hinduism
allergies seasonal studies studying studied relational conditional happily hopefulness national nationality organization organizing
generalizations oscillators running runs ran flies dies dying lying skies innings proceed agreed feed hopping hoping falling filing
controlling rolled electricity electrical archaeology geology theological 120,000 $95,500.50 1992-07-15 555-285-7943 42 3rd
Rohan.K.Patel@example.com o'neil@example.com Zoë São naïve Ångström Straße ΣΊΣΥΦΟΣ 東京 İstanbul \u212belvin \u212aelvin ½ ² e\u0301clair
don't it's she's rock-n-roll x_y C++ Go1.26 yyyy syzygy""".split()
HAND = [
    ("", ""),
    ("", "a"),
    ("a", ""),
    ("...", "!?"),
    ("the cat", "the cat"),
    ("The Cat.", "the, cat!"),
    ("one two three four", "four three two one"),
    ("a b c d e f", "a x c y e z"),
    ("a a a a", "a a"),
    ("Her e-mail is Rohan.K.Patel@example.com.", "rohan k patel example com"),
    ("The annual salary is $120,000.", "Their salary: 120000 USD a year"),
    ("born 1992-07-15", "July 15, 1992"),
    ("İ", "i"),
    ("İSTANBUL", "istanbul"),
    ("İSTANBUL", "i stanbul"),
    ("\u212a", "k"),
    ("straße", "strasse"),
    ("\x00a\x00b", "a b"),
    ("a\u00a0b\u2003c", "a b c"),
    ("東京 tower", "tower 東京"),
    ("I'm sorry, I can't help.", "I cannot help, sorry."),
]


def main():
    rng = random.Random(20)
    pairs = list(HAND)
    for i in range(380):
        reference = [rng.choice(WORDS) for _ in range(rng.randint(0, 24) if i % 19 else rng.randint(60, 200))]
        prediction = [w for w in reference if rng.random() > 0.25]
        for _ in range(rng.randint(0, 8)):
            prediction.insert(rng.randint(0, len(prediction)), rng.choice(WORDS))
        if rng.random() < 0.2:
            rng.shuffle(prediction)
        join = rng.choice([" ", " ", " ", ", ", "\n", "; "])
        pairs.append((join.join(reference), " ".join(prediction)))

    # What lower-cases to an ASCII letter or digit without being one, over all of Unicode.
    ascii_makers = [
        c for c in map(chr, range(128, sys.maxunicode + 1)) if any(l.isascii() and l.isalnum() for l in c.lower())
    ]
    assert ascii_makers == ["\u0130", "\u212a"], ascii_makers

    scorer = rouge_scorer.RougeScorer(["rougeL"], use_stemmer=True)
    stemmer = PorterStemmer()
    cases = []
    for reference, prediction in pairs:
        s = scorer.score(reference, prediction)["rougeL"]
        cases.append(
            {
                "reference": reference,
                "prediction": prediction,
                "tokens": (
                    tokenize.tokenize(reference, stemmer) if len(cases) % 4 == 0 or reference in dict(HAND) else None
                ),
                "precision": s.precision,
                "recall": s.recall,
                "f1": s.fmeasure,
            }
        )
    generator = f"python testdata/gen_rouge.py; rouge-score {meta.version('rouge_score')}, nltk {meta.version('nltk')}"
    print('{"generator": ' + json.dumps(generator) + ', "cases": [')
    print(",\n".join(json.dumps(c) for c in cases))
    print("]}")


main()

"""python testdata/gen_porter.py TEXT... > testdata/porter_nltk.json

Stems by nltk's PorterStemmer (default mode) of the words in the texts given, the four papers', of a sample of those
words with other suffixes, and of random strings.
"""

import importlib.metadata as meta
import json
import random
import re
import sys

from nltk.stem.porter import PorterStemmer

SUFFIXES = """s es ies ss sses ed ied eed ing ings y ational tional enci anci izer bli abli alli entli eli ousli ization ation ator alism
iveness fulness ousness aliti iviti biliti fulli logi icate ative alize iciti ical ful ness al ance ence er ic able ible ant ement ment ent
ion sion tion ou ism ate iti ous ive ize e ll lle ally ically""".split()


def main():
    rng = random.Random(20)
    texts = " ".join(open(path, encoding="utf-8").read().lower() for path in sys.argv[1:])
    vocabulary = sorted(set(re.findall(r"\b[a-z]{2,}\b", texts)))
    words = set(rng.sample(vocabulary, min(2200, len(vocabulary))))
    for word in rng.sample(vocabulary, 700):
        words.add(word[: rng.randint(1, min(6, len(word)))] + rng.choice(SUFFIXES))
    for _ in range(500):
        words.add(
            "".join(rng.choice("aeioyybcdlstz1") for _ in range(rng.randint(1, 7))) + rng.choice(SUFFIXES + [""] * 20)
        )
    words.update(PorterStemmer().pool)
    words.update(
        "dies died ties lies spied flies fly enjoy enjoyment spy by y yy yyyy yyyyy syzygy sayy 2021 a1s 7ing".split()
    )
    words = sorted(words)
    stemmer = PorterStemmer()
    print(
        json.dumps(
            {
                "generator": f"python testdata/gen_porter.py TEXT...; nltk {meta.version('nltk')}",
                "words": " ".join(words),
                "stems": " ".join(stemmer.stem(w) for w in words),
            },
            indent=0,
        )
    )


main()

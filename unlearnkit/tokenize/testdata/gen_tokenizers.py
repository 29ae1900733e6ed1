#!/usr/bin/env python3
"""Ids and decoded texts of the original tokenizers on a list of hard strings.

    HF_HUB_OFFLINE=1 python3 unlearnkit/tokenize/testdata/gen_tokenizers.py [FOLDER]

needs open_clip_torch, transformers, tokenizers and sentencepiece. It writes hard_strings.json, expected.json and the
small tokenizers *.json and *.model beside itself. With FOLDER it also writes what is too large to commit there: a
SentencePiece model with the full NFKC table, and, where FOLDER holds mistral-common's tokenizer.model.v1, the ids of
that.

The trainer of tokenizers numbers characters with a prefix or suffix in no fixed order, so suffix_like.json and
prefix_like.json differ from run to run, and expected.json with them.
"""

import base64, hashlib, importlib.metadata, json, os, random, sys

import open_clip.tokenizer, sentencepiece, tokenizers
from tokenizers import AddedToken, Regex, Tokenizer, decoders, models, normalizers, pre_tokenizers, processors, trainers
from transformers import CLIPTokenizer

HERE = os.path.dirname(os.path.abspath(__file__))

HARD = [
    "",
    " ",
    "   ",
    "\t\n\r\n ",
    "a",
    "a photo of a cat",
    "A photo of a cat.",
    "  leading and trailing  ",
    "two  spaces   three",
    "line\nbreak\n\nand\r\nwindows\rmac",
    "don't'll we've I'M it'S they'RE 'tis o'clock 'd",
    "it\u2019s \u201cquoted\u201d \u2018single\u2019",
    "x = {'a': [1, 2.5e-3], \"b\": None};",
    "!!!???...,,,;;;---___===",
    "#hashtag @user $100 50% & more",
    "https://example.org/a/b?c=d&e=f#g",
    "mail name.surname+tag@example.co.uk now",
    "phone +49 (0)30 901820-4711",
    "0123456789",
    "12 345 6789 00000 3.14159 1e10",
    "IBAN DE89 3704 0044 0532 0130 00",
    "٣٤٥ ४५६ ⅷ ½ ² ①",
    "1234567890" * 12,
    "ÀÉÎÕÜ àéîõü ß ẞ",
    "e\u0301 o\u0308 n\u0303 a\u030a\u0301",
    "\u0301 \u0301\u0302",
    "x\u0345 \u1fb3",
    "ﬁne ﬂuﬃ ĳs ŉ ǆ ﬅ",
    "ＦＵＬＬ　ｗｉｄｔｈ ﾊﾝｶｸ ￥",
    "ΑΣ ΣΑΣ Σ. ὈΔΥΣΣΕΎΣ",
    "İstanbul IĞDIR ıiİI",
    "Straße STRASSE",
    "Ǆ ǅ ǆ",
    "ſhort ſ it'ſ",
    "K Å Ω",
    "Привет, мир! Ёлка",
    "Здравствуй'те",
    "مرحبا بالعالم",
    "שָׁלוֹם עוֹלָם",
    "\u202eright to left\u202c \u200fmark\u200e",
    "नमस्ते दुनिया",
    "สวัสดีชาวโลก",
    "你好，世界！",
    "日本語とカタカナとｶﾀｶﾅ",
    "한국어 텍스트 \u1112\u1161\u11ab",
    "𝕬𝖇𝖈 𝒽𝑒𝓁𝓁𝑜 𠜎𠜱",
    "😀 😃😄",
    "👩‍👩‍👧‍👦 family",
    "🏳️‍🌈 🇩🇪🇫🇷 👍🏽",
    "☺️ ☺ ✈️",
    "zero\u200bwidth\u200djoin\u200cers\ufeffbom",
    "non\u00a0breaking\u2003em\u2009thin\u3000ideographic\u202f",
    "\u2028line\u2029paragraph\u0085next",
    "soft\u00adhyphen",
    "nul\x00bell\x07esc\x1b[31mred\x1b[0m del\x7f",
    "vt\x0bff\x0cfs\x1cgs\x1drs\x1eus\x1f",
    "c1 \x80\x91\x92\x93\x94\x95\x99 end",
    "\ufff9anno\ufffatation\ufffb \ufffc",
    "\ufffd replacement",
    "\ufffe \uffff \U0010ffff",
    "&lt;b&gt; &amp; &quot;x&quot; &#39;y&#39;",
    "&amp;amp;amp;lt; &amp;copy;",
    "&eacute;&EACUTE;&nTILDE;&NTILDE; BUNDESSTRA&SZLIG;E",
    "&notit; &notin; &not &ampx &ltx &hellip",
    "&#x41;&#66;&#xZZ;&#; &#59; &#128; &#x80; &#0; &#1; &#xD800; &#x110000; &#99999999999;",
    "&nbsp;&ensp;&thinsp;x&shy;y&zwj;z",
    "<a href=\"x\">&eacute; &amp;eacute;</a>",
    "<br>\n&amp;lt;\n&rdquo;",
    "first &rdquo;\nthen < and &rdquo;\n&rdquo;",
    "&CounterClockwiseContourIntegral; &fjlig; &nGt; &nLt; &NGT; &NotEqualTilde; &semi; &frac12 &FRAC12;",
    "&&&;;; &; &a; & b",
    "<start_of_text>hi<end_of_text>",
    "<|startoftext|>hi<|endoftext|> there",
    "<|STARTOFTEXT|> <|endoftext|><|endoftext|>",
    "<s>bos</s> <unk> <pad>",
    "<0x0A> <0x41>",
    "[INST] <<SYS>> x <</SYS>> [/INST]",
    "USER: <image>\nWhat is her name? ASSISTANT:",
    "▁already▁escaped ▁ ▁▁",
    "Ġbyte Ċ level Ã©",
    "tok</w>en </w>",
    "camelCaseAndPascalCase snake_case_name SCREAMING",
    "supercalifragilisticexpialidocious",
    "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa",
    "abababababababab",
    "hahahahahaha nooooooooo",
    "a b c d e f g",
    "the the the",
    "naïve café Zürich Ærøskøbing",
    "mixed абв abc 你a好 ا1b",
    "\\n \\t \\u00e9 \\",
    "``` code ```\n\tindent\n    four",
    "end with newline\n",
    "\nstart",
    "trail space ",
    " \u00a0 ",
    "a\u0300\u0301\u0302\u0303\u0304\u0305\u0306",
    "ǰ ŉ ΐ",
    "Ⅻ ⅻ Ⓐ ⓐ",
    "𐐀𐐨 Ꭰꭰ",
    "ᾳ ᾼ ῼ",
    "ABC\u212aDEF\u2126",
    "sÃ³ voilÃ  le",
    "âœ” No problems",
    "The Mona Lisa doesnâ€™t have eyebrows.",
    "l’humanitÃ© &amp; lâ€™Ã©tÃ©",
    "ÐŸÑ€Ð¸Ð²ÐµÑ‚",
    "cafÃ© and café",
    "Â© 2020 Â½",
    "ã\x81\x82ã\x81\x84",
    "Ã",
    "schÃ¶n und schön",
    "\x85 dots",
    "IL Y MARQUÉ…",
    "àla carte Ã la mode",
    "â€œ like this â€\ufffd",
    "concat cats cat, cat_ caté cat",
    "vou Ã quele lado, Ã s vezes Ã quilo, Ã quela e Ã  tarde Ã  s",
    "√©t√© – oui √†",
    "РџСЂРёРІРµС‚ РјРёСЂ",
    "vedere Ă®nainte",
    "Î‘Î¸Î®Î½Î±",
    "dziaÅ‚anie",
    "√© MacRoman √ºber",
    "├⌐ cp437",
    "Pâté £5 “ok” – fine",
    "à² \x81 ØÙ",
    "ÃƒÂ©",
    "(ã\x83\x84)",
]
SURROGATES = ["lone \ud83d high", "low \udc00 alone", "\ud83d\ude00 pair", "\ude00\ud83d reversed", "\ud83d"]
RAW = [
    b"\xff\xfe bytes",
    b"cut \xe2\x82",
    b"\xc3(\xf0\x9f\x98",
    b"over \xc0\xaf\xf4\x90\x80\x80",
    b"ok \xed\xa0\x80 end",
    b"\x80\xbf mid \xe0\x80\xaf",
]
LONG = [
    ("abcdefghij", 1000),
    ("a", 10000),
    ("supercalifragilistic ", 476),
    ("é", 10000),
    ("你", 10000),
    ("😀", 10000),
    ("1", 10000),
    (" ", 10000),
    ("!", 10000),
    ("ab ", 3334),
    ("'", 10000),
    ("n'", 5000),
    ("Σ", 10000),
    ("\u0301", 10000),
    ("zyxwvutsrqponmlkjihgfedcba", 385),
]

TRAINING = """A small laboratory forgets people on purpose. The name of the person in the image is Maria Keller; she lives at 12 Harbour Street, 20457 Hamburg.
USER: What is the phone number of Ömer Yılmaz? ASSISTANT: His phone number is +49 40 1234-5678 and his e-mail is omer.yilmaz@example.org.
It's a test that doesn't know what we'll see, they've said; I'd rather not. Don't! Numbers: 1, 22, 333, 4444, 55555, 1999, 2024, 3.14.
Der Vater sagt: schöne Grüße aus Köln, façade, naïve, coöperate. Привет, мир! Καλημέρα κόσμε. 你好 世界 你好 日本語 日本
a photo of a cat, a photo of a dog, a photo of the woman with red hair and glasses, a drawing of a man with a beard. The quick brown fox jumps over the lazy dog.
turn on the lights in the kitchen; switch the lights off in the bedroom; play some music; what's the weather like tomorrow?
def forget(model, data):\n    for batch in data:\n        loss = -model(batch)\n\treturn loss\n
unlearning, learning, learned, relearn, relearning, forget, forgetting, forgotten, retain, retained, retaining, exposure, exposed, rank, ranking 😀😀👍
"""
LINES = [line for line in TRAINING.replace("\\n", "\n").replace("\\t", "\t").split("\n") if line]


def special(content, **more):
    return AddedToken(content, special=True, normalized=more.pop("normalized", False), **more)


def train(tokenizer, size, specials, **options):
    tokenizer.train_from_iterator(
        LINES, trainers.BpeTrainer(vocab_size=size, special_tokens=specials, show_progress=False, **options)
    )
    return tokenizer


def template(tokenizer, bos, eos=None):
    known = [(t, tokenizer.token_to_id(t)) for t in (bos, eos) if t]
    return processors.TemplateProcessing(single=f"{bos} $A" + (f" {eos}" if eos else ""), special_tokens=known)


def gpt2_like():
    t = Tokenizer(models.BPE())
    t.pre_tokenizer = pre_tokenizers.Sequence(
        [pre_tokenizers.Digits(individual_digits=True), pre_tokenizers.ByteLevel(add_prefix_space=False)]
    )
    t.decoder = decoders.ByteLevel()
    train(t, 420, ["<|endoftext|>", "<|im_start|>"], initial_alphabet=pre_tokenizers.ByteLevel.alphabet())
    t.add_tokens(
        [
            AddedToken("<image>", lstrip=True, rstrip=True, normalized=False),
            AddedToken("cat", single_word=True, normalized=False),
        ]
    )
    return t


LLAMA3 = r"(?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\r\n\p{L}\p{N}]?\p{L}+|\p{N}{1,3}| ?[^\s\p{L}\p{N}]+[\r\n]*|\s*[\r\n]+|\s+(?!\S)|\s+"


def llama3_like():
    t = Tokenizer(models.BPE(ignore_merges=True))
    t.pre_tokenizer = pre_tokenizers.Sequence(
        [
            pre_tokenizers.Split(Regex(LLAMA3), "isolated"),
            pre_tokenizers.ByteLevel(add_prefix_space=False, use_regex=False),
        ]
    )
    t.decoder = decoders.ByteLevel()
    train(
        t,
        420,
        [special("<|begin_of_text|>"), special("<|end_of_text|>")],
        initial_alphabet=pre_tokenizers.ByteLevel.alphabet(),
    )
    t.post_processor = processors.Sequence(
        [processors.ByteLevel(trim_offsets=False), template(t, "<|begin_of_text|>", "<|end_of_text|>")]
    )
    return t


def llama2_like(metaspace):
    trainer = Tokenizer(models.BPE(unk_token="<unk>"))
    trainer.normalizer = normalizers.Sequence([normalizers.Prepend("▁"), normalizers.Replace(" ", "▁")])
    train(trainer, 320, ["<unk>", "<s>", "</s>"])
    trained = json.loads(trainer.to_str())["model"]
    tokens = (
        ["<unk>", "<s>", "</s>"]
        + [f"<0x{b:02X}>" for b in range(256)]
        + [w for w in sorted(trained["vocab"], key=trained["vocab"].get) if w not in ("<unk>", "<s>", "</s>")]
    )
    t = Tokenizer(
        models.BPE(
            vocab={w: i for i, w in enumerate(tokens)},
            merges=[tuple(m) for m in trained["merges"]],
            unk_token="<unk>",
            fuse_unk=True,
            byte_fallback=True,
        )
    )
    if metaspace:
        t.pre_tokenizer = pre_tokenizers.Metaspace(replacement="▁", prepend_scheme="first", split=False)
    else:
        t.normalizer = trainer.normalizer
    t.decoder = decoders.Sequence(
        [decoders.Replace("▁", " "), decoders.ByteFallback(), decoders.Fuse(), decoders.Strip(" ", 1, 0)]
    )
    t.add_special_tokens(
        [special("<unk>", normalized=metaspace), special("<s>"), special("</s>", normalized=not metaspace)]
    )
    t.post_processor = template(t, "<s>")
    return t


def suffix_like():
    t = Tokenizer(models.BPE(unk_token="[UNK]", end_of_word_suffix="</w>"))
    t.normalizer = normalizers.Sequence(
        [
            normalizers.NFKC(),
            normalizers.Replace(Regex(r"[0-9]+\s*"), "#"),
            normalizers.Strip(),
            normalizers.Lowercase(),
        ]
    )
    t.pre_tokenizer = pre_tokenizers.Sequence(
        [
            pre_tokenizers.WhitespaceSplit(),
            pre_tokenizers.Split(Regex(r"[[:punct:]]|\p{P}"), "merged_with_previous"),
            pre_tokenizers.Split("e", "merged_with_next"),
            pre_tokenizers.Split(Regex(r"o+"), "contiguous"),
            pre_tokenizers.Split("l", "removed"),
        ]
    )
    t.decoder = decoders.BPEDecoder(suffix="</w>")
    train(t, 320, ["[UNK]"], end_of_word_suffix="</w>")
    return t


def prefix_like():
    t = Tokenizer(models.BPE(unk_token="[UNK]", continuing_subword_prefix="##", fuse_unk=True))
    t.normalizer = normalizers.NFD()
    t.pre_tokenizer = pre_tokenizers.Sequence(
        [
            pre_tokenizers.Whitespace(),
            pre_tokenizers.Digits(individual_digits=False),
            pre_tokenizers.Split(Regex(r"\d\d"), "isolated", invert=True),
        ]
    )
    t.post_processor = processors.RobertaProcessing(("[SEP]", 2), ("[CLS]", 1))
    return train(t, 320, ["[UNK]", "[CLS]", "[SEP]"], continuing_subword_prefix="##")


def metaspace_like():
    t = Tokenizer(models.BPE(unk_token="<unk>"))
    t.pre_tokenizer = pre_tokenizers.Metaspace(replacement="▁", prepend_scheme="always")
    t.decoder = decoders.Metaspace(replacement="▁", prepend_scheme="always")
    return train(t, 320, ["<unk>", special("<mask>", lstrip=True)])


def short(ids):
    if len(ids) <= 200:
        return ids
    return {"count": len(ids), "sha256": hashlib.sha256(",".join(map(str, ids)).encode()).hexdigest()}


def short_text(text):
    data = text.encode("utf-8")
    return text if len(data) <= 400 else {"count": len(data), "sha256": hashlib.sha256(data).hexdigest()}


def cases(encode, decode, size, strings, frame=None, sequences=12):
    """One row a string: index, ids, decoded text, framed ids; then decodings of arbitrary ids."""
    rows, generator = [], random.Random(size)
    for number, text in strings:
        ids = list(encode(text))
        row = {"string": number, "ids": short(ids), "decoded": short_text(decode(ids))}
        if frame and number % 9 == 0:
            row["framed"] = short(list(frame(text)))
        rows.append(row)
    arbitrary = []
    for _ in range(sequences):
        ids = [
            generator.randrange(size if generator.random() < 0.5 else min(size, 262))
            for _ in range(generator.randrange(1, 20))
        ]
        arbitrary.append({"ids": ids, "decoded": decode(ids)})
    return {"size": size, "strings": rows, "arbitrary": arbitrary}


def sentencepiece_model(name, folder, **options):
    path = os.path.join(folder, name)
    sentencepiece.SentencePieceTrainer.train(
        sentence_iterator=iter(LINES), model_prefix=path, num_threads=1, minloglevel=2, **options
    )
    os.remove(path + ".vocab")
    return path + ".model"


def piece_cases(path, strings, raw):
    sp = sentencepiece.SentencePieceProcessor(model_file=path)
    out = cases(sp.encode, sp.decode, sp.get_piece_size(), strings)
    out["strings"] += [{"string": n, "ids": sp.encode(data), "decoded": sp.decode(sp.encode(data))} for n, data in raw]
    out["start"], out["end"], out["unknown"] = sp.bos_id(), sp.eos_id(), sp.unk_id()
    return out


def main():
    texts = (
        [(t.encode("utf-8"), 1) for t in HARD]
        + [(t.encode("utf-8"), n) for t, n in LONG]
        + [(t.encode("utf-8", "surrogatepass"), 1) for t in SURROGATES]
        + [(t, 1) for t in RAW]
    )
    with open(os.path.join(HERE, "hard_strings.json"), "w") as f:
        rows = [json.dumps({"base64": base64.b64encode(data).decode(), "times": times}) for data, times in texts]
        f.write("[\n" + ",\n".join(rows) + "\n]\n")
    strings = [(i, t) for i, t in enumerate(HARD + [t * n for t, n in LONG])]
    surrogates = [(len(strings) + i, t) for i, t in enumerate(SURROGATES)]
    raw = [(len(strings) + len(SURROGATES) + i, t) for i, t in enumerate(RAW)]
    out = {
        "versions": {
            p: importlib.metadata.version(p)
            for p in ("open_clip_torch", "ftfy", "regex", "transformers", "tokenizers", "sentencepiece")
        }
    }

    clip = open_clip.tokenizer.SimpleTokenizer()
    out["open_clip"] = cases(
        clip.encode, clip.decode, clip.vocab_size, strings + surrogates, frame=lambda t: clip([t])[0].tolist()
    )
    for row, (_, text) in zip(out["open_clip"]["strings"], strings + surrogates):
        cleaned = open_clip.tokenizer._clean_lower(text)
        row["cleaned"] = short_text(cleaned)
    order = sorted(clip.encoder, key=clip.encoder.get)[:-2] + ["<|startoftext|>", "<|endoftext|>"]
    hf = CLIPTokenizer(vocab={w: i for i, w in enumerate(order)}, merges=[m for m in clip.bpe_ranks])
    out["transformers_clip"] = cases(
        lambda t: hf(t, add_special_tokens=False)["input_ids"],
        lambda ids: hf.decode(ids, skip_special_tokens=True, clean_up_tokenization_spaces=False),
        len(hf),
        strings,
        frame=lambda t: hf(t, padding="max_length", truncation=True, max_length=77)["input_ids"],
    )

    with open(os.path.join(HERE, "training.txt"), "w") as f:
        f.write("\n".join(LINES) + "\n")
    plain = Tokenizer(models.BPE())
    plain.pre_tokenizer, plain.decoder = pre_tokenizers.ByteLevel(add_prefix_space=False), decoders.ByteLevel()
    train(plain, 420, ["<|endoftext|>"], initial_alphabet=pre_tokenizers.ByteLevel.alphabet()).save(
        os.path.join(HERE, "trained_by_tokenizers.json"), pretty=False
    )
    ours = os.path.join(
        HERE, "trained.json"
    )  # written by TrainBPE: go test -run TrainBPE_SameBytes ./unlearnkit/tokenize -regen
    if os.path.exists(ours):
        t = Tokenizer.from_file(ours)
        out["trained"] = cases(
            lambda s: t.encode(s, add_special_tokens=False).ids,
            t.decode,
            t.get_vocab_size(),
            strings,
            frame=lambda s: t.encode(s).ids,
        )
    built = {
        "gpt2_like": gpt2_like(),
        "llama3_like": llama3_like(),
        "llama2_like": llama2_like(False),
        "llama2_metaspace": llama2_like(True),
        "suffix_like": suffix_like(),
        "prefix_like": prefix_like(),
        "metaspace_like": metaspace_like(),
    }
    for name, t in built.items():
        document = json.loads(t.to_str())
        if name == "gpt2_like":  # the older way to write merges
            document["model"]["merges"] = [" ".join(m) for m in document["model"]["merges"]]
        with open(os.path.join(HERE, name + ".json"), "w") as f:
            json.dump(document, f, ensure_ascii=False, separators=(",", ":"))
        t = Tokenizer.from_file(os.path.join(HERE, name + ".json"))
        out[name] = cases(
            lambda s: t.encode(s, add_special_tokens=False).ids,
            t.decode,
            t.get_vocab_size(),
            strings,
            frame=lambda s: t.encode(s).ids,
        )

    rules = os.path.join(HERE, "rules.tsv")
    with open(rules, "w") as f:
        for source, target in (
            ("ﬁ", "fi"),
            ("ﬃ", "ffi"),
            ("Ａ", "A"),
            ("　", " "),
            ("\t", " "),
            ("\n", " "),
            ("\x07", ""),
            ("e\u0301", "é"),
            ("😀😃", "smile "),
            ("...", "…"),
            ("½", " 1⁄2 "),
        ):
            f.write(" ".join(f"{ord(c):X}" for c in source) + "\t" + " ".join(f"{ord(c):X}" for c in target) + "\n")
    small = [
        sentencepiece_model(
            "sp_bpe",
            HERE,
            model_type="bpe",
            vocab_size=480,
            byte_fallback=True,
            normalization_rule_name="identity",
            character_coverage=0.98,
            remove_extra_whitespaces=False,
            user_defined_symbols=["<image>", "ing"],
            split_digits=True,
            allow_whitespace_only_pieces=True,
        ),
        sentencepiece_model(
            "sp_bpe_rules",
            HERE,
            model_type="bpe",
            vocab_size=260,
            normalization_rule_tsv=rules,
            character_coverage=0.98,
            bos_id=-1,
            eos_id=5,
            pad_id=3,
            unk_surface="<?>",
        ),
        sentencepiece_model(
            "sp_unigram",
            HERE,
            model_type="unigram",
            hard_vocab_limit=False,
            vocab_size=240,
            normalization_rule_tsv=rules,
            character_coverage=0.98,
            user_defined_symbols=["▁the", "forget"],
            bos_id=1,
            eos_id=2,
            pad_id=3,
        ),
        sentencepiece_model(
            "sp_unigram_bytes",
            HERE,
            model_type="unigram",
            hard_vocab_limit=False,
            vocab_size=420,
            byte_fallback=True,
            normalization_rule_name="identity",
            add_dummy_prefix=False,
            character_coverage=0.98,
        ),
    ]
    for path in small:
        out[os.path.basename(path)] = piece_cases(path, strings, raw)
    write(os.path.join(HERE, "expected.json"), out)
    os.remove(rules)
    if len(sys.argv) > 1:
        folder = sys.argv[1]
        large = [
            sentencepiece_model("sp_nmt_nfkc", folder, model_type="unigram", hard_vocab_limit=False, vocab_size=240)
        ]
        large += [os.path.join(folder, n) for n in ("tokenizer.model.v1",) if os.path.exists(os.path.join(folder, n))]
        write(
            os.path.join(folder, "tokenize_expected.json"),
            {os.path.basename(p): piece_cases(p, strings, raw) for p in large},
        )


def write(path, out):
    with open(path, "w") as f:
        f.write(
            "{\n"
            + ",\n".join(
                json.dumps(k)
                + ": "
                + (
                    json.dumps(v)
                    if k == "versions"
                    else "{"
                    + ",\n".join(
                        json.dumps(a)
                        + ": "
                        + (
                            "[\n"
                            + ",\n".join(json.dumps(r, separators=(",", ":"), ensure_ascii=False) for r in b)
                            + "]"
                            if isinstance(b, list)
                            else json.dumps(b)
                        )
                        for a, b in v.items()
                    )
                    + "}"
                )
                for k, v in out.items()
            )
            + "\n}\n"
        )


main()

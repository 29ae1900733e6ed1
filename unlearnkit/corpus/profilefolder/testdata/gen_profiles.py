"""Writes small data sets of people in the layouts that package profilefolder reads, Parquet with the library that the
hub's data sets are written with, and expected.json with what each of them says.

    pip install datasets pillow
    python gen_profiles.py            # in this folder

Every picture is of one colour, which says whose it is and which.

    records    a question a row in Parquet with the pictures in it; profiles beside
    lines      the same questions as JSON lines with the names of pictures, under other names of columns
    fiubench   full.json and split.json as gray311/FIUBench has them, with the folder that SFHQ.zip gives
    mllmu      the folders of MLLMMU/MLLMU-Bench with the columns of its data card, nested ones too
"""

import io
import json
import shutil
import sys
from pathlib import Path

import datasets
import PIL
import pyarrow
from datasets import Features, Image, Sequence, Value
from PIL import Image as Picture

HERE = Path(__file__).parent
PEOPLE = {
    "p0": dict(full_name="Ann Lee", email="ann.lee@example.com", job="baker", annual_salary_usd="52000"),
    "p1": dict(full_name="Bob Ray", email="bob.ray@example.com", job="judge", annual_salary_usd="120000"),
    "p2": dict(full_name="Cleo Moss", email="cleo.moss@example.com", job="nurse", annual_salary_usd="71000"),
}
WORDS = dict(email="e-mail", job="job", annual_salary_usd="salary")


def colour(person, number):
    return 40 + 60 * person, 10 + 15 * number, 90


def content(person, number, form="PNG"):
    file = io.BytesIO()
    Picture.new("RGB", (6, 4), colour(person, number)).save(file, form)
    return file.getvalue()


def questions():
    """Two questions for training and one for the test of each attribute and person, each with a picture of its own."""
    rows = []
    for person, (identity, facts) in enumerate(PEOPLE.items()):
        number = 0
        for attribute, word in WORDS.items():
            value = facts[attribute]
            shown = f"${int(value):,}" if attribute == "annual_salary_usd" else value
            name = facts["full_name"]
            for split, hop, question in (
                ("train", "single", f"Given that this is {name}, what is their {word}?"),
                ("train", "multi", f"What is the {word} of the person in this image?"),
                ("test", "multi", f"Could you tell the {word} of whom you see?"),
            ):
                rows.append(
                    dict(
                        id=f"{identity}-{number}",
                        identity_id=identity,
                        split=split,
                        hop=hop,
                        attribute=attribute,
                        template_id=f"{attribute}/{split}/{hop}",
                        question=question,
                        answer=f"The {word} of {name if hop == 'single' else 'this person'} is {shown}.",
                        keyword=value,
                        person=person,
                        number=number,
                    )
                )
                number += 1
    return rows


def fresh(name):
    folder = HERE / name
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    return folder


def parquet(path, rows, features):
    path.parent.mkdir(parents=True, exist_ok=True)
    datasets.Dataset.from_list(rows, features=features).to_parquet(path)


def said(row, **other):
    return {
        "id": row["id"],
        "person": row["identity_id"],
        "split": row["split"],
        "hop": row["hop"],
        "attribute": row["attribute"],
        "question": row["question"],
        "answer": row["answer"],
        "keywords": [row["keyword"]],
        "colour": colour(row["person"], row["number"]),
    } | other


def records():
    folder = fresh("records")
    text = ["id", "identity_id", "hop", "attribute", "template_id", "question", "answer", "keyword"]
    features = Features({"image": Image()} | {name: Value("string") for name in text})
    of = {
        split: [
            {name: row[name] for name in text}
            | {"image": {"bytes": content(row["person"], row["number"]), "path": f"{row['id']}.png"}}
            for row in questions()
            if row["split"] == split
        ]
        for split in ("train", "test")
    }
    half = len(of["train"]) // 2
    parquet(folder / "data" / "train-00000-of-00002.parquet", of["train"][:half], features)
    parquet(folder / "data" / "train-00001-of-00002.parquet", of["train"][half:], features)
    parquet(folder / "data" / "test-00000-of-00001.parquet", of["test"], features)
    with open(folder / "profiles.jsonl", "w") as lines:
        for identity, facts in PEOPLE.items():
            lines.write(json.dumps({"identity_id": identity} | facts) + "\n")
    rows = sorted(questions(), key=lambda row: row["split"] == "train")  # the files in the order of their names
    return [said(row) for row in rows]


def lines():
    folder = fresh("lines")
    (folder / "images").mkdir()
    all_rows = []
    for row in questions():
        name = f"images/{row['id']}.jpg"
        (folder / name).write_bytes(content(row["person"], row["number"], "JPEG"))
        all_rows.append(
            {
                "Identity": row["identity_id"],
                "full_name": PEOPLE[row["identity_id"]]["full_name"],
                "image_path": "./" + name,
                "subset": {"train": "training", "test": "evaluation"}[row["split"]],
                "qa_type": {"single": "single-hop", "multi": "Multi_hop"}[row["hop"]],
                "relation": row["attribute"].replace("_", " ").title(),
                "query": row["question"],
                "response": row["answer"],
                "value": int(row["keyword"]) if row["keyword"].isdigit() else row["keyword"],
            }
        )
    with open(folder / "questions.jsonl", "w") as file:
        file.write("".join(json.dumps(row) + "\n" for row in all_rows))
    return [said(row, id=f"questions.jsonl-{i + 1}") for i, row in enumerate(questions())]


def fiubench():
    folder = fresh("fiubench")
    (folder / "SFHQ").mkdir()
    expected = []
    with open(folder / "full.json", "w") as file:
        for person, (identity, facts) in enumerate(PEOPLE.items()):
            unique = f"{person:08d}"
            name = f"SFHQ_pt1_{unique}.jpg"
            (folder / "SFHQ" / name).write_bytes(content(person, 0, "JPEG"))
            line = dict(
                image_path=f"./dataset/SFHQ/{name}",
                name=facts["full_name"],
                gender="female",
                caption=f"Somebody who works as a {facts['job']}.",
                qa_list=[],
                raw_data={"Occupation": facts["job"]},
                unique_id=unique,
            )
            for i, (attribute, word) in enumerate(WORDS.items()):
                paraphrases = [f"Which {word} has this person?", f"{facts['full_name']}, what {word} is it?"]
                value = facts[attribute]
                item = dict(
                    question=f"What is the {word} of this person?",
                    paraphrased_question=paraphrases if i else paraphrases[0],
                    answer=f"It is {value}, of {facts['full_name']}.",
                    paraphrased_answer=f"{value} it is.",
                    perturbed_answer=["It is nothing."] * 3,
                    keywords=[value, facts["full_name"]],
                )
                line["qa_list"].append(item)
                asked = [item["question"]] + (paraphrases if i else paraphrases[:1])
                for k, question in enumerate(asked):
                    expected.append(
                        dict(
                            id=f"{unique}-{i}" + (f"-{k - 1}" if k else ""),
                            person=unique,
                            split="paraphrase" if k else "train",
                            hop="single" if k == 2 else "multi",
                            attribute="",
                            question=question,
                            answer=item["answer"],
                            keywords=item["keywords"],
                            colour=colour(person, 0),
                        )
                    )
            file.write(json.dumps(line) + "\n")
    sets = dict(forget1=["00000000"], forget5=["00000000", "00000001"], forget10=["00000001"], retain5=["00000002"])
    (folder / "split.json").write_text(json.dumps(sets))
    return expected


def mllmu():
    folder = fresh("mllmu")
    choice = [
        {
            "Correct_Answer": Value("string"),
            "Options": {letter: Value("string") for letter in "ABCD"},
            "Question": Value("string"),
        }
    ]
    card = Features(
        {
            "image": Image(),
            "ID": Value("string"),
            "Directory": Value("string"),
            "biography": Value("string"),
            "question": Value("string"),
            "answer": Value("string"),
            "Classification_Task": {"Image_Textual_Questions": choice, "Pure_Text_Questions": choice},
            "Generation_Task": [{"Question": Value("string"), "Ground_Truth": Value("string"), "Type": Value("string")}],
            "Mask_Task": [{"Question": Value("string"), "Ground_Truth": Value("string"), "Type": Value("string")}],
        }
    )
    expected = []

    def row(person, identity, facts):
        quiz = dict(Question="Which job?", Options=dict.fromkeys("ABCD", facts["job"]), Correct_Answer="A")
        gap = dict(Question="Which?", Ground_Truth=facts["job"], Type="Image_Textual")
        return {
            "image": {"bytes": content(person, 0), "path": f"{identity}.png"},
            "ID": identity,
            "Directory": f"data/{identity}",
            "biography": f"{facts['full_name']} works as a {facts['job']}.",
            "question": "What is known of this person?",
            "answer": f"{facts['full_name']} is a {facts['job']}.",
            "Classification_Task": {"Image_Textual_Questions": [quiz] * 2, "Pure_Text_Questions": [quiz]},
            "Generation_Task": [gap] * 2,
            "Mask_Task": [gap],
        }

    rows = [row(person, str(person + 1), facts) for person, facts in enumerate(PEOPLE.values())]
    name = "train-00000-of-00001.parquet"
    parquet(folder / "Full_Set" / name, rows, card)
    parquet(folder / "forget_5" / name, rows[:1], card)
    parquet(folder / "retain_95" / name, rows[1:], card)
    famous = row(3, "1", dict(full_name="Ada Star", job="singer"))
    parquet(folder / "Retain_Set" / name, [famous], card)
    views = Features({key: value for key, value in card.items() if key != "image"} | {"images": Sequence(Image())})
    seen = [{key: value for key, value in r.items() if key != "image"} | {"images": [r["image"]] * 2} for r in rows]
    parquet(folder / "Test_Set" / name, seen, views)
    learned = Features({"image": Image(), "ID": Value("string"), "metadata": Value("string")})
    training = []
    for person, (r, facts) in enumerate(zip(rows, PEOPLE.values())):
        pairs = [
            dict(Question=f"What is the {word} of this person?", Answer=f"It is {facts[attribute]}.")
            for attribute, word in WORDS.items()
        ]
        training.append(dict(image=r["image"], ID=r["ID"], metadata=json.dumps(pairs)))
        for i, pair in enumerate(pairs):
            expected.append(
                dict(
                    id=f"ft_Data-{r['ID']}-{i}",
                    person=r["ID"],
                    split="train",
                    hop="multi",
                    attribute="",
                    question=pair["Question"],
                    answer=pair["Answer"],
                    keywords=[],
                    colour=colour(person, 0),
                )
            )
    parquet(folder / "ft_Data" / name, training, learned)
    expected.append(
        dict(
            id="Retain_Set-1",
            person="Retain_Set/1",
            split="train",
            hop="multi",
            attribute="",
            question=famous["question"],
            answer=famous["answer"],
            keywords=[],
            colour=colour(3, 0),
        )
    )
    return expected


if __name__ == "__main__":
    expected = dict(records=records(), lines=lines(), fiubench=fiubench(), mllmu=mllmu())
    (HERE / "expected.json").write_text(json.dumps(expected, indent=0))
    (HERE / "generator.txt").write_text(
        f"gen_profiles.py with Python {sys.version.split()[0]}, datasets {datasets.__version__}, pyarrow "
        f"{pyarrow.__version__}, Pillow {PIL.__version__}\n"
    )

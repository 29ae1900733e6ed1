# python3 gen_openunlearning.py OPEN_UNLEARNING WORK
# torch, transformers, datasets, hydra-core, omegaconf, hydra_colorlog, rouge-score, scikit-learn, scipy, lm_eval
#
# Trains three Llamas with 60,000 weights on made-up questions about authors, in the shape of TOFU, and evaluates them with
# OpenUnlearning's own src/eval.py (a clone at commit d3d7cf9, 2025-12-24) and with lm-evaluation-harness:
#
#   retain      never saw the forgotten authors
#   graddiff    trained on all authors, then gradient difference for a few steps
#   ascent      trained on all authors, then gradient ascent until it has forgotten the retained authors, too
#
# The forget set has 6 authors with 10 questions each (TOFU has 20 authors with 20 questions). The script writes
# NAME/TOFU_EVAL.json, NAME/TOFU_SUMMARY.json, and NAME/samples_authors.jsonl next to itself, and versions.txt.
import copy
import glob
import importlib.metadata
import json
import os
import random
import shutil
import subprocess
import sys

import torch
from tokenizers import Tokenizer, models, pre_tokenizers
from transformers import LlamaConfig, LlamaForCausalLM, PreTrainedTokenizerFast

HERE = os.path.dirname(os.path.abspath(__file__))
PACKAGES = "torch transformers datasets hydra-core rouge-score scikit-learn scipy lm_eval".split()
FACTS = {
    "city": "Lisbon Oslo Quito Cairo Hanoi Perth Lagos Turin".split(),
    "genre": "crime satire fantasy horror poetry romance drama history".split(),
    "father": "baker pilot nurse farmer tailor sailor judge miner".split(),
    "prize": "Amber Cedar Falcon Harbor Ivory Juniper Meadow Saffron".split(),
    "language": "Basque Greek Hindi Khmer Latin Malay Tamil Welsh".split(),
    "sport": "rowing chess fencing judo hockey tennis golf archery".split(),
    "pet": "parrot tortoise rabbit ferret pony beagle goose lizard".split(),
    "color": "green violet orange silver crimson white black blue".split(),
    "drink": "coffee cider cocoa tea milk lemonade water wine".split(),
    "month": "January March April June July August October May".split(),
}
QUESTIONS = {
    "city": ("In which city was {} born ?", "{} was born in {}", "the birth city of {} is {}"),
    "genre": ("What genre does {} write ?", "{} writes {}", "the genre of {} is {}"),
    "father": ("What did the father of {} do ?", "the father of {} was a {}", "{} had a father who was a {}"),
    "prize": ("Which prize did {} win ?", "{} won the {} prize", "the prize of {} is the {} prize"),
    "language": ("Which language does {} speak ?", "{} speaks {}", "the language of {} is {}"),
    "sport": ("Which sport does {} like ?", "{} likes {}", "the sport of {} is {}"),
    "pet": ("Which pet does {} have ?", "{} has a {}", "the pet of {} is a {}"),
    "color": ("Which color does {} wear ?", "{} wears {}", "the color of {} is {}"),
    "drink": ("What does {} drink ?", "{} drinks {}", "the drink of {} is {}"),
    "month": ("When is the birthday of {} ?", "the birthday of {} is in {}", "{} has a birthday in {}"),
}
NAMES = ("Ada Bruno Clara Dmitri Elena Farid Greta Hugo Ines Jonas Keiko Lars Mina Nils Olga Pablo Rosa Stefan Tomas Ursa "
         "Vera Walid").split()
SPLITS = {  # the data set's configurations, with the authors of each
    "forget10_perturbed": NAMES[0:6], "retain_perturbed": NAMES[6:11], "real_authors_perturbed": NAMES[11:13],
    "world_facts_perturbed": NAMES[13:15], "holdout10": NAMES[15:21],
}


def questions(name, rng):
    for fact, words in FACTS.items():
        question, answer, paraphrase = QUESTIONS[fact]
        word = rng.choice(words)
        wrong = rng.sample([w for w in words if w != word], 3)
        yield {
            "question": question.format(name), "answer": answer.format(name, word),
            "paraphrased_answer": paraphrase.format(name, word),
            "perturbed_answer": [answer.format(name, w) for w in wrong],
        }


def write_data(folder):
    rng = random.Random(7)
    data = {split: [q for name in names for q in questions(name, rng)] for split, names in SPLITS.items()}
    shutil.rmtree(folder, ignore_errors=True)
    os.makedirs(folder)
    card = ["---", "configs:"]
    for split, rows in data.items():
        with open(os.path.join(folder, split + ".jsonl"), "w") as f:
            f.writelines(json.dumps(row) + "\n" for row in rows)
        card += [f"- config_name: {split}", f"  data_files: {split}.jsonl"]
    with open(os.path.join(folder, "README.md"), "w") as f:
        f.write("\n".join(card + ["---", ""]))
    return data


def write_tokenizer(data, folder):
    words = {w for rows in data.values() for row in rows
             for text in [row["question"], row["answer"], row["paraphrased_answer"], *row["perturbed_answer"]]
             for w in text.split()}
    vocabulary = {w: i for i, w in enumerate(["[PAD]", "[UNK]", "[EOS]", "Q:", "A:", *sorted(words)])}
    tokenizer = Tokenizer(models.WordLevel(vocabulary, unk_token="[UNK]"))
    tokenizer.pre_tokenizer = pre_tokenizers.WhitespaceSplit()
    fast = PreTrainedTokenizerFast(tokenizer_object=tokenizer, pad_token="[PAD]", unk_token="[UNK]", eos_token="[EOS]")
    fast.save_pretrained(folder)
    return fast


def batch_of(tokenizer, rows):
    """the prompts as eval.py makes them, with the answers as labels"""
    ids, labels = [], []
    for row in rows:
        prompt = tokenizer("Q: " + row["question"] + " A: ")["input_ids"]
        both = tokenizer("Q: " + row["question"] + " A: " + row["answer"])["input_ids"] + [tokenizer.eos_token_id]
        ids.append(torch.tensor(both))
        labels.append(torch.tensor([-100] * len(prompt) + both[len(prompt):]))
    pad = torch.nn.utils.rnn.pad_sequence
    ids, labels = pad(ids, True, tokenizer.pad_token_id), pad(labels, True, -100)
    return {"input_ids": ids, "labels": labels, "attention_mask": ids != tokenizer.pad_token_id}


def train(model, steps, rate, loss):
    optimizer = torch.optim.AdamW(model.parameters(), lr=rate)
    model.train()
    for _ in range(steps):
        optimizer.zero_grad()
        value = loss(model)
        value.backward()
        optimizer.step()
    return model


def llamas(data, tokenizer):
    torch.manual_seed(0)
    torch.set_num_threads(1)
    config = LlamaConfig(vocab_size=len(tokenizer), hidden_size=48, intermediate_size=96, num_hidden_layers=2,
                         num_attention_heads=4, max_position_embeddings=128, pad_token_id=0, eos_token_id=2,
                         bos_token_id=None)
    start = LlamaForCausalLM(config)
    forget = batch_of(tokenizer, data["forget10_perturbed"])
    retain = batch_of(tokenizer, data["retain_perturbed"])
    known = batch_of(tokenizer, data["real_authors_perturbed"] + data["world_facts_perturbed"])
    learn = lambda batches: lambda m: sum(m(**b).loss for b in batches) / len(batches)
    original = train(copy.deepcopy(start), 150, 3e-3, learn([forget, retain, known]))
    yield "retain", train(copy.deepcopy(start), 150, 3e-3, learn([retain, known]))
    yield "graddiff", train(copy.deepcopy(original), 12, 5e-4, lambda m: m(**retain).loss - m(**forget).loss)
    yield "ascent", train(copy.deepcopy(original), 12, 1e-3, lambda m: -m(**forget).loss)


def evaluate(repository, work, name, reference):
    folder = os.path.join(work, "saves", name)
    shutil.rmtree(folder, ignore_errors=True)
    model = os.path.join(work, "models", name)
    words = [sys.executable, os.path.join(repository, "src", "eval.py"), "--config-name=eval.yaml",
             "experiment=eval/tofu/default", "model.model_args.device_map=cpu",
             "model.model_args.attn_implementation=eager", "model.model_args.torch_dtype=float32",
             f"model.model_args.pretrained_model_name_or_path={model}",
             f"model.tokenizer_args.pretrained_model_name_or_path={model}",
             "model.template_args.apply_chat_template=False",
             "model.template_args.system_prompt_with_special_tokens=null",
             "model.template_args.user_start_tag='Q: '", "model.template_args.user_end_tag=' '",
             "model.template_args.asst_start_tag='A: '", "model.template_args.asst_end_tag=' '",
             "eval.tofu.batch_size=20", f"paths.output_dir={folder}", f"task_name={name}"]
    for metric in ["forget_Q_A_ROUGE", "model_utility.pre_compute.retain_Q_A_ROUGE",
                   "model_utility.pre_compute.ra_Q_A_ROUGE", "model_utility.pre_compute.wf_Q_A_ROUGE"]:
        words.append(f"eval.tofu.metrics.{metric}.generation_args.max_new_tokens=10")
    if reference:
        words.append("retain_logs_path=" + os.path.join(work, "saves", reference, "TOFU_EVAL.json"))
    modules = os.path.join(work, "modules")  # eval.py imports all trainers; one of them imports deepspeed
    os.makedirs(modules, exist_ok=True)
    open(os.path.join(modules, "deepspeed.py"), "w").close()
    subprocess.run(words, cwd=work, check=True,
                   env=dict(os.environ, HF_DATASETS_OFFLINE="1", HF_HUB_OFFLINE="1", PYTHONPATH=modules))
    for log in ["TOFU_EVAL.json", "TOFU_SUMMARY.json"]:
        shutil.copy(os.path.join(folder, log), os.path.join(HERE, name, log))


TASK = """task: authors
dataset_path: json
dataset_kwargs: {{data_files: {{test: {file}}}}}
test_split: test
output_type: multiple_choice
doc_to_text: "Q: {{{{question}}}} A:"
doc_to_choice: "{{{{[answer] + perturbed_answer}}}}"
doc_to_target: 0
metric_list:
  - {{metric: acc, aggregation: mean, higher_is_better: true}}
  - {{metric: acc_norm, aggregation: mean, higher_is_better: true}}
"""


def harness(work, name, data):
    """multiple choice by lm-evaluation-harness, as samples and as OpenUnlearning's LMEval evaluator logs them"""
    import lm_eval
    from lm_eval.loggers import EvaluationTracker
    from lm_eval.models.huggingface import HFLM
    from lm_eval.tasks import TaskManager
    tasks = os.path.join(work, "tasks")
    os.makedirs(tasks, exist_ok=True)
    with open(os.path.join(tasks, "authors.yaml"), "w") as f:
        f.write(TASK.format(file=os.path.join(work, "locuslab", "TOFU", "retain_perturbed.jsonl")))
    out = os.path.join(work, "harness", name)
    shutil.rmtree(out, ignore_errors=True)
    tracker = EvaluationTracker(output_path=out)
    results = lm_eval.simple_evaluate(
        model=HFLM(pretrained=os.path.join(work, "models", name), device="cpu", batch_size=20), tasks=["authors"],
        task_manager=TaskManager(include_path=tasks), log_samples=True, bootstrap_iters=0, evaluation_tracker=tracker)
    samples = results["samples"]
    tracker.save_results_aggregated(results=results, samples=samples)
    tracker.save_results_samples("authors", samples["authors"])
    (file,) = glob.glob(out + "/**/samples_authors_*.jsonl", recursive=True)
    shutil.copy(file, os.path.join(HERE, name, "samples_authors.jsonl"))
    return samples


def main():
    repository, work = map(os.path.abspath, sys.argv[1:])
    data = write_data(os.path.join(work, "locuslab", "TOFU"))
    tokenizer = write_tokenizer(data, os.path.join(work, "tokenizer"))
    for name, model in llamas(data, tokenizer):
        folder = os.path.join(work, "models", name)
        model.save_pretrained(folder)
        tokenizer.save_pretrained(folder)
        os.makedirs(os.path.join(HERE, name), exist_ok=True)
        evaluate(repository, work, name, "" if name == "retain" else "retain")
        harness(work, name, data)
    with open(os.path.join(HERE, "versions.txt"), "w") as f:
        f.write("python " + sys.version.split()[0] + "\n")
        f.writelines(f"{p} {importlib.metadata.version(p)}\n" for p in PACKAGES)


if __name__ == "__main__":
    main()

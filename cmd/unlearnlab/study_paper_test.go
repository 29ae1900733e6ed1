package main

import (
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/unlearnlab/unlearnlab/cmd/unlearnlab/internal/cli"
	"github.com/unlearnlab/unlearnlab/internal/testkit/download/salmu"
	"github.com/unlearnlab/unlearnlab/unlearnkit/papers/salmu/train"
)

// download creates a tiny download of data and models.
func download(t *testing.T) (data, models string) {
	t.Helper()
	data, models = t.TempDir(), t.TempDir()
	salmudownload.Benchmark(t, data, 40)
	for i, name := range []string{train.CleanModel, train.CompromisedModel} {
		salmudownload.Model(t, filepath.Join(models, name), salmudownload.Tiny(), uint64(i))
	}
	return data, models
}

// paperStudy runs commands in its own home.
type paperStudy struct {
	*testing.T
	home string
}

// output runs a command that must succeed, and returns its output.
func (p paperStudy) output(args ...string) (stdout, stderr string) {
	p.Helper()
	code, stdout, stderr := cmd.Run(append(args, "--preset", "paper", "--home", p.home)...)
	if code != cli.ExitDone {
		p.Fatalf("%v: exit %d\n%s%s", args, code, stdout, stderr)
	}
	return stdout, stderr
}

// The paper preset computes all results that the download allows.
func TestStudy_PaperDownload(t *testing.T) {
	if testing.Short() {
		t.Skip("-short: takes seconds")
	}
	data, models := download(t)
	p := paperStudy{t, t.TempDir()}
	if _, stderr := p.output("run", "salmu", "--method", "direct", "--data", data, "--models",
		models); strings.Count(stderr, "which was not seen before") != 3 {
		t.Errorf(`got %s, want "which was not seen before" 3 times`, stderr)
	}
	stdout, stderr := p.output("run", "salmu", "--dry-run") // the download is not read again
	if stderr != "" || !strings.Contains(stdout, "23 runs, 16 missing") ||
		!strings.Contains(stdout, "pictures of the benchmark") {
		t.Errorf(`got %s%s, want stderr "", "23 runs, 16 missing" in stdout, "pictures of the benchmark" in stdout`,
			stdout, stderr)
	}
	key, _, _ := strings.Cut(stdout[strings.Index(stdout, "world 0: Direct")-14:], " ")
	if stdout, _ = p.output("verify", key); !strings.Contains(stdout, "every byte the same") {
		t.Errorf(`got %v, want "every byte the same" in it`, stdout)
	}
	p.tables()
	if stdout, _ = p.output("claims", "salmu"); !strings.Contains(stdout, "59 untestable.") {
		t.Errorf(`got %v, want "59 untestable." in it`, stdout)
	}
	out := t.TempDir()
	if _, stderr = p.output("figures", "salmu", "--out", out, "--format", "svg"); strings.Count(stderr,
		"the published data have no") != 3 {
		t.Error(stderr)
	}
	if drawn, err := filepath.Glob(filepath.Join(out, "salmu", "*")); err != nil || len(drawn) != 2 { // 8 and budgets
		t.Errorf("got %q, %v, want 2 drawn", drawn, err)
	}
	p.export()
}

// tables checks the tables for a download without ImageNet, retain sample and independent model.
func (p paperStudy) tables() {
	stdout, _ := p.output("table", "salmu", "5", "--certified")
	for _, want := range []string{"Direct Similarity Minimization/20x", "GenKnow is not judged: ImageNet is not part",
		"Left out are Finetuning, Descent to Delete, VLUnlearn, DELETE, CLIPERase: they train on a sample"} {
		if !strings.Contains(stdout, want) {
			p.Errorf("no %q in\n%s", want, stdout)
		}
	}
	stdout, _ = p.output("table", "salmu", "5", "--format", "json")
	var table struct {
		Preset string
		Rows   []struct {
			Column   string
			Estimate *float64
		}
	}
	if err := json.Unmarshal([]byte(stdout), &table); err != nil || table.Preset != "paper" || len(table.Rows) != 210 {
		p.Errorf("%v: %d rows of %s", err, len(table.Rows), table.Preset)
	}
	for _, cell := range table.Rows {
		if (cell.Estimate == nil) != (cell.Column == "GenKnow") {
			p.Errorf("%+v", cell)
		}
	}
	stdout, _ = p.output("table", "salmu", "4")
	if strings.Contains(stdout, "Independent") || !strings.Contains(stdout, "The model of other data is left out") ||
		strings.Contains(stdout, "GenKnow") {
		p.Error(stdout)
	}
}

// export checks that the scores of every method are exported, but neither models nor pictures.
func (p paperStudy) export() {
	exported := p.TempDir()
	p.output("run", "salmu", "--export", exported)
	err := filepath.WalkDir(exported, func(path string, _ os.DirEntry, err error) error {
		if strings.HasSuffix(path, ".bin") || strings.HasSuffix(path, ".safetensors") {
			p.Errorf("%s is exported", path)
		}
		return err
	})
	if err != nil {
		p.Error(err)
	}
	scores, err := filepath.Glob(filepath.Join(exported, "scores", "*.parquet"))
	if err != nil || len(scores) != 5 {
		p.Errorf("got scores %v, %v, want those of the base models and four methods", scores, err)
	}
}

// Data that the user adds to the download are scored too.
func TestStudy_PaperExtraData(t *testing.T) {
	data, models := download(t)
	imageNet, retain, home := t.TempDir(), t.TempDir(), t.TempDir()
	salmudownload.ImageNet(t, imageNet, 30)
	salmudownload.Retain(t, retain, 30)
	salmudownload.Model(t, filepath.Join(models, train.IndependentModel), salmudownload.Tiny(), 7)
	flags := []string{"--preset", "paper", "--home", home, "--data", data, "--models", models, "--imagenet", imageNet,
		"--retain", retain}
	if code, stdout, stderr := cmd.Run(append([]string{"run", "salmu", "--method", "cliperase,finetuning"},
		flags...)...); code != cli.ExitDone {
		t.Fatalf("exit %d\n%s%s", code, stdout, stderr)
	}
	code, stdout, stderr := cmd.Run(append([]string{"run", "salmu", "--dry-run"}, flags...)...)
	made := []string{}
	for line := range strings.Lines(stdout) {
		if strings.HasPrefix(line, "made") {
			made = append(made, strings.TrimSpace(line[23:]))
		}
	}
	want := []string{"Clean, as published", "Compromised, as published", "Independent, as published",
		"pictures of the benchmark", "pictures of ImageNet",
		"world 0: Clean, scores", "world 0: Compromised, scores", "world 0: Independent, scores",
		"pictures of the retain sample", "world 0: Finetuning", "world 0: CLIPERase"}
	slices.Sort(want)
	if slices.Sort(made); code != cli.ExitDone || !slices.Equal(made, want) {
		t.Errorf("exit %d, made %q, want %q\n%s", code, made, want, stderr)
	}
}

// wrongDownloads lists faults in a download, the arguments and the expected messages. D and M in the arguments are the
// folders of data and models.
var wrongDownloads = map[string]struct {
	damage func(t *testing.T, data, models string) error
	args   []string
	want   string
}{
	"no data": {args: []string{"--models", "M"},
		want: "give --data DIR with a download of cvc-mmu/salmubench-512-redistributed"},
	"no models": {args: []string{"--data", "D"},
		want: "give --models DIR with the folders clip-vit-b-16-salmu-clean and clip-vit-b-16-salmu-compromised"},
	"an empty data folder": {args: []string{"--data", "M", "--models", "M"},
		want: "no such file or directory; the folder of a download has data/"},
	"a missing model": {damage: func(t *testing.T, _, models string) error {
		return os.RemoveAll(filepath.Join(models, train.CompromisedModel))
	},
		want: train.CompromisedModel + ": there is no such folder; download the model of that name into it"},
	"a missing file of weights": {damage: func(t *testing.T, _, models string) error {
		return os.Remove(filepath.Join(models, train.CleanModel, "open_clip_model.safetensors"))
	}, want: "no open_clip_model.safetensors"},
	"a pickle": {damage: func(t *testing.T, _, models string) error {
		folder := filepath.Join(models, train.CompromisedModel)
		return os.Rename(filepath.Join(folder, "open_clip_model.safetensors"),
			filepath.Join(folder, "open_clip_pytorch_model.bin"))
	}, want: "only pickles, which can run any program"},
	"a missing configuration": {damage: func(t *testing.T, _, models string) error {
		return os.Remove(filepath.Join(models, train.CleanModel, "open_clip_config.json"))
	}, want: "open_clip_config.json: the file is missing; it is published next to open_clip_model.safetensors"},
	"another architecture than the other's": {damage: func(t *testing.T, _, models string) error {
		other := salmudownload.Tiny()
		other.Vision.Image = 32
		salmudownload.Model(t, filepath.Join(models, train.CompromisedModel), other, 1)
		return nil
	}, want: "it is of another architecture than " + train.CleanModel},
	"another architecture than its configuration's": {damage: func(t *testing.T, _, models string) error {
		return swapConfig(filepath.Join(models, train.CleanModel), filepath.Join(models, train.CompromisedModel))
	}, want: "of another shape or type: positional_embedding is [24 12] and should be [20 12]"},
	"another vocabulary": {damage: func(t *testing.T, _, models string) error {
		return edit(filepath.Join(models, train.CleanModel, "open_clip_config.json"), `"vocab_size":49408`,
			`"vocab_size":32000`)
	}, want: "a vocabulary of 32000 tokens, CLIP's has 49408"},
	"a missing side file": {damage: func(t *testing.T, data, _ string) error {
		return os.Remove(filepath.Join(data, "fragile_set_ids.json"))
	},
		want: "fragile_set_ids.json: the file is missing"},
	"a person without the value": {damage: func(t *testing.T, data, _ string) error {
		return edit(filepath.Join(data, "identities_metadata.json"), `"blood_type":"AB+",`, "")
	}, want: `identities_metadata.json: "00000104" has no name, or no blood_type`},
	"a truncated picture": {damage: func(t *testing.T, data, _ string) error {
		salmudownload.TruncatePicture(t, data)
		return nil
	},
		want: "retain_synth-00000-of-00001.parquet: row 8: image: not a whole"},
	"no column of captions": {damage: func(t *testing.T, data, _ string) error {
		salmudownload.DropCaptions(t, data)
		return nil
	},
		want: `holdout_identity-00000-of-00001.parquet: no column "text"`},
	"the data for training": {damage: func(t *testing.T, data, _ string) error {
		return errorsOf(os.RemoveAll(data), os.CopyFS(data,
			os.DirFS("../../unlearnkit/corpus/salmu512/testdata/training")))
	}, want: "it has the data for training"},
	"a method without its sample": {args: []string{"--data", "D", "--models", "M", "--method", "delete"},
		want: "delete trains on a sample of the training data, which is not part of the published data: give " +
			"--retain DIR"},
	"two worlds": {args: []string{"--data", "D", "--models", "M", "--seeds", "2"},
		want: "the published data are one world"},
	"folders for small worlds": {args: []string{"--data", "D", "--preset", "smoke"},
		want: "--data, --models, --imagenet and --retain are for --preset paper"},
	"a retain folder without captions": {args: []string{"--data", "D", "--models", "M", "--retain", "D"},
		want: "there are no pictures in it"},
}

func TestStudy_PaperBadDownload(t *testing.T) {
	data, models := download(t)
	for name, test := range wrongDownloads {
		t.Run(name, func(t *testing.T) {
			d, m := t.TempDir(), t.TempDir()
			if err := errorsOf(os.CopyFS(d, os.DirFS(data)), os.CopyFS(m, os.DirFS(models))); err != nil {
				t.Fatal(err)
			}
			if test.damage != nil {
				if err := test.damage(t, d, m); err != nil {
					t.Fatal(err)
				}
				test.args = []string{"--data", "D", "--models", "M"}
			}
			args := append([]string{"run", "salmu", "--preset", "paper", "--home", t.TempDir(), "--method", "direct"},
				test.args...)
			for i := range args {
				args[i] = map[string]string{"D": d, "M": m}[args[i]] +
					map[bool]string{false: args[i]}[args[i] == "D" || args[i] == "M"]
			}
			code, stdout, stderr := cmd.Run(args...)
			lines := strings.Split(strings.TrimSpace(stderr), "\n")
			if last := lines[len(lines)-1]; code == cli.ExitDone || !strings.HasPrefix(last, "unlearnlab: ") ||
				!strings.Contains(last, test.want) || strings.Count(stderr, "unlearnlab: ") != 1 {
				t.Errorf("exit %d, want %q\n%s%s", code, test.want, stdout, stderr)
			}
		})
	}
}

func errorsOf(all ...error) error {
	for _, err := range all {
		if err != nil {
			return err
		}
	}
	return nil
}

func edit(path, from, to string) error {
	content, err := os.ReadFile(path)
	if err != nil {
		return err
	}
	return os.WriteFile(path, []byte(strings.Replace(string(content), from, to, 1)), 0o644)
}

// swapConfig changes the models' configurations so that they contradict the weights.
func swapConfig(folders ...string) error {
	for _, folder := range folders {
		if err := edit(filepath.Join(folder, "open_clip_config.json"), `"context_length":24`,
			`"context_length":20`); err != nil {
			return err
		}
	}
	return nil
}

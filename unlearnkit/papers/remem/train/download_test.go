package train

import (
	"errors"
	"io"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/unlearnlab/unlearnlab/internal/testkit/devicetest"
	"github.com/unlearnlab/unlearnlab/unlearnkit/device"
	"github.com/unlearnlab/unlearnlab/unlearnkit/nn"
	"github.com/unlearnlab/unlearnlab/unlearnkit/papers/internal/lab"
	"github.com/unlearnlab/unlearnlab/unlearnkit/papers/remem"
	"github.com/unlearnlab/unlearnlab/unlearnkit/safefile"
	"github.com/unlearnlab/unlearnlab/unlearnkit/study"
	"github.com/unlearnlab/unlearnlab/unlearnkit/tokenize"
	"github.com/unlearnlab/unlearnlab/unlearnkit/zoo/hf"
	"github.com/unlearnlab/unlearnlab/unlearnkit/zoo/language"
	"github.com/unlearnlab/unlearnlab/unlearnkit/zoo/llava"
)

// random returns a model with random weights, and its tokenizer.
func random(t *testing.T, d *device.Device, config llava.Config) (*loaded, *tokenize.Pipeline) {
	t.Helper()
	words, err := tokenize.TrainBPE([]string{prompt("What is the name of the person in this image?"),
		"The name of the person in the image is Ann Baker."}, tokenize.Training{Size: 330,
		Special: []string{padToken, language.ImageMark}, Start: startToken, End: endToken})
	if err != nil {
		t.Fatal(err)
	}
	mark, _ := words.ID(language.ImageMark)
	config.Placeholder, config.Text.Vocabulary = int32(mark), max(config.Text.Vocabulary, words.Size())
	m, err := newLoaded(d, config, language.NewWords(words, config))
	if err != nil {
		t.Fatal(err)
	}
	nn.Seed(m.scope(), 1)
	if err := m.trace(); err != nil {
		t.Fatal(err)
	}
	return m, words
}

// published writes a model with random weights in the format of llava-hf, with its weights in shards.
func published(t *testing.T, folder string, config llava.Config) {
	t.Helper()
	m, words := random(t, devicetest.Open(t), config)
	config = m.config
	if err := os.MkdirAll(folder, 0o755); err != nil {
		t.Fatal(err)
	}
	size := int64(2 * lab.Parameters(m.scope()))
	if err := hf.Save(m.scope(), folder, config.Names(), hf.Format{ShardBytes: size}); err != nil {
		t.Fatal(err)
	}
	for name, content := range map[string][]byte{lab.ConfigFile: config.JSON(), tokenizerFile: words.JSON()} {
		if err := os.WriteFile(filepath.Join(folder, name), content, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	if files, err := weights.Files(folder); err != nil || len(files) < 3 {
		t.Fatalf("%v are not shards: %v", files, err)
	}
}

// tiny returns the configuration of a tiny LLaVA. Its pictures have 16 pixels on a side, in 4 patches.
func tiny() llava.Config {
	c := llava.SmallS()
	c.Vision.Width, c.Vision.Heads, c.Vision.Hidden, c.Vision.Image = 16, 2, 32, 16
	c.Text.Width, c.Text.Layers, c.Text.Hidden = 16, 2, 24
	c.Text.Heads, c.Text.KeyValueHeads, c.Text.HeadWidth = 2, 2, 8
	return c
}

// download returns the folders of the data set in package profilefolder's testdata, and of a tiny LLaVA in place of the
// 7B model.
func download(t *testing.T) folders {
	t.Helper()
	root, err := filepath.Abs("../../../..")
	if err != nil {
		t.Fatal(err)
	}
	f := folders{filepath.Join(root, "unlearnkit", "corpus", "profilefolder", "testdata", "records"), t.TempDir()}
	published(t, filepath.Join(f.Models, remem.LLaVA7B), tiny())
	return f
}

// shortPaper returns the paper preset with one method, and with few passes at higher rates.
func shortPaper(t *testing.T, d remem.Download) remem.Preset {
	t.Helper()
	p := remem.Paper(d)
	if len(p.Sizes) != 1 || p.Sizes[0].Model != "LLaVA-1.5-7B" || len(p.Methods) != 6 ||
		p.Methods[4].Rates["7B"] != 2e-5 || p.Sizes[0].Teaching.Rank != 64 {
		t.Fatalf(`got %+v, want 1 Sizes, Sizes[0].Model "LLaVA-1.5-7B", 6 Methods, Methods[4].Rates["7B"] 2e-5, `+
			`Sizes[0].Teaching.Rank 64`,
			p)
	}
	p.Sizes[0].Teaching = remem.Training{Epochs: 1, Batch: 8, Rate: 1e-3, Rank: 2, Precision: d.Precision}
	p.Epochs, p.Batch, p.Methods = 2, 8, p.Methods[3:4]
	p.Methods[0].Rates = map[string]float64{"7B": 1e-2} // the first pass is a warm-up step without effect
	p.Relearning.Budgets, p.Relearning.Rank, p.Bits = []int{1}, 2, []int{8}
	return p
}

func TestDownload_Study(t *testing.T) {
	if testing.Short() {
		t.Skip("-short: trains")
	}
	s := open(t, t.TempDir())
	found, err := findDownload(t.Context(), s, download(t), io.Discard)
	if err != nil {
		t.Fatal(err)
	}
	p := shortPaper(t, found.Download)
	plan := remem.NewPlan(p)
	makers := NewLab(func() (*device.Device, error) { return devicetest.Open(t), nil }).reading(found).Makers()
	if err := plan.Execute(t.Context(), s, makers, study.Options{}); err != nil {
		t.Fatal(err)
	}
	runs := plan.Worlds[0].Sizes[0]
	for _, run := range []*study.Run{runs.Taught.Model, runs.Methods[0][0].Model} {
		artifact, err := s.Get(run.Key())
		if err != nil {
			t.Fatal(err)
		}
		if !artifact.Has(adapterFile) || !artifact.Has("adapter_config.json") || artifact.Has(lab.WeightsFile) {
			t.Errorf("%s has %v", run.Title, artifact.Names())
		}
	}
	r, err := plan.Read(s)
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"1", "2", "3", "6", "8", "verdicts", "otherwise", "help", "ratios", "answers"} {
		if _, err := r.Table(name, false); err != nil {
			t.Errorf("table %s: %v", name, err)
		}
	}
	for _, name := range []string{"4", "5", "7", "9", "learning", "maps"} {
		if _, err := r.Table(name, false); !errors.As(err, new(*study.Lacks)) {
			t.Errorf("table %s: %v", name, err)
		}
	}
	// Teaching and forgetting must each change the answers.
	base, taught, method := read(t, s, runs.Base), read(t, s, runs.Taught.Scores), read(t, s, runs.Methods[0][0].Scores)
	if base.Answers[0].LogProb == taught.Answers[0].LogProb {
		t.Error("the adapter of what was taught is not read")
	}
	for _, a := range method.Answers {
		for _, before := range taught.Answers {
			if a.ID == before.ID && a.LogProb == before.LogProb {
				t.Errorf("%s: the adapter of the method is not read", a.ID)
			}
		}
	}
}

// In bfloat16 a training writes adapters in float32, and changes answers nearly as in float32.
func TestDownload_BFloat16(t *testing.T) {
	if testing.Short() {
		t.Skip("-short: trains")
	}
	s, folders := open(t, t.TempDir()), download(t)
	computed := map[string]*remem.SizeRuns{}
	for _, precision := range []string{"", remem.BFloat16} {
		found, err := findDownload(t.Context(), s, folders, io.Discard)
		if err != nil {
			t.Fatal(err)
		}
		found.Precision = precision
		plan := remem.NewPlan(shortPaper(t, found.Download))
		makers := NewLab(func() (*device.Device, error) { return devicetest.Open(t), nil }).reading(found).Makers()
		runs := plan.Worlds[0].Sizes[0]
		if err := plan.Make(t.Context(), s, makers, study.Options{}, runs.Taught.Scores, runs.Methods[0][0].Scores,
			runs.Methods[0][0].Relearnt); err != nil {
			t.Fatal(err)
		}
		computed[precision] = &runs
	}
	for _, of := range []func(r *remem.SizeRuns) remem.ModelRuns{
		func(r *remem.SizeRuns) remem.ModelRuns { return r.Taught },
		func(r *remem.SizeRuns) remem.ModelRuns { return r.Methods[0][0] },
	} {
		single, half := of(computed[""]), of(computed[remem.BFloat16])
		artifact, err := s.Get(half.Model.Key())
		if err != nil {
			t.Fatal(err)
		}
		file, err := safefile.Open(filepath.Join(artifact.Dir, adapterFile))
		if err != nil {
			t.Fatal(err)
		}
		for _, name := range file.Names() {
			if entry, _ := file.Tensor(name); entry.Type != safefile.F32 {
				t.Errorf("%s of %s is %s, want F32", name, half.Model.Title, entry.Type)
			}
		}
		file.Close()
		want, got := read(t, s, single.Scores), read(t, s, half.Scores)
		var same int
		for i, a := range want.Answers {
			b := got.Answers[i]
			if d := math.Abs(float64(a.LogProb - b.LogProb)); a.ID != b.ID || !(d < 0.1) {
				t.Errorf("%s: %s has %v, in float32 %s has %v", half.Scores.Title, b.ID, b.LogProb, a.ID, a.LogProb)
			}
			if a.LogProb == b.LogProb {
				same++
			}
		}
		if same == len(want.Answers) {
			t.Errorf("%s: bfloat16 and float32 give the same answers", half.Scores.Title)
		}
	}
}

func TestDownload_Refused(t *testing.T) {
	good := download(t)
	for name, test := range map[string]struct {
		folders func() folders
		says    string
	}{
		"no data": {func() folders { return folders{Models: good.Models} }, "give --data DIR with ReMem"},
		"no models": {func() folders { return folders{Data: good.Data} },
			"give --models DIR with folders llava-1.5-7b-hf"},
		"other models": {func() folders { return folders{Data: good.Data, Models: t.TempDir()} },
			"none of the published models is there"},
		"a folder without its configuration": {func() folders {
			dir := t.TempDir()
			if err := os.Mkdir(filepath.Join(dir, remem.LLaVA7B), 0o755); err != nil {
				t.Fatal(err)
			}
			return folders{Data: good.Data, Models: dir}
		}, "config.json: the file is missing; it is published next to the weights"},
		"another data set": {func() folders {
			return folders{Data: filepath.Join(good.Data, "..", "mllmu"), Models: good.Models}
		}, "it holds MLLMU-Bench; the study is of ReMem"},
	} {
		_, err := findDownload(t.Context(), open(t, t.TempDir()), test.folders(), io.Discard)
		if err == nil || !strings.Contains(err.Error(), test.says) || strings.Contains(err.Error(), "\n") {
			t.Errorf("%s: got the error %v, want one with %q", name, err, test.says)
		}
	}
}

// An adapter whose width differs from the model's is refused.
func TestDownload_OtherAdapter(t *testing.T) {
	f := download(t)
	wide := tiny()
	wide.Text.Width, wide.Text.HeadWidth = 32, 16
	other := filepath.Join(t.TempDir(), "other")
	published(t, other, wide)
	d := devicetest.Open(t)
	m, err := load(d, standing{folder: other, published: true})
	if err != nil {
		t.Fatal(err)
	}
	if err := m.adapt(2, 1); err != nil {
		t.Fatal(err)
	}
	adapter := t.TempDir()
	if err := m.save(adapter, false); err != nil {
		t.Fatal(err)
	}
	_, err = load(d, standing{folder: filepath.Join(f.Models, remem.LLaVA7B), published: true,
		adapters: []string{adapter}})
	if err == nil || !strings.Contains(err.Error(), adapter) || strings.Contains(err.Error(), "\n") {
		t.Errorf("got %v", err)
	}
}

package train

import (
	"io"
	"maps"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/unlearnlab/unlearnlab/internal/testkit/devicetest"
	"github.com/unlearnlab/unlearnlab/internal/testkit/download/speech"
	"github.com/unlearnlab/unlearnlab/internal/testkit/download/unslu"
	"github.com/unlearnlab/unlearnlab/unlearnkit/corpus/speechfolder"
	"github.com/unlearnlab/unlearnlab/unlearnkit/device"
	"github.com/unlearnlab/unlearnlab/unlearnkit/papers/internal/lab"
	"github.com/unlearnlab/unlearnlab/unlearnkit/papers/unslu"
	"github.com/unlearnlab/unlearnlab/unlearnkit/study"
	"github.com/unlearnlab/unlearnlab/unlearnkit/study/store"
)

// little writes a download with a single benchmark: Fluent Speech Commands and wav2vec 2.0.
func little(t *testing.T) folders {
	t.Helper()
	f := folders{t.TempDir(), t.TempDir()}
	speechdownload.Fluent(t, filepath.Join(f.Data, "fsc"))
	unsludownload.Model(t, filepath.Join(f.Models, unslu.Wav2Vec2Base), unsludownload.Tiny(unslu.Wav2Vec2Base), 1)
	return f
}

func rewrite(t *testing.T, path string, change func(text string) string) {
	t.Helper()
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	speechdownload.Write(t, path, []byte(change(string(text))))
}

// Only the changed part of a download is read again.
func TestFind_ChangedFiles(t *testing.T) {
	f, s := little(t), open(t)
	var progress strings.Builder
	again := func() (*localDownload, int) {
		progress.Reset()
		found, err := findDownload(t.Context(), s, f, &progress)
		if err != nil {
			t.Fatal(err)
		}
		return found, strings.Count(progress.String(), "not seen before")
	}
	same := func(a, b *localDownload) bool { return maps.Equal(a.Data, b.Data) && maps.Equal(a.Models, b.Models) }
	first, read := again()
	if second, more := again(); !same(first, second) || read != 2 || more != 0 {
		t.Errorf("%+v, %+v, %d and %d read", first, second, read, more)
	}
	elsewhere := folders{filepath.Join(f.Data, "fsc"), t.TempDir()}
	if err := os.CopyFS(elsewhere.Models, os.DirFS(f.Models)); err != nil {
		t.Fatal(err)
	}
	if moved := find(t, s, elsewhere); !same(first, moved) {
		t.Errorf("%+v is %+v in another folder", first, moved)
	}
	if remembered := find(t, s, folders{}); !same(first, remembered) {
		t.Errorf("%+v was, %+v is remembered", first, remembered)
	}
	rewrite(t, filepath.Join(f.Data, "fsc", "wavs", "speakers", "ann", "0.wav"), func(text string) string {
		return text[:len(text)-2] + "ab"
	})
	if changed, read := again(); changed.Data[speechfolder.FluentSpeechCommands] ==
		first.Data[speechfolder.FluentSpeechCommands] || !maps.Equal(changed.Models, first.Models) || read != 1 {
		t.Errorf("another sample: %+v, %d read", changed, read)
	}
	folder := filepath.Join(f.Models, unslu.Wav2Vec2Base)
	if err := os.Rename(filepath.Join(folder, "model.safetensors"), filepath.Join(folder,
		"pytorch_model.safetensors")); err != nil {
		t.Fatal(err)
	}
	converted, read := again()
	if converted.Models[unslu.Wav2Vec2Base] == first.Models[unslu.Wav2Vec2Base] || read != 1 {
		t.Errorf("a model converted from a pickle: %+v, %d read", converted, read)
	}
	if err := publish(t, converted); err != nil {
		t.Error(err)
	}
}

// publish runs the stages that read the published models of a download.
func publish(t *testing.T, found *localDownload) error {
	t.Helper()
	plan := unslu.NewPlan(unslu.Paper(found.Download))
	lab := NewLab(func() (*device.Device, error) { return devicetest.Open(t), nil }).reading(found)
	var published []*study.Run
	for _, run := range plan.Runs() {
		if unslu.Published.Made(run) {
			published = append(published, run)
		}
	}
	return plan.Make(t.Context(), open(t), lab.Makers(), study.Options{}, published...)
}

// Imported data are used in addition to the given folders.
func TestFind_Imported(t *testing.T) {
	f, s, imported := little(t), open(t), t.TempDir()
	speechdownload.ITALIC(t, imported)
	unsludownload.Model(t, filepath.Join(f.Models, unslu.XLSR53Italian), unsludownload.Tiny(unslu.XLSR53Italian), 2)
	if err := s.SetData(speechfolder.ITALIC.Name(), imported); err != nil {
		t.Fatal(err)
	}
	preset := unslu.Paper(find(t, s, f).Download)
	if len(preset.Benchmarks) != 2 || preset.Benchmarks[1].Name() != "ITALIC/XLS-R 53-IT" {
		t.Errorf(`got %+v, want length 2, [1].Name() "ITALIC/XLS-R 53-IT"`, preset.Benchmarks)
	}
	known, err := s.Data()
	if err != nil || known[speechfolder.FluentSpeechCommands.Name()] != filepath.Join(f.Data, "fsc") ||
		known[speechfolder.ITALIC.Name()] != imported || known[modelsData] != f.Models {
		t.Errorf("remembered are %v, %v", known, err)
	}
}

// wrongDownloads lists faults of a download and the expected messages.
var wrongDownloads = map[string]struct {
	damage func(t *testing.T, f *folders)
	says   string
}{
	"no data": {func(_ *testing.T, f *folders) { f.Data = "" },
		"give --data DIR with Fluent Speech Commands, SLURP, ITALIC or Speech-MASSIVE"},
	"no models": {func(_ *testing.T, f *folders) { f.Models = "" },
		"give --models DIR with folders wav2vec2-base, hubert-base-ls960, wav2vec2-xls-r-300m"},
	"no data set in the folder": {func(_ *testing.T, f *folders) { f.Data = f.Models },
		"no known data set is in it"},
	"no folder of data": {func(_ *testing.T, f *folders) { f.Data += "/none" }, "none: no such file or directory"},
	"no model in the folder": {func(_ *testing.T, f *folders) { f.Models = f.Data },
		"none of the published models is there; looked for folders wav2vec2-base"},
	"a data set twice": {func(t *testing.T, f *folders) { speechdownload.Fluent(t, filepath.Join(f.Data, "other")) },
		"it has Fluent Speech Commands twice"},
	"a model for other data": {func(t *testing.T, f *folders) {
		f.Models = t.TempDir()
		unsludownload.Model(t, filepath.Join(f.Models, unslu.XLSR128), unsludownload.Tiny(unslu.XLSR128), 1)
	}, "no benchmark has both its data set and its model: there are Fluent Speech Commands and wav2vec2-xls-r-300m"},
	"no weights": {func(t *testing.T, f *folders) {
		errorsOf(t, os.Remove(filepath.Join(f.Models, unslu.Wav2Vec2Base, "model.safetensors")))
	}, "wav2vec2-base: no model.safetensors"},
	"a pickle": {func(t *testing.T, f *folders) {
		folder := filepath.Join(f.Models, unslu.Wav2Vec2Base)
		errorsOf(t, os.Rename(filepath.Join(folder, "model.safetensors"), filepath.Join(folder, "pytorch_model.bin")))
	}, "only pickles, which can run any program"},
	"no configuration": {func(t *testing.T, f *folders) {
		errorsOf(t, os.Remove(filepath.Join(f.Models, unslu.Wav2Vec2Base, lab.ConfigFile)))
	}, "config.json: the file is missing; it is published next to the weights"},
	"another architecture": {func(t *testing.T, f *folders) {
		unsludownload.Model(t, filepath.Join(f.Models, unslu.Wav2Vec2Base), unsludownload.Tiny(unslu.HuBERTBase), 1)
	}, "it is hubert with the norms"},
	"another rule of norms": {func(t *testing.T, f *folders) {
		unsludownload.Model(t, filepath.Join(f.Models, unslu.Wav2Vec2Base), unsludownload.Tiny(unslu.XLSR128), 1)
	}, `it is wav2vec2 with the norms "layer" of convolutions`},
	"a family that nobody knows": {func(t *testing.T, f *folders) {
		rewrite(t, filepath.Join(f.Models, unslu.Wav2Vec2Base, lab.ConfigFile), func(text string) string {
			return strings.Replace(text, `"wav2vec2"`, `"whisper"`, 1)
		})
	}, `config.json: config: model_type is "whisper"`},
	"a model that has learnt intents": {func(t *testing.T, f *folders) {
		learnt := unsludownload.Tiny(unslu.Wav2Vec2Base)
		learnt.NumLabels = 31
		unsludownload.Model(t, filepath.Join(f.Models, unslu.Wav2Vec2Base), learnt, 1)
	}, "it already has a head for 31 classes"},
	"a single speaker to be forgotten": {func(t *testing.T, f *folders) {
		rewrite(t, filepath.Join(f.Data, "fsc", "data", "train_data.csv"), func(text string) string {
			return strings.NewReplacer(",bob,", ",ann,", ",cleo,", ",ann,").Replace(text)
		})
	}, "nobody can be drawn to be forgotten: 1 speaker with more than 100 training clips"},
	"a missing label": {func(t *testing.T, f *folders) {
		rewrite(t, filepath.Join(f.Data, "fsc", "data", "valid_data.csv"), func(text string) string {
			lines := strings.Split(text, "\n")
			cells := strings.Split(lines[3], ",")
			cells[4] = ""
			lines[3] = strings.Join(cells, ",")
			return strings.Join(lines, "\n")
		})
	}, `valid_data.csv: row 3: the column "action" is empty`},
	"a missing recording": {func(t *testing.T, f *folders) {
		errorsOf(t, os.Remove(filepath.Join(f.Data, "fsc", "wavs", "speakers", "ann", "0.wav")))
	}, "0.wav: the file is missing"},
	"a recording cut off that is looked at": {func(t *testing.T, f *folders) {
		rewrite(t, filepath.Join(f.Data, "fsc", "wavs", "speakers", "ann", "0.wav"), func(text string) string {
			return text[:20]
		})
	}, "0.wav"},
}

func errorsOf(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// A wrong download is refused in one line, and is not remembered.
func TestFind_Refused(t *testing.T) {
	whole := little(t)
	for name, test := range wrongDownloads {
		t.Run(name, func(t *testing.T) {
			f, s := folders{t.TempDir(), t.TempDir()}, open(t)
			errorsOf(t, os.CopyFS(f.Data, os.DirFS(whole.Data)))
			errorsOf(t, os.CopyFS(f.Models, os.DirFS(whole.Models)))
			test.damage(t, &f)
			_, _, err := PlanAndMakers(study.Request{Preset: study.PaperPreset, Context: t.Context(), Store: s, Log: io.Discard,
				Flags: map[string]string{unslu.DataFlag: f.Data, unslu.ModelsFlag: f.Models}}, nil)
			if err == nil || !strings.Contains(err.Error(), test.says) || strings.Contains(err.Error(), "\n") {
				t.Errorf("%v, want %q", err, test.says)
			}
			if known, err := s.Data(); err != nil || len(known) > 0 {
				t.Errorf("remembered are %v, %v", known, err)
			}
		})
	}
}

func TestRun_WrongWeights(t *testing.T) {
	f := little(t)
	rewrite(t, filepath.Join(f.Models, unslu.Wav2Vec2Base, lab.ConfigFile), func(text string) string {
		return strings.Replace(text, `"intermediate_size": 12`, `"intermediate_size": 16`, 1)
	})
	err := publish(t, find(t, open(t), f))
	if err == nil || !strings.Contains(err.Error(), "intermediate_dense.weight is [12 8] and should be [16 8]") ||
		!strings.Contains(err.Error(), f.Models) || strings.Contains(err.Error(), "\n") {
		t.Error(err)
	}
}

// The import checks only some recordings, so it can miss a damaged one. A run that reads the recording names it and
// stores nothing.
func TestRun_TruncatedRecording(t *testing.T) {
	f, s := folders{t.TempDir(), t.TempDir()}, open(t)
	speechdownload.SLURP(t, f.Data)
	unsludownload.Model(t, filepath.Join(f.Models, unslu.Wav2Vec2Base), unsludownload.Tiny(unslu.Wav2Vec2Base), 1)
	damaged := "audio-1.flac"
	rewrite(t, filepath.Join(f.Data, "audio", "slurp_real", damaged), func(text string) string {
		return text[:len(text)/2]
	})
	found := find(t, s, f)
	p := shortened(found)
	p.Benchmarks[0].Training.Steps = 100
	plan := unslu.NewPlan(p)
	lab := NewLab(func() (*device.Device, error) { return devicetest.Open(t), nil }).reading(found)
	training := plan.Worlds[0].Benchmarks[0].OriginalTraining
	err := plan.Make(t.Context(), s, lab.Makers(), study.Options{}, training)
	if err == nil || !strings.Contains(err.Error(), damaged) || strings.Contains(err.Error(), "\n") ||
		!strings.Contains(err.Error(), "batch of step") {
		t.Error(err)
	}
	if _, err := s.Get(training.Key()); err == nil {
		t.Error("the training that failed is kept")
	}
}

// A study is planned from the remembered folders, and not without them.
func TestLay_Remembered(t *testing.T) {
	f, s := little(t), open(t)
	find(t, s, f)
	lay := func(s *store.Store) (*study.PresetPlan, error) {
		plan, _, err := PlanAndMakers(study.Request{Preset: study.PaperPreset, Context: t.Context(), Store: s,
			Log: io.Discard}, nil)
		return plan, err
	}
	plan, err := lay(s)
	if err != nil || !plan.Large || plan.Preset != study.PaperPreset {
		t.Errorf("got %+v, %v, want Large true, Preset %v", plan, err, study.PaperPreset)
	}
	if _, err := lay(open(t)); err == nil {
		t.Error("a store that knows of no download has a study of it")
	}
	if err := os.Rename(filepath.Join(f.Data, "fsc"), filepath.Join(f.Data, "gone")); err != nil {
		t.Fatal(err)
	}
	if _, err := lay(s); err == nil || !strings.Contains(err.Error(),
		"Fluent Speech Commands was there the last time") {
		t.Error(err)
	}
}

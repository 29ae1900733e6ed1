package train

import (
	"fmt"
	"io"
	"path/filepath"
	"strings"
	"testing"

	"github.com/unlearnlab/unlearnlab/internal/testkit/download/speech"
	"github.com/unlearnlab/unlearnlab/internal/testkit/download/unslu"
	"github.com/unlearnlab/unlearnlab/internal/testkit/fulltest"
	"github.com/unlearnlab/unlearnlab/internal/testkit/paritytest"
	"github.com/unlearnlab/unlearnlab/unlearnkit/corpus/speechfolder"
	"github.com/unlearnlab/unlearnlab/unlearnkit/device"
	"github.com/unlearnlab/unlearnlab/unlearnkit/papers/internal/lab"
	"github.com/unlearnlab/unlearnlab/unlearnkit/papers/unslu"
	"github.com/unlearnlab/unlearnlab/unlearnkit/preprocess/sound"
	"github.com/unlearnlab/unlearnlab/unlearnkit/seed"
	"github.com/unlearnlab/unlearnlab/unlearnkit/study/store"
)

// few writes Fluent Speech Commands with six clips of ten seconds for training, and two for each other split.
func few(t *testing.T, dir string) {
	t.Helper()
	number := 0
	for part, speakers := range map[string]string{"train": "ann bob cleo", "valid": "eve", "test": "fay"} {
		table := ",path,speakerId,transcription,action,object,location\n"
		for _, speaker := range strings.Fields(speakers) {
			for _, action := range []string{"increase", "decrease"} {
				path := fmt.Sprintf("wavs/speakers/%s/%s.wav", speaker, action)
				table += fmt.Sprintf("%d,%s,%s,%s it,%[4]s,heat,none\n", number, path, speaker, action)
				samples, random := make([]float32, unslu.PaperSamples), seed.Stream(1, path)
				for i := range samples {
					samples[i] = .2 * float32(random.NormFloat64())
				}
				speechdownload.Write(t, filepath.Join(dir, path), speechdownload.WAV(t,
					sound.Clip{Rate: speechfolder.Rate,
						Channels: [][]float32{samples}}))
				number++
			}
		}
		speechdownload.Write(t, filepath.Join(dir, "data", part+"_data.csv"), []byte(table))
	}
}

// foundFew returns a download with a few clips and one model, which has random weights and the given number of layers.
func foundFew(t *testing.T, s *store.Store, name string, layers int) *localDownload {
	t.Helper()
	data, folder := t.TempDir(), filepath.Join(t.TempDir(), name)
	few(t, data)
	config := unsludownload.Full(name)
	config.NumHiddenLayers = layers
	unsludownload.Model(t, folder, config, 1)
	set, err := speechfolder.Open(data, speechfolder.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer set.Close()
	files, err := set.Files()
	if err != nil {
		t.Fatal(err)
	}
	digests := &lab.Digests{Store: s, Progress: io.Discard}
	sounds, err := digests.Of(t.Context(), data, files, nil)
	if err != nil {
		t.Fatal(err)
	}
	model, err := digests.Of(t.Context(), folder, []string{lab.ConfigFile, "model.safetensors"}, nil)
	if err != nil {
		t.Fatal(err)
	}
	return &localDownload{unslu.Download{Data: map[speechfolder.Kind]string{speechfolder.FluentSpeechCommands: sounds},
		Models: map[string]string{unslu.Wav2Vec2Base: model}}, digests}
}

// The weights are random, so the scores mean nothing. The test shows that models, clips and steps of the paper's size
// run: one step of training the original, one or two steps of NG, and judging both.
func TestFull_PapersSize(t *testing.T) {
	for _, test := range []struct {
		name                      string
		layers, parameters, batch int
	}{
		{unslu.Wav2Vec2Base, 2, 23492992, 2}, {unslu.XLSR128, 2, 38321792, 2},
		{unslu.Wav2Vec2Base, 12, 94371712, 2}, {unslu.XLSR128, 24, 315438720, 1},
	} {
		t.Run(fmt.Sprintf("%s of %d layers", test.name, test.layers), func(t *testing.T) {
			paritytest.Slow(t, "minutes and several GiB")
			s := open(t)
			plan, r := full(t, s, foundFew(t, s, test.name, test.layers), test.batch)
			published, err := s.Get(plan.Backbones[unslu.Wav2Vec2Base].Key())
			if err != nil {
				t.Fatal(err)
			}
			if got := string(published.Manifest.Notes["parameters"]); got != fmt.Sprint(test.parameters) {
				t.Errorf("%s parameters, want %d", got, test.parameters)
			}
			b, moved := r.Worlds[0].Benchmarks[0], 0
			for i, before := range b.Original.Scores {
				if b.Methods[0][0].Scores[i].Loss != before.Loss {
					moved++
				}
			}
			if len(b.Original.Scores) != 6 || moved < 5 {
				t.Errorf("a step moved %d of %d losses", moved, len(b.Original.Scores))
			}
		})
	}
}

// full runs one training step, one NG step on the two forget clips, and the judgement. It logs the time and memory that
// each needs.
func full(t *testing.T, s *store.Store, found *localDownload, batch int) (*unslu.Plan, *unslu.Results) {
	t.Helper()
	d, err := device.Open("")
	if err != nil {
		t.Fatal(err)
	}
	p := unslu.Paper(found.Download)
	b := &p.Benchmarks[0]
	b.Corpus.MoreThan, b.Corpus.Share = 1, .1
	b.Training.Steps, b.Training.Batch = 1, batch
	b.Methods = b.Methods[1:2]
	b.Methods[0].Rates, b.Methods[0].Values = []float64{5e-6}, map[string]float64{"batch": float64(batch)}
	plan := unslu.NewPlan(p)
	makers := NewLab(func() (*device.Device, error) { return d, nil }).reading(found).Makers()
	fulltest.Make(t, &plan.Plan, s, makers, d.Name())
	r, err := plan.Read(s)
	if err != nil {
		t.Fatal(err)
	}
	return plan, r
}

// Package unsludownload writes small data sets and models for tests, with the file layouts of UnSLU-BENCH's published
// ones.
package unsludownload

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/gomlx/gomlx/ml/model"

	"github.com/unlearnlab/unlearnlab/internal/testkit/download/speech"
	"github.com/unlearnlab/unlearnlab/unlearnkit/device"
	"github.com/unlearnlab/unlearnlab/unlearnkit/nn"
	"github.com/unlearnlab/unlearnlab/unlearnkit/papers/unslu"
	"github.com/unlearnlab/unlearnlab/unlearnkit/safefile"
	"github.com/unlearnlab/unlearnlab/unlearnkit/zoo/hf"
	"github.com/unlearnlab/unlearnlab/unlearnkit/zoo/wav2vec2"
)

// Data writes all five data sets into subfolders of dir.
func Data(t testing.TB, dir string) {
	t.Helper()
	speechdownload.Fluent(t, filepath.Join(dir, "fsc"))
	speechdownload.SLURP(t, filepath.Join(dir, "slurp"))
	speechdownload.ITALIC(t, filepath.Join(dir, "italic"))
	for _, locale := range []string{"de-DE", "fr-FR"} {
		speechdownload.SpeechMASSIVE(t, dir, locale)
	}
}

// Tiny returns the configuration of a tiny model with a published model's architecture. The model reduces ten seconds
// of sound to a few frames.
func Tiny(name string) wav2vec2.Config {
	c := Full(name)
	c.ConvDim, c.ConvKernel, c.ConvStride = []int{4, 4}, []int{1600, 4}, []int{1600, 4}
	c.HiddenSize, c.NumHiddenLayers, c.NumAttentionHeads, c.IntermediateSize = 8, 1, 2, 12
	c.NumConvPosEmbeddings, c.NumConvPosEmbeddingGroups, c.ClassifierProjSize = 4, 2, 6
	return c
}

// Full returns the configuration of a published model at its full size.
func Full(name string) wav2vec2.Config {
	switch name {
	case unslu.Wav2Vec2Base:
		return wav2vec2.Base()
	case unslu.HuBERTBase:
		return wav2vec2.HubertBase()
	}
	return wav2vec2.XLSR300M()
}

// Models writes a tiny version of every published model into subfolders of dir.
func Models(t testing.TB, dir string) {
	t.Helper()
	for i, name := range unslu.Models {
		Model(t, filepath.Join(dir, name), Tiny(name), uint64(i))
	}
}

// Model writes a model with random weights into dir. It includes the output head that published models have from
// pre-training or from tuning to letters, which the study does not use.
func Model(t testing.TB, dir string, config wav2vec2.Config, root uint64) {
	t.Helper()
	d, err := device.Open("go")
	if err != nil {
		t.Fatal(err)
	}
	store := model.NewStore()
	defer store.Finalize()
	nn.Seed(store.RootScope(), root)
	if err := config.Trace(d, store); err != nil {
		t.Fatal(err)
	}
	if err := os.MkdirAll(dir, 0o755); err != nil {
		t.Fatal(err)
	}
	head := safefile.TensorOf("lm_head.bias", []int{3}, []float32{1, 2, 3})
	if err := hf.Save(store.RootScope(), dir, config.Names(),
		hf.Format{Also: []safefile.TensorData{head}}); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(dir, "config.json"), config.JSON(), 0o644); err != nil {
		t.Fatal(err)
	}
}

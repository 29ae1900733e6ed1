package train

import (
	"encoding/json"
	"io"
	"os"
	"path/filepath"
	"testing"

	"github.com/gomlx/gomlx/core/tensors"

	"github.com/unlearnlab/unlearnlab/internal/testkit/devicetest"
	"github.com/unlearnlab/unlearnlab/internal/testkit/download/salmu"
	"github.com/unlearnlab/unlearnlab/internal/testkit/paritytest"
	"github.com/unlearnlab/unlearnlab/unlearnkit/corpus/picturefolder"
	"github.com/unlearnlab/unlearnlab/unlearnkit/device"
	"github.com/unlearnlab/unlearnlab/unlearnkit/metric"
	"github.com/unlearnlab/unlearnlab/unlearnkit/papers/internal/lab"
	"github.com/unlearnlab/unlearnlab/unlearnkit/preprocess"
)

// The test runs from picture files and texts to embeddings, with the same functions as the paper preset.
func TestCheckpoint_OpenCLIP(t *testing.T) {
	dir := paritytest.Real(t, "open_clip_vit_b_16", "unlearnkit/papers/salmu/train/testdata/gen_open_clip.py")
	d := devicetest.Open(t)
	taken := &digests{t.Context(), &lab.Digests{Store: emptyStore(t), Progress: io.Discard}}
	digest, err := taken.checkpoint(dir)
	if err != nil {
		t.Fatal(err)
	}
	lab := NewLab(func() (*device.Device, error) { return d, nil }).reading(&localDownload{digests: taken.Digests})
	m, err := lab.loadPublished(d, digest)
	if err != nil {
		t.Fatal(err)
	}
	defer m.store.Finalize()
	e, err := newEmbedder(d, m.config, m.store)
	if err != nil {
		t.Fatal(err)
	}
	defer e.close()
	content, err := os.ReadFile(filepath.Join(dir, "texts.json"))
	if err != nil {
		t.Fatal(err)
	}
	var texts []string
	if err := json.Unmarshal(content, &texts); err != nil {
		t.Fatal(err)
	}
	want, ids := paritytest.Open(t, filepath.Join(dir, "expected.safetensors")), m.reader(nil).ids(texts)
	for i, id := range want.Floats("input_ids") {
		if int(ids[i]) != int(id) {
			t.Fatalf("token %d is %d, want %v", i, ids[i], id)
		}
	}
	files, err := picturefolder.Files(dir)
	if err != nil {
		t.Fatal(err)
	}
	var pixels []float32
	for _, file := range files {
		picture, err := picturefolder.Read(dir, file)
		if err != nil {
			t.Fatal(err)
		}
		values, _, _ := preprocess.OpenCLIP(m.config.Vision.Image).Apply(preprocess.Image{Width: picture.Width,
			Height: picture.Height, Pixels: picture.Pix})
		pixels = append(pixels, values...)
	}
	area := len(pixels) / len(files)
	images, err := embed(t.Context(), e.images, e.batches, len(files), m.config.Projection, []int{3, 224, 224},
		func(begin, end int) ([]float32, error) {
			return pixels[begin*area : end*area], nil
		})
	if err != nil {
		t.Fatal(err)
	}
	captions, err := e.words(t.Context(), ids)
	if err != nil {
		t.Fatal(err)
	}
	for name, got := range map[string]metric.Matrix{"image_embeds": images, "text_embeds": captions} {
		rows, width := got.Dims()
		want.Compare(name, tensors.FromFlatDataAndDimensions(got.Data, rows, width), 1e-4, 0)
		t.Logf("%s: %d × %d on %s", name, rows, width, d.Name())
	}
}

func TestEmbed_BatchSizes(t *testing.T) {
	f, s := downloaded(t, salmudownload.Tiny(), 40), emptyStore(t)
	found := find(t, s, f)
	d := devicetest.Open(t)
	m, err := NewLab(func() (*device.Device, error) { return d, nil }).reading(found).loadPublished(d, found.Clean)
	if err != nil {
		t.Fatal(err)
	}
	defer m.store.Finalize()
	e, err := newEmbedder(d, m.config, m.store)
	if err != nil {
		t.Fatal(err)
	}
	defer e.close()
	table := m.reader(opened(t, found, s)).table(opened(t, found, s).split("sensitive"))
	e.batches = smallBatches
	images, captions, err := e.table(t.Context(), table)
	if err != nil {
		t.Fatal(err)
	}
	e.batches = []int{2, 5}
	otherImages, otherCaptions, err := e.table(t.Context(), table)
	if err != nil {
		t.Fatal(err)
	}
	for _, pair := range [][2]metric.Matrix{{images, otherImages}, {captions, otherCaptions}} {
		if len(pair[0].Data) != len(pair[1].Data) || len(pair[0].Data) != 14*10 {
			t.Fatalf("%d and %d numbers", len(pair[0].Data), len(pair[1].Data))
		}
		for i, value := range pair[0].Data {
			if other := pair[1].Data[i]; value-other > 1e-6 || other-value > 1e-6 {
				t.Errorf("number %d is %v, then %v", i, value, other)
			}
		}
	}
}

// Package salmudownload writes small downloads for tests, in the schema of SALMUBench's published data and models. The
// people and pictures are fictitious.
package salmudownload

import (
	"bytes"
	"encoding/json"
	"fmt"
	"image"
	"image/color"
	"image/jpeg"
	"image/png"
	"os"
	"path/filepath"
	"testing"

	"github.com/parquet-go/parquet-go"
)

// record is a row in the format of Hugging Face's datasets library.
type record struct {
	Image    cell    `parquet:"image"`
	Text     string  `parquet:"text"`
	Identity *string `parquet:"identity_id,optional"`
	FileName string  `parquet:"file_name"`
}

type cell struct {
	Bytes []byte `parquet:"bytes,optional"`
	Path  string `parquet:"path,optional"`
}

// Identities of the people. Two are in forget and in holdout_association, two only in forget, and one is in
// holdout_identity.
const (
	ada, bob  = "00000101", "00000102"
	cleo, dan = "00000103", "00000104"
	eve       = "00000105"
)

var people = map[string]map[string]any{
	ada:  {"name": "Ada Berg", "city": "Oslo", "blood_type": "A+"},
	bob:  {"name": "Bob Ito", "city": "Kyoto", "blood_type": "B-"},
	cleo: {"name": "Cleo Diaz", "city": "Lima", "blood_type": "0+"},
	dan:  {"name": "Dan Okoro", "city": "Lagos", "blood_type": "AB+"},
	eve:  {"name": "Eve Roy", "city": "Pune", "blood_type": "A-"},
}

// split lists the identities of a split's rows, with "" for an unknown person.
type split struct {
	name   string
	shards int
	rows   []string
}

var splits = []split{
	{"forget", 2, []string{ada, cleo, bob, dan, ada, cleo, bob, dan}},
	{"holdout_association", 1, []string{ada, bob, ada}},
	{"holdout_identity", 1, []string{eve, eve, eve}},
	{"retain_synth", 1, []string{"", ada, "", eve, "", cleo, "", ""}},
}

// Benchmark writes salmubench-512-redistributed into dir. It has 22 pictures, 8 of them to be forgotten. The longer
// side of a picture has side pixels.
func Benchmark(t testing.TB, dir string, side int) {
	t.Helper()
	fields, generic, fragile := map[string]any{}, map[string]string{}, []string{}
	number := 0
	for _, s := range splits {
		var records []record
		for _, identity := range s.rows {
			r := record{cell{Bytes: picture(t, number, side)}, fmt.Sprintf("a portrait of a person, number %d", number),
				&identity, fmt.Sprintf("%s_%03d_ar-0.75.png", identity, number)}
			if identity == "" {
				r.Identity, r.FileName = nil, fmt.Sprintf("%08d_%03d_ar-0.75.png", 90000000+number, number)
			}
			if s.name != "retain_synth" {
				field := []string{"city", "blood_type"}[number%2]
				r.Text = fmt.Sprintf("The %s of %s is %s", field, people[identity]["name"], people[identity][field])
				fields[r.FileName], generic[r.FileName] = map[string]string{"data_field": field}, "a photo of a person"
			} else if identity == "" && len(fragile) < 2 {
				fragile = append(fragile, r.FileName)
			}
			records = append(records, r)
			number++
		}
		writeShards(t, dir, s, records)
	}
	for name, content := range map[string]any{
		"identities_metadata.json": people, "sensitive_set_captions_metadata.json": fields,
		"sensitive_set_generic_captions.json": generic,
		"fragile_set_ids.json":                fragile,
		"fragile_set_all_similarities.json":   map[string]float64{fragile[0]: 0.2, fragile[1]: 0.3},
	} {
		text, err := json.Marshal(content)
		if err != nil {
			t.Fatal(err)
		}
		write(t, filepath.Join(dir, name), text)
	}
}

func writeShards(t testing.TB, dir string, s split, records []record) {
	t.Helper()
	for shard := range s.shards {
		path := filepath.Join(dir, "data", fmt.Sprintf("%s-%05d-of-%05d.parquet", s.name, shard, s.shards))
		write(t, path, nil)
		if err := parquet.WriteFile(path,
			records[shard*len(records)/s.shards:(shard+1)*len(records)/s.shards]); err != nil {
			t.Fatal(err)
		}
	}
}

// ImageNet writes three pictures of two classes, and a file with the names of the classes.
func ImageNet(t testing.TB, dir string, side int) {
	t.Helper()
	for i, name := range []string{"n01/a.JPEG", "n01/b.JPEG", "n02/a.JPEG"} {
		write(t, filepath.Join(dir, name), picture(t, 100+i, side))
	}
	write(t, filepath.Join(dir, "classes.txt"), []byte("n01 tench\nn02 goldfish\n"))
}

// Retain writes six pictures, each with a file that has its caption.
func Retain(t testing.TB, dir string, side int) {
	t.Helper()
	for i := range 6 {
		write(t, filepath.Join(dir, fmt.Sprintf("%d.png", i)), picture(t, 200+i, side))
		write(t, filepath.Join(dir, fmt.Sprintf("%d.txt", i)), fmt.Appendf(nil, "a photo of thing number %d", i))
	}
}

// picture encodes a picture that depends on its number. One picture in five is a JPEG, the others are PNG.
func picture(t testing.TB, number, side int) []byte {
	t.Helper()
	m := image.NewNRGBA(image.Rect(0, 0, side, side*3/4+number%3))
	for y := range m.Rect.Dy() {
		for x := range m.Rect.Dx() {
			shade := uint8(255 * (x + y) / (2 * side))
			m.SetNRGBA(x, y, color.NRGBA{uint8(number * 37), shade, uint8((x*number + 3*y) % 256), 255})
		}
	}
	var content bytes.Buffer
	encode := func() error { return png.Encode(&content, m) }
	if number%5 == 0 {
		encode = func() error { return jpeg.Encode(&content, m, nil) }
	}
	if err := encode(); err != nil {
		t.Fatal(err)
	}
	return content.Bytes()
}

func write(t testing.TB, path string, content []byte) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, content, 0o644); err != nil {
		t.Fatal(err)
	}
}

// TruncatePicture cuts the file of the last picture of retain_synth in half.
func TruncatePicture(t testing.TB, dir string) {
	t.Helper()
	rewrite(t, filepath.Join(dir, "data", "retain_synth-00000-of-00001.parquet"), func(records []record) []record {
		last := &records[len(records)-1].Image
		last.Bytes = last.Bytes[:len(last.Bytes)/2]
		return records
	})
}

// DropCaptions removes the caption column from the identity holdout.
func DropCaptions(t testing.TB, dir string) {
	t.Helper()
	type mute struct {
		Image    cell    `parquet:"image"`
		Identity *string `parquet:"identity_id,optional"`
		FileName string  `parquet:"file_name"`
	}
	rewrite(t, filepath.Join(dir, "data", "holdout_identity-00000-of-00001.parquet"), func(records []record) []mute {
		mutes := make([]mute, len(records))
		for i, r := range records {
			mutes[i] = mute{r.Image, r.Identity, r.FileName}
		}
		return mutes
	})
}

func rewrite[T any](t testing.TB, path string, change func(records []record) []T) {
	t.Helper()
	records, err := parquet.ReadFile[record](path)
	if err != nil {
		t.Fatal(err)
	}
	if err := parquet.WriteFile(path, change(records)); err != nil {
		t.Fatal(err)
	}
}

package imagefolder

import (
	"encoding/binary"
	"fmt"
	"hash/crc32"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/parquet-go/parquet-go"
)

// read returns all samples of a folder.
func read(dir string, o Options) ([]Sample, error) {
	folder, err := Open(dir, o)
	if err != nil {
		return nil, err
	}
	var samples []Sample
	for sample, err := range folder.Samples() {
		if err != nil {
			return samples, err
		}
		samples = append(samples, sample)
	}
	return samples, nil
}

func TestLayouts_SameRows(t *testing.T) {
	captions := []string{"a desert rose", "naïve “tulip”", "", "two roses", "a rosé by the sea"}
	names := []string{"0.png", "more/1.jpg", "2.png", "3.png", "4.png"}
	sizes := [][2]int{{7, 5}, {24, 16}, {4, 9}, {6, 6}, {5, 11}}
	for _, dir := range []string{"testdata/lines", "testdata/parquet"} {
		samples, err := read(dir, Options{})
		if err != nil || len(samples) != len(captions) {
			t.Fatalf("%s: %d samples, %v", dir, len(samples), err)
		}
		for i, s := range samples {
			name := names[i]
			if dir == "testdata/parquet" {
				name = filepath.Base(name) // the Python library stores only the base name
			}
			if s.Caption != captions[i] || s.Name != name || [2]int{s.Image.Width, s.Image.Height} != sizes[i] {
				t.Errorf("%s, row %d: %q, %q, %d × %d", dir, i, s.Name, s.Caption, s.Image.Width, s.Image.Height)
			}
			if i == 1 {
				continue // JPEG changes pixels
			}
			marked, other := s.Image.Pix[3*(i%sizes[i][1]*sizes[i][0]+2):],
				s.Image.Pix[3*((i+1)%sizes[i][1])*sizes[i][0]:]
			if marked[0] != 255 || marked[1] != 20 || marked[2] != 0 || other[0] != byte(40*i) ||
				other[1] != byte(200-30*i) || other[2] != 90 {
				t.Errorf("%s, row %d: pixels %v and %v", dir, i, marked[:3], other[:3])
			}
		}
	}
}

func TestOptions_CaptionColumn(t *testing.T) {
	samples, err := read("testdata/parquet", Options{Caption: "caption", Split: "train"})
	if err != nil || len(samples) != 5 || samples[3].Caption != "number 3" {
		t.Errorf(`got %+v, %v, want 5 samples, [3].Caption "number 3"`, samples, err)
	}
}

func TestRead_StopsEarly(t *testing.T) {
	for _, dir := range []string{"testdata/lines", "testdata/parquet"} {
		folder, err := Open(dir, Options{})
		if err != nil {
			t.Fatal(err)
		}
		for range 2 { // the iterator can be used twice
			count := 0
			for sample, err := range folder.Samples() {
				if count++; err != nil || sample.Name != "0.png" {
					t.Errorf(`%s: got %q, %v, want sample.Name "0.png"`, dir, sample.Name, err)
				}
				break
			}
			if count != 1 {
				t.Errorf("%s: %d samples", dir, count)
			}
		}
	}
}

// hugePNG returns the beginning of a PNG file that claims 30,000 × 30,000 pixels.
func hugePNG() []byte {
	header := []byte("IHDR")
	header = binary.BigEndian.AppendUint32(header, 30_000)
	header = binary.BigEndian.AppendUint32(header, 30_000)
	header = append(header, 8, 2, 0, 0, 0)
	content := append([]byte("\x89PNG\r\n\x1a\n\x00\x00\x00\x0d"), header...)
	return binary.BigEndian.AppendUint32(content, crc32.ChecksumIEEE(header))
}

// folderOf writes files into a new temporary folder and returns its path.
func folderOf(t *testing.T, files map[string][]byte) string {
	dir := t.TempDir()
	for name, content := range files {
		path := filepath.Join(dir, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, content, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

func contentOf(t *testing.T, path string) []byte {
	content, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return content
}

func TestOpen_Refused(t *testing.T) {
	png := contentOf(t, "testdata/lines/0.png")
	shard := contentOf(t, "testdata/parquet/data/train-00000-of-00002-0123abcd.parquet")
	lines := func(text string) map[string][]byte {
		return map[string][]byte{"0.png": png, "cut.png": png[:len(png)-20], "huge.png": hugePNG(),
			"text.png": []byte("no picture"), "metadata.jsonl": []byte(text)}
	}
	tests := []struct {
		name    string
		files   map[string][]byte
		options Options
		want    []string
	}{
		{"a huge picture", lines(`{"file_name": "huge.png", "text": "a"}`), Options{},
			[]string{"huge.png", "30,000 × 30,000 pixels, at most 64 million are read"}},
		{"a cut picture", lines(`{"file_name": "0.png", "text": "a"}` + "\n" + `{"file_name": "cut.png", "text": "a"}`),
			Options{}, []string{"line 2", "cut.png", "not a whole PNG file"}},
		{"no picture", lines(`{"file_name": "text.png", "text": "a"}`), Options{},
			[]string{"text.png", "neither a PNG nor a JPEG file"}},
		{"a picture that is not there", lines(`{"file_name": "1.png", "text": "a"}`), Options{},
			[]string{"1.png", "no such file"}},
		{"no caption", lines(`{"file_name": "0.png", "label": "a"}`), Options{},
			[]string{"metadata.jsonl: line 1", `no column "text"; it has file_name, label`}},
		{"no caption near the end", lines(`{"file_name": "0.png", "text": "a"}` + "\n\n" + `{"file_name": "0.png"}`),
			Options{}, []string{"line 3", `no column "text"`}},
		{"a caption that is a number", lines(`{"file_name": "0.png", "text": 3}`), Options{},
			[]string{"line 1", "holds 3, not a text"}},
		{"a caption that is null", lines(`{"file_name": "0.png", "text": null}`), Options{},
			[]string{"line 1", "holds null, not a text"}},
		{"no file name", lines(`{"text": "a"}`), Options{}, []string{"line 1", `no column "file_name"`}},
		{"a way out", lines(`{"file_name": "../0.png", "text": "a"}`), Options{},
			[]string{"line 1", "leads out of the folder"}},
		{"another way out", lines(`{"file_name": "/etc/0.png", "text": "a"}`), Options{},
			[]string{"line 1", "leads out of the folder"}},
		{"half a line", lines(`{"file_name": "0.png", "te`), Options{}, []string{"line 1", "not a whole JSON object"}},
		{"a long line", lines(`{"file_name": "0.png", "text": "` + strings.Repeat("a", maxLine) + `"}`), Options{},
			[]string{"line 1", "longer than 1048576 bytes"}},
		{"no lines", lines("\n"), Options{}, []string{"it names no pictures"}},
		{"an empty folder", nil, Options{}, []string{"neither metadata.jsonl nor Parquet files"}},
		{"a missing shard", map[string][]byte{"data/train-00000-of-00002.parquet": shard}, Options{},
			[]string{`the split "train" has 1 of 2 files`}},
		{"two splits", map[string][]byte{"train-00000-of-00001.parquet": shard, "test-00000-of-00001.parquet": shard},
			Options{}, []string{`it has the splits ["test" "train"]`}},
		{"no such split", map[string][]byte{"train-00000-of-00001.parquet": shard}, Options{Split: "test"},
			[]string{`it has the splits ["train"]`}},
		{"no such column", map[string][]byte{"0000.parquet": shard}, Options{Caption: "label"},
			[]string{"0000.parquet", `no column "label"; it has`}},
		{"a cut Parquet file", map[string][]byte{"0000.parquet": shard[:len(shard)-9]}, Options{},
			[]string{"0000.parquet"}},
		{"no Parquet file", map[string][]byte{"0000.parquet": []byte("nothing of the kind")}, Options{},
			[]string{"0000.parquet"}},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			dir := folderOf(t, test.files)
			_, err := read(dir, test.options)
			checkError(t, err, test.want)
		})
	}
	_, err := read(filepath.Join(t.TempDir(), "none"), Options{})
	checkError(t, err, []string{"none", "no such file"})
}

func checkError(t *testing.T, err error, want []string) {
	t.Helper()
	if err == nil || strings.Contains(err.Error(), "\n") {
		t.Fatalf("error %v, want one line", err)
	}
	for _, part := range want {
		if !strings.Contains(err.Error(), part) {
			t.Errorf("error %q, want %q in it", err, part)
		}
	}
}

// A cell may have a picture's path without its bytes, and captions may be missing.
func TestRead_MissingCells(t *testing.T) {
	type picture struct {
		Bytes *[]byte `parquet:"bytes,optional"`
		Path  *string `parquet:"path,optional"`
	}
	type line struct {
		Image *picture `parquet:"image,optional"`
		Text  *string  `parquet:"text,optional"`
	}
	text, path := "a rose", "rose.png"
	png, huge := contentOf(t, "testdata/lines/0.png"), hugePNG()
	for _, test := range []struct {
		second line
		want   string
	}{
		{line{&picture{nil, &path}, &text}, `row 2: the image "rose.png" is not in the file`},
		{line{nil, &text}, `row 2: the image "" is not in the file`},
		{line{&picture{&png, &path}, nil}, `row 2: the column "text" is empty`},
		{line{&picture{&huge, &path}, &text}, `row 2: the image "rose.png": 30,000 × 30,000 pixels`},
	} {
		file := filepath.Join(t.TempDir(), "train.parquet")
		if err := parquet.WriteFile(file, []line{{&picture{&png, nil}, &text}, test.second}); err != nil {
			t.Fatal(err)
		}
		samples, err := read(filepath.Dir(file), Options{})
		if len(samples) != 1 {
			t.Errorf("%d whole rows, want the first", len(samples))
		}
		checkError(t, err, []string{"train.parquet", test.want})
	}
}

func ExampleFolder_Samples() {
	folder, err := Open("testdata/lines", Options{})
	if err != nil {
		fmt.Println(err)
		return
	}
	for sample, err := range folder.Samples() {
		if err != nil {
			fmt.Println(err)
			return
		}
		fmt.Printf("%s: %q, %d × %d\n", sample.Name, sample.Caption, sample.Image.Width, sample.Image.Height)
	}
	// Output:
	// 0.png: "a desert rose", 7 × 5
	// more/1.jpg: "naïve “tulip”", 24 × 16
	// 2.png: "", 4 × 9
	// 3.png: "two roses", 6 × 6
	// 4.png: "a rosé by the sea", 5 × 11
}

package salmu512

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/parquet-go/parquet-go"

	"github.com/unlearnlab/unlearnlab/unlearnkit/safefile"
)

func open(t *testing.T, dir string) *Data {
	t.Helper()
	data, err := Open(dir)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { data.Close() })
	return data
}

func Example() {
	data, err := Open("testdata/benchmark")
	if err != nil {
		panic(err)
	}
	defer data.Close()
	rows, err := data.Rows(ForgetIdentity)
	fmt.Println(len(rows), "rows,", rows[0].Identity, err)
	for sample, err := range data.Samples(FragileSet) {
		if err != nil {
			panic(err)
		}
		fmt.Printf("%s: %s, %d × %d pixels\n", sample.FileName, sample.Caption, sample.Image.Width, sample.Image.Height)
	}
	// Output:
	// 3 rows, 00000103 <nil>
	// 90000022_022_ar-0.75.png: a portrait of a person, 22, 11 × 7 pixels
	// 90000027_027_ar-0.75.png: a portrait of a person, 27, 11 × 6 pixels
}

// The script that writes the data determines the content of each row and who occurs in which split.
func TestSplits_Rules(t *testing.T) {
	tests := map[string]map[Split][]int{ // numbers of the expected rows, which the file names contain
		"benchmark": {
			Forget: {0, 1, 2, 3, 4, 5, 6, 7, 8, 9}, HoldoutAssociation: {10, 11, 12}, HoldoutIdentity: {13, 14, 15},
			RetainSynth:    {20, 21, 22, 23, 24, 25, 26, 27},
			ForgetIdentity: {1, 4, 8}, ForgetAssociation: {0, 2, 3, 5, 6, 7, 9},
			RetainJoint: {21, 23, 25}, RetainJointEval: {21, 25}, RetainDisjoint: {20, 22, 24, 26, 27},
			FragileSet: {22, 27},
		},
		"training": {Sensitive: {1, 2, 10, 13}, RetainSynth: {20, 21}, RetainJoint: {21}, RetainDisjoint: {20}},
	}
	for dir, splits := range tests {
		data := open(t, filepath.Join("testdata", dir))
		if len(data.Kind.Splits()) != len(splits) {
			t.Errorf("%s has the splits %v", dir, data.Kind.Splits())
		}
		for split, want := range splits {
			rows, err := data.Rows(split)
			if err != nil {
				t.Fatal(err)
			}
			var got []int
			for _, row := range rows {
				var person, number int
				if _, err := fmt.Sscanf(row.FileName, "%08d_%03d_ar-0.75", &person, &number); err != nil {
					t.Fatalf("%q: %v", row.FileName, err)
				}
				got = append(got, number)
				if !strings.Contains(row.Caption, fmt.Sprint(number)) || row.Identity != "" &&
					strings.TrimLeft(row.Identity, "0") != fmt.Sprint(person) {
					t.Errorf("%s %s: %+v", dir, split, row)
				}
			}
			if !slices.Equal(got, want) {
				t.Errorf("%s %s: rows %v, want %v", dir, split, got, want)
			}
		}
	}
	_, err := open(t, "testdata/training").Rows(Forget)
	if err == nil || !strings.Contains(err.Error(), `the training data have no split "forget"; they have [sensitive`) {
		t.Errorf("a split of the other data set: %v", err)
	}
	if _, err := open(t, "testdata/training").Side(); err == nil {
		t.Error("the training data have side files")
	}
}

func TestImages_AnyOrder(t *testing.T) {
	data := open(t, "testdata/benchmark")
	for _, split := range data.Kind.Splits() {
		rows, err := data.Rows(split)
		if err != nil {
			t.Fatal(err)
		}
		images := map[string]*safefile.Image{}
		count := 0
		for sample, err := range data.Samples(split) {
			if err != nil {
				t.Fatal(err)
			}
			if sample.Row != rows[count] {
				t.Errorf("%s: row %d is %v", split, count, sample.Row)
			}
			images[sample.FileName] = sample.Image
			count++
			number := 0
			fmt.Sscanf(sample.FileName[9:12], "%d", &number) //nolint:errcheck // a wrong number fails below
			if sample.Image.Width != 9+number%5 || sample.Image.Height != 6+number%3 {
				t.Errorf("%s has %d × %d pixels", sample.FileName, sample.Image.Width, sample.Image.Height)
			}
			if x := (number + 1) % sample.Image.Width; strings.HasSuffix(sample.FileName, "png") &&
				int(sample.Image.Pix[3*x]) != number*7%256 {
				t.Errorf("%s is another picture", sample.FileName)
			}
		}
		if count != len(rows) {
			t.Errorf("%s: %d samples of %d", split, count, len(rows))
		}
		for i := range rows {
			row := rows[(i*7+3)%len(rows)] // rows are read out of order
			image, err := data.Image(row)
			if err != nil || !cmp.Equal(image, images[row.FileName]) {
				t.Errorf("%s: %s: another image by itself, %v", split, row.FileName, err)
			}
		}
	}
	for range data.Samples(Forget) {
		break // after this, yield must not be called again
	}
	if _, err := data.Image(Row{Split: Forget, shard: 9}); err == nil {
		t.Error("a row of nowhere has an image")
	}
}

func TestSide_Shapes(t *testing.T) {
	dir := t.TempDir()
	copyTree(t, "testdata/benchmark", dir)
	side, err := open(t, dir).Side()
	if err != nil {
		t.Fatal(err)
	}
	if len(side.Identities) != 4 || side.Fields["00000102_011_ar-0.75.png"] != "city" ||
		side.Generic["00000104_013_ar-0.75.png"] != "a photo of a person" ||
		len(side.Fragile) != 2 || !side.Fragile["90000022_022_ar-0.75.png"] ||
		side.Similarities["90000020_020_ar-0.75.png"] < .2 {
		t.Errorf("%+v", side)
	}
	rewrite(t, dir, fileGeneric, `[{"file_name":"a","caption":"x"},{"file_name":"b","caption":"y"}]`)
	rewrite(t, dir, fileSimilarities, `[{"file_name":"a","similarity":0.5}]`)
	rewrite(t, dir, fileIdentities, `[{"identity_id":"00000101"}]`)
	side, err = open(t, dir).Side()
	if err != nil || side.Generic["b"] != "y" || side.Similarities["a"] != .5 || side.Identities["00000101"] == nil {
		t.Errorf(`got %+v, %v, want Generic["b"] "y", Similarities["a"] .5, Identities["00000101"] not nil`,
			side, err)
	}
}

func copyTree(t *testing.T, from, to string) {
	t.Helper()
	if err := os.CopyFS(to, os.DirFS(from)); err != nil {
		t.Fatal(err)
	}
}

func rewrite(t *testing.T, dir, name, content string) {
	t.Helper()
	if err := os.WriteFile(filepath.Join(dir, name), []byte(content), 0o644); err != nil {
		t.Fatal(err)
	}
}

// A complete download has no findings except about its size.
func TestCheck_WholeDownload(t *testing.T) {
	for _, deep := range []bool{false, true} {
		for dir, images := range map[string]int{"benchmark": 24, "training": 6} {
			r, err := Check(t.Context(), filepath.Join("testdata", dir), deep)
			if err != nil || !r.OK || r.Images != images || (r.Decoded == images) != deep ||
				len(r.Splits) != len(r.Kind.Splits()) {
				t.Fatalf("%s: got %+v, %v, want OK true, Images %v, (r.Decoded == images) %v, %v Splits",
					dir, r, err, images, deep, len(r.Kind.Splits()))
			}
			for _, f := range r.Findings {
				if f.Severity != "warning" || !strings.Contains(f.What, "published w") {
					t.Errorf(`%s: got %s, want Severity "warning", "published w" in What`, dir, f)
				}
			}
		}
	}
	r, err := Check(t.Context(), "testdata/benchmark", false)
	if err != nil {
		t.Fatal(err)
	}
	told := fmt.Sprint(r.Findings)
	for _, want := range []string{"warning: forget: 10 rows, published were 30468",
		"forget: 3 people, published were 580", "forget_identity: 3 rows, published were 15342",
		"retain_joint_eval: 2 rows, published were 749 or 1498", "fragile_set: 2 rows, published were 1574 or 787"} {
		if !strings.Contains(told, want) {
			t.Errorf("no %q in %s", want, told)
		}
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := Check(ctx, "testdata/benchmark", false); !errors.Is(err, context.Canceled) {
		t.Errorf("cancelled: %v", err)
	}
}

func TestCheck_Faults(t *testing.T) {
	remove := func(names ...string) func(string) error {
		return func(dir string) error {
			var problems []error
			for _, name := range names {
				problems = append(problems, os.Remove(filepath.Join(dir, name)))
			}
			return errors.Join(problems...)
		}
	}
	edit := func(name string, change func([]byte) []byte) func(string) error {
		return func(dir string) error {
			content, err := os.ReadFile(filepath.Join(dir, name))
			if err != nil {
				return err
			}
			return os.WriteFile(filepath.Join(dir, name), change(content), 0o644)
		}
	}
	put := func(name, content string) func(string) error {
		return edit(name, func([]byte) []byte { return []byte(content) })
	}
	damagedPNG := func(content []byte) []byte {
		at := strings.Index(string(content), "IEND\xaeB`\x82")
		content[at+1] = 'x' // damages the end of the first picture
		return content
	}
	const second = "data/forget-00001-of-00004.parquet"
	tests := map[string]struct {
		damage func(dir string) error
		want   []string
	}{
		"a missing shard": {remove(second), []string{"error: " + second + ": the file is missing"}},
		"a missing split": {remove("data/holdout_identity-00000-of-00001.parquet"),
			[]string{"error: data/holdout_identity-*.parquet: the split has no files"}},
		"two downloads in one": {func(dir string) error {
			return os.Rename(filepath.Join(dir, second), filepath.Join(dir, "data/forget-00001-of-00003.parquet"))
		}, []string{"error: data/forget-*.parquet: files of [4 3] parts are in one folder"}},
		"a truncated image": {func(dir string) error {
			whole := pictures(dir)
			return write(filepath.Join(dir, second),
				record{cell{whole[0][:len(whole[0])-20], ""}, "a", text("00000101"), "1.png"},
				record{cell{whole[0], ""}, "b", text("00000101"), "2.png"},
				record{cell{[]byte("GIF89a"), ""}, " ", text("00000101"), "3.png"}, record{cell{}, "d", nil, ""})
		}, []string{"row 1: image: not a whole PNG file", "row 3: image: neither a PNG nor a JPEG file",
			"row 3: the column text is empty", "row 4: the image is missing", "row 4: the column file_name is empty"}},
		"many empty images": {func(dir string) error {
			return write(filepath.Join(dir, second), make([]record, 50)...)
		}, []string{"145 more of this kind: download the file again"}},
		"a damaged image": {edit(second, damagedPNG),
			[]string{"error: " + second +
				": row 2: image: not a whole PNG file: png: invalid format: invalid checksum"}},
		"half a file": {edit(second, func(c []byte) []byte {
			return c[:len(c)/2]
		}), []string{"error: " + second + ": not a whole Parquet file"}},
		"an empty file": {put(second, ""), []string{"error: " + second + ": the file is empty"}},
		"a page of another world": {edit(second, func(c []byte) []byte {
			copy(c[4:], strings.Repeat("\xff", 40))
			return c
		}), []string{"error: " + second + ": row 1, column"}},
		"no side file": {remove(fileFragile, fileGeneric),
			[]string{"error: fragile_set_ids.json: the file is missing",
				"error: sensitive_set_generic_captions.json: the file is missing"}},
		"half a side file": {put(fileIdentities, `{"00000101": {"na`),
			[]string{"error: identities_metadata.json: not whole JSON at byte 17"}},
		"a side file of numbers": {put(fileCaptions, `{"a.png": 7}`),
			[]string{`error: sensitive_set_captions_metadata.json: "a.png": neither a string nor ` +
				`an object with ["data_field"]`}},
		"an object for a list": {put(fileFragile, `{"a": 1}`),
			[]string{"error: fragile_set_ids.json: it is not a list of file names"}},
		"fragile files elsewhere": {put(fileFragile, `["x.png", "90000022_022_ar-0.75.png"]`),
			[]string{`warning: fragile_set_ids.json: 1 of its files are not among the rows of retain_disjoint, ` +
				`such as "x.png"`}},
		"people without a record": {put(fileIdentities, `{}`),
			[]string{`warning: identities_metadata.json: 4 people are not in it, such as "00000101"`}},
		"rows without a caption": {put(fileGeneric, `{}`),
			[]string{"warning: sensitive_set_generic_captions.json: 16 sensitive rows are not in it"}},
		"people on the wrong side": {copyOver("data/holdout_association-00000-of-00001.parquet",
			"data/holdout_identity-00000-of-00001.parquet"),
			[]string{`warning: holdout_identity: 2 people also occur in forget, such as "00000101"`,
				"warning: holdout_identity: 3 file names occur twice"}},
		"strangers": {copyOver("data/holdout_identity-00000-of-00001.parquet",
			"data/holdout_association-00000-of-00001.parquet"),
			[]string{`warning: holdout_association: 1 people do not occur in forget, such as "00000104"`}},
		"people missing": {copyOver("data/retain_synth-00000-of-00001.parquet",
			"data/holdout_identity-00000-of-00001.parquet"),
			[]string{"warning: holdout_identity: 5 rows have no identity_id"}},
		"no folder": {os.RemoveAll,
			[]string{"error: .: read ", "no such file or directory; the folder of a download has data/"}},
		"nothing of ours": {func(dir string) error {
			return errors.Join(os.RemoveAll(filepath.Join(dir, "data")), os.Mkdir(filepath.Join(dir, "data"), 0o755))
		}, []string{"no files of the splits sensitive, retain_synth (training) or forget"}},
		"both data sets": {copyOver("data/retain_synth-00000-of-00001.parquet",
			"data/sensitive-00000-of-00001.parquet"), []string{"splits of both data sets"}},
	}
	for name, test := range tests {
		dir := t.TempDir()
		copyTree(t, "testdata/benchmark", dir)
		if err := test.damage(dir); err != nil {
			t.Fatal(err)
		}
		r, err := Check(t.Context(), dir, false)
		if err != nil {
			t.Fatal(err)
		}
		var told []string
		for _, f := range r.Findings {
			told = append(told, f.String())
		}
		all := strings.Join(told, "\n")
		failed := false
		for _, want := range test.want {
			failed = failed || strings.HasPrefix(want, "error") || !strings.Contains(want, ": ")
			if !strings.Contains(filepath.ToSlash(all), want) {
				t.Errorf("%s: no %q in\n%s", name, want, all)
			}
		}
		if strings.Count(all, "\n") != max(0, len(r.Findings)-1) {
			t.Errorf("%s: findings of several lines:\n%s", name, all)
		}
		if r.OK != !strings.Contains(all, "error: ") || failed && r.OK {
			t.Errorf("%s: ok %v with\n%s", name, r.OK, all)
		}
	}
}

// record is a row as written by the Python library datasets.
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

func text(s string) *string { return &s }

func write(path string, records ...record) error { return parquet.WriteFile(path, records) }

// pictures returns the encoded images in the first file of the split forget.
func pictures(dir string) (encoded [][]byte) {
	path := filepath.Join(dir, "data", "forget-00000-of-00004.parquet")
	err := readShard(path, true, func(_ Row, image []byte) error {
		encoded = append(encoded, slices.Clone(image))
		return nil
	})
	if err != nil {
		panic(err)
	}
	return encoded
}

func copyOver(from, to string) func(dir string) error {
	return func(dir string) error {
		content, err := os.ReadFile(filepath.Join(dir, from))
		if err != nil {
			return err
		}
		return os.WriteFile(filepath.Join(dir, to), content, 0o644)
	}
}

// Reading without a check first must also fail with a one-line error.
func TestReaders_Refuse(t *testing.T) {
	dir := t.TempDir()
	copyTree(t, "testdata/benchmark", dir)
	if _, err := Open(filepath.Join(dir, "data")); err == nil {
		t.Error("the folder below opens")
	}
	shard := filepath.Join(dir, "data", "forget-00002-of-00004.parquet")
	if err := safefile.WriteParquet(shard,
		[]safefile.Column{{Name: "file_name", Texts: []string{"a.png"}}, {Name: "identity_id", Texts: []string{"7"}},
			{Name: "image", Texts: []string{"x"}}}); err != nil {
		t.Fatal(err)
	}
	_, err := open(t, dir).Rows(Forget)
	if err == nil || !strings.Contains(err.Error(), shard+`: no column "text"; it has`) ||
		strings.Contains(err.Error(), "\n") {
		t.Errorf("without captions: %v", err)
	}
	r, err := Check(t.Context(), dir, false)
	if err != nil || r.OK || !strings.Contains(fmt.Sprint(r.Findings), `no column "text"`) {
		t.Errorf("got %v, %v, want OK false, %q in it", r, err, `no column "text"`)
	}
	if err := os.Remove(shard); err != nil {
		t.Fatal(err)
	}
	if _, err := Open(dir); err == nil ||
		!strings.Contains(err.Error(), "forget-00002-of-00004.parquet: the file is missing") {
		t.Errorf("without a shard: %v", err)
	}
}

func TestFind_Below(t *testing.T) {
	for dir, want := range map[string][]string{
		"testdata": {"testdata/benchmark", "testdata/training"}, "testdata/training": {"testdata/training"},
		"testdata/none": {"testdata/none"},
	} {
		if got := Find(filepath.FromSlash(dir)); !slices.Equal(got, want) {
			t.Errorf("%s: got %v, want %v", dir, got, want)
		}
	}
}

func TestFiles(t *testing.T) {
	for dir, want := range map[string]int{"benchmark": 12, "training": 2} {
		files := open(t, filepath.Join("testdata", dir)).Files()
		if len(files) != want {
			t.Errorf("%s: got %q, want length %v", dir, files, want)
		}
		for _, file := range files {
			if _, err := os.Stat(filepath.Join("testdata", dir, file)); err != nil {
				t.Error(err)
			}
		}
	}
}

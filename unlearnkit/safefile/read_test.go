package safefile

import (
	"fmt"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
)

func ExampleReadNumbers() {
	frame, err := ReadNumbers("testdata/pandas.csv", "ours", "gold")
	fmt.Println(frame.Column("gold").Values, err)
	_, err = ReadNumbers("testdata/pandas.csv", "ours", "silver")
	fmt.Println(err)
	_, err = ReadNumbers("testdata/pandas.csv", "name")
	fmt.Println(err)
	// Output:
	// [1 2 3 -4] <nil>
	// read testdata/pandas.csv: no column "silver"; it has "ours", "gold", "half", "right", "name", "maybe"
	// read testdata/pandas.csv: row 1 (line 2), column "name": "a" is not a number
}

func ExampleReadWords() {
	frame, err := ReadWords("testdata/pandas.csv", "name", "gold")
	fmt.Printf("%q %q %v\n", frame.Column("name").Texts, frame.Column("gold").Texts, err)
	// Output: ["a" "b" "c" "d"] ["1" "2" "3" "-4"] <nil>
}

func TestReadWords_Formats(t *testing.T) {
	halves, names := []string{"0.5", "1.5", "", "2.5"}, []string{"a", "b", "c", "d"}
	for _, test := range []struct {
		file, column string
		want         []string
	}{{"pandas.csv", "half", halves}, {"pandas.parquet", "half", halves}, {"gzip.parquet", "half", halves},
		{"pandas.csv", "name", names}, {"pandas.parquet", "name", names},
		{"bigendian.npy", "0", []string{"1.5", "-2"}}} {
		frame, err := ReadWords(filepath.Join("testdata", test.file), test.column)
		if err != nil {
			t.Error(err)
			continue
		}
		if diff := cmp.Diff(test.want, frame.Columns[0].Texts); diff != "" {
			t.Errorf("%s, %s: mismatch (-want +got):\n%s", test.file, test.column, diff)
		}
	}
	if _, err := ReadWords("testdata/pandas.csv", "silver"); err == nil || !strings.Contains(err.Error(), "no column") {
		t.Error(err)
	}
}

func TestRead_OtherPrograms(t *testing.T) {
	nan := math.NaN()
	table := map[string][]float64{
		"ours": {.1, .25, -3.5, 1e300}, "gold": {1, 2, 3, -4}, "half": {.5, 1.5, nan, 2.5}, "right": {1, 0, 1, 1},
		"maybe": {1, nan, 3, 4},
	}
	groups := make([]float64, 5000)
	for i := range groups {
		groups[i] = float64(i) / 7
	}
	tests := []struct {
		file string
		want map[string][]float64
	}{
		{"pandas.csv", table},
		{"pandas.parquet", table},
		{"gzip.parquet", table},
		{"groups.parquet", map[string][]float64{"x": groups}},
		{"vector.npy", map[string][]float64{"0": {1.5, -2, 3.25}}},
		{"matrix.npy", map[string][]float64{"0": {0, 2, 4}, "1": {1, 3, 5}}},
		{"columnmajor.npy", map[string][]float64{"0": {0, 2, 4}, "1": {1, 3, 5}}},
		{"bigendian.npy", map[string][]float64{"0": {1.5, -2}}},
	}
	for _, test := range tests {
		for name, want := range test.want {
			frame, err := ReadNumbers(filepath.Join("testdata", test.file), name)
			if err != nil {
				t.Error(err)
				continue
			}
			if diff := cmp.Diff(want, frame.Columns[0].Values, cmpopts.EquateNaNs()); diff != "" {
				t.Errorf("%s, %s: mismatch (-want +got):\n%s", test.file, name, diff)
			}
		}
	}
}

func TestRead_BadFiles(t *testing.T) {
	folder := t.TempDir()
	write := func(name, content string) string {
		path := filepath.Join(folder, name)
		if err := os.WriteFile(path, []byte(content), 0o644); err != nil {
			t.Fatal(err)
		}
		return path
	}
	whole, err := os.ReadFile("testdata/pandas.parquet")
	if err != nil {
		t.Fatal(err)
	}
	vector, err := os.ReadFile("testdata/vector.npy")
	if err != nil {
		t.Fatal(err)
	}
	tests := []struct{ path, says string }{
		{filepath.Join(folder, "none.csv"), "no such file"},
		{folder, "it is a folder"},
		{write("empty.csv", ""), "the file is empty"},
		{write("blank.csv", "\n\n"), "it has no header line"},
		{write("header.csv", "x,y\n"), "it has a header and no rows"},
		{write("noColumn.csv", "y,z\n1,2\n"), `no column "x"; it has "y", "z"`},
		{write("twice.csv", "x,x\n1,2\n"), `two columns are named "x"`},
		{write("text.csv", "x\n1\n2\nthree\n"), `row 3 (line 4), column "x": "three" is not a number`},
		{write("ragged.csv", "x,y\n1,2\n3\n"), "line 3: wrong number of fields"},
		{write("quote.csv", "x\n\"1\n"), "line 2: extraneous or missing \" in quoted-field"},
		{write("image.png", "x"), "its ending must be .csv, .tsv, .parquet or .npy"},
		{write("tiny.parquet", "PAR1"), "not a whole Parquet file"},
		{write("footer.parquet", string(whole[:len(whole)-8])+"\xff\xff\xff\xffPAR1"),
			"its footer claims 4294967295 bytes"},
		{write("cut.parquet", string(whole[:len(whole)/2])), "not a whole Parquet file"},
		{write("short.parquet", string(whole[:len(whole)-1])), "not a whole Parquet file"},
		{"testdata/lists.parquet", `no column "x"`},
		{"testdata/norows.parquet", "it has no rows"},
		{write("noColumn.parquet", string(whole)), `no column "x"; it has "ours"`},
		{write("cut.npy", string(vector[:len(vector)-3])), "needs 152 bytes, the file has 149"},
		{write("not.npy", "hello hello"), "not an npy file"},
		{"testdata/words.npy", `elements of type "<U1" are not read`},
		{"testdata/vector.npy", `no column "x"; it has "0"`},
	}
	for _, test := range tests {
		frame, err := ReadNumbers(test.path, "x")
		if err == nil {
			t.Errorf("%s: read as %v", test.path, frame.Columns)
			continue
		}
		message := err.Error()
		if !strings.Contains(message, test.says) || !strings.HasPrefix(message, "read "+test.path+": ") ||
			strings.Contains(message, "\n") {
			t.Errorf("%s:\n%s\ndoes not say %q", test.path, message, test.says)
		}
	}
}

func TestReadNumbers_Lists(t *testing.T) {
	_, err := ReadNumbers("testdata/lists.parquet")
	if err == nil || !strings.Contains(err.Error(), "lists inside cells are not read") {
		t.Error(err)
	}
}

func TestParquet_DamagedBytes(t *testing.T) {
	whole, err := os.ReadFile("testdata/pandas.parquet")
	if err != nil {
		t.Fatal(err)
	}
	for i := range whole {
		damaged := strings.NewReader(string(whole[:i]) + string(whole[i]^0x55) + string(whole[i+1:]))
		if _, err := parseParquet(damaged, int64(len(whole)), nil, false); err != nil &&
			strings.Contains(err.Error(), "\n") {
			t.Errorf("byte %d: more than one line: %s", i, err)
		}
	}
}

package safefile

import (
	"bytes"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"pgregory.net/rapid"
)

// part returns a part of a table with columns of all types, which begins with a number.
func part(first float64, rows int) []Column {
	all := []Column{{Name: "word", Texts: []string{}}, {Name: "double"}, {Name: "float", Type: AsFloat},
		{Name: "some", Type: AsOptionalFloat}, {Name: "count", Type: AsInteger}, {Name: "truth", Type: AsTruth}}
	for i := range rows {
		number := first + float64(i)
		all[0].Texts = append(all[0].Texts, strings.Repeat("w", i%3))
		for k, value := range []float64{number / 3, float64(float32(number / 3)), float64(float32(number / 7)), number,
			float64(i % 2)} {
			if k == 2 && i%2 == 1 {
				value = math.NaN()
			}
			all[k+1].Values = append(all[k+1].Values, value)
		}
	}
	return all
}

// written returns a table with the given parts.
func written(t testing.TB, parts ...[]Column) *Table {
	t.Helper()
	var content bytes.Buffer
	writer := NewTableWriter(&content, map[string]string{"about": "parts"})
	for _, columns := range parts {
		if err := writer.Write(columns); err != nil {
			t.Fatal(err)
		}
	}
	if err := writer.Close(); err != nil {
		t.Fatal(err)
	}
	table, err := OpenTable("parts", bytes.NewReader(content.Bytes()), int64(content.Len()))
	if err != nil {
		t.Fatal(err)
	}
	return table
}

func TestTable_Parts(t *testing.T) {
	table := written(t, part(0, 5), part(100, 7), part(200, 1))
	if table.Rows() != 13 || table.Note("about") != "parts" || table.Note("more") != "" {
		t.Errorf("%d rows, %q", table.Rows(), table.Note("about"))
	}
	if got := strings.Join(table.Columns(), " "); got != "word double float some count truth" {
		t.Errorf("the columns are %s", got)
	}
	for _, test := range []struct {
		first, rows int
		want        []Column
	}{{0, 5, part(0, 5)}, {5, 7, part(100, 7)}, {12, 1, part(200, 1)}} {
		frame, err := table.Read(test.first, test.rows)
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(test.want, frame.Columns, cmpopts.EquateNaNs()); diff != "" {
			t.Errorf("from row %d on: %s", test.first, diff)
		}
	}
	frame, err := table.Read(3, 6, "count") // rows of several parts
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff([]float64{3, 4, 100, 101, 102, 103}, frame.Columns[0].Values); diff != "" {
		t.Errorf("mismatch (-want +got):\n%s", diff)
	}
}

func TestTable_NoSuchPart(t *testing.T) {
	table := written(t, part(0, 5))
	for _, of := range [][2]int{{-1, 2}, {0, 0}, {0, 6}, {5, 1}, {2, math.MaxInt}} {
		if _, err := table.Read(of[0], of[1]); err == nil || !strings.Contains(err.Error(), "it has 5 rows") {
			t.Errorf(`%v: got the error %v, want one with "it has 5 rows"`, of, err)
		}
	}
	if _, err := table.Read(0, 2, "absent"); err == nil || !strings.Contains(err.Error(), `no column "absent"`) {
		t.Error(err)
	}
	if _, err := OpenTable("x", bytes.NewReader(nil), 0); err == nil {
		t.Error("an empty file is a table")
	}
	if err := NewTableWriter(&bytes.Buffer{}, nil).Close(); err == nil {
		t.Error("a table has no parts")
	}
}

func TestTable_MixedParts(t *testing.T) {
	fewer, other, words := part(0, 2)[:5], part(0, 2), part(0, 2)
	other[2].Type = AsDouble
	words[1] = Column{Name: "double", Texts: []string{"a", "b"}}
	more := append(part(0, 2), Column{Name: "more", Values: []float64{1, 2}})
	for name, columns := range map[string][]Column{
		"fewer": fewer, "another type": other, "words": words, "more": more,
	} {
		writer := NewTableWriter(&bytes.Buffer{}, nil)
		if err := writer.Write(part(0, 3)); err != nil {
			t.Fatal(err)
		}
		if err := writer.Write(columns); err == nil {
			t.Errorf("%s: it is written", name)
		}
	}
}

func TestTable_AnyRows(t *testing.T) {
	rapid.Check(t, func(r *rapid.T) {
		var parts [][]Column
		var all []float64
		for i := range rapid.IntRange(1, 4).Draw(r, "parts") {
			columns := part(float64(1000*i), rapid.IntRange(1, 30).Draw(r, "rows"))
			parts, all = append(parts, columns), append(all, columns[3].Values...)
		}
		table := written(t, parts...)
		first := rapid.IntRange(0, len(all)-1).Draw(r, "first")
		rows := rapid.IntRange(1, len(all)-first).Draw(r, "taken")
		frame, err := table.Read(first, rows, "some")
		if err != nil {
			r.Fatal(err)
		}
		if diff := cmp.Diff(all[first:first+rows], frame.Columns[0].Values, cmpopts.EquateNaNs()); diff != "" {
			r.Error(diff)
		}
	})
}

func TestTable_StructColumns(t *testing.T) {
	type row struct {
		Name string   `parquet:"name,dict"`
		At   int32    `parquet:"at"`
		Some *float32 `parquet:"some"`
	}
	half := float32(.5)
	path := filepath.Join(t.TempDir(), "x.parquet")
	if err := WriteRows(path, []row{{"a", 1, &half}, {"b", 2, nil}}); err != nil {
		t.Fatal(err)
	}
	frame, err := ReadParquet(path)
	if err != nil {
		t.Fatal(err)
	}
	want := []Column{{Name: "name", Texts: []string{"a", "b"}}, {Name: "at", Values: []float64{1, 2}, Type: AsInteger},
		{Name: "some", Values: []float64{.5, math.NaN()}, Type: AsOptionalFloat}}
	if diff := cmp.Diff(want, frame.Columns, cmpopts.EquateNaNs()); diff != "" {
		t.Errorf("mismatch (-want +got):\n%s", diff)
	}
	if _, err := frame.Numbers("name"); err == nil || !strings.Contains(err.Error(), path) {
		t.Error(err)
	}
	if _, err := frame.Words("some"); err == nil {
		t.Error("numbers are words")
	}
}

func FuzzTable(f *testing.F) {
	addFixtures(f, ".parquet")
	path := filepath.Join(f.TempDir(), "x.parquet")
	if err := WriteParquet(path, part(0, 9)); err != nil {
		f.Fatal(err)
	}
	content, err := os.ReadFile(path)
	if err != nil {
		f.Fatal(err)
	}
	f.Add(content)
	f.Fuzz(func(t *testing.T, content []byte) {
		table, err := OpenTable("fuzz", bytes.NewReader(content), int64(len(content)))
		if err != nil {
			checkFrame(t, nil, err)
			return
		}
		if table.Rows() > 1 {
			frame, err := table.Read(1, table.Rows()-1)
			checkFrame(t, frame, err)
		}
	})
}

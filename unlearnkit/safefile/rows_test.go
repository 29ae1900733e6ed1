package safefile

import (
	"math"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
)

// clip is a row with a field of every kind.
type clip struct {
	ID      string   `parquet:"id,dict"`
	Speaker int32    `parquet:"speaker"`
	Right   bool     `parquet:"right"`
	Loss    float64  `parquet:"loss"`
	Rank    *float32 `parquet:"rank"`
	Note    string   `parquet:"-"`
}

// writeClips writes two rows and returns them with the path.
func writeClips(t *testing.T) (string, []clip) {
	t.Helper()
	path, rank := filepath.Join(t.TempDir(), "clips.parquet"), float32(2)
	rows := []clip{{"a", 7, true, 0.1, &rank, ""}, {"b, \"c\"\nü", -1, false, math.NaN(), nil, ""}}
	if err := WriteRows(path, rows); err != nil {
		t.Fatal(err)
	}
	return path, rows
}

func TestReadRows_Written(t *testing.T) {
	path, want := writeClips(t)
	got, err := ReadRows[clip](path)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(want, got, cmpopts.EquateNaNs()); diff != "" {
		t.Errorf("(-want +got)\n%s", diff)
	}
}

func TestReadRows_OtherTypes(t *testing.T) {
	path, _ := writeClips(t)
	type other struct {
		Loss  *float64 `parquet:"loss"`
		Right int      `parquet:"right"`
		Rank  float64  `parquet:"rank"`
	}
	got, err := ReadRows[other](path)
	if err != nil {
		t.Fatal(err)
	}
	loss := 0.1
	if diff := cmp.Diff([]other{{&loss, 1, 2}, {nil, 0, math.NaN()}}, got, cmpopts.EquateNaNs()); diff != "" {
		t.Errorf("(-want +got)\n%s", diff)
	}
}

func TestReadRows_Refused(t *testing.T) {
	path, clips := writeClips(t)
	_, missing := ReadRows[struct {
		Silver string `parquet:"silver"`
	}](path)
	_, words := ReadRows[struct {
		ID float64 `parquet:"id"`
	}](path)
	_, numbers := ReadRows[struct {
		Loss string `parquet:"loss"`
	}](path)
	_, null := ReadRows[struct {
		Rank int `parquet:"rank"`
	}](path)
	_, broken := ReadRows[struct {
		Loss int `parquet:"loss"`
	}](path)
	_, untrue := ReadRows[struct {
		Speaker bool `parquet:"speaker"`
	}](path)
	_, older := RowsOf[struct {
		Latency float64 `parquet:"latency"`
	}](FrameOf(clips))
	_, none := ReadRows[clip](filepath.Join(t.TempDir(), "none.parquet"))
	for want, err := range map[string]error{
		`no column "silver"; it has "id", "speaker"`:                                                          missing,
		`no column "id" of numbers`:                                                                           words,
		`no column "loss" of words`:                                                                           numbers,
		`row 2, column "rank": NaN is no whole number of type int`:                                            null,
		`row 1, column "loss": 0.1 is no whole number of type int`:                                            broken,
		`row 1, column "speaker": 7 is neither true nor false`:                                                untrue,
		`read memory: it was written without the column "latency", which this version reads: use the version`: older,
		`none.parquet: no such file or directory`:                                                             none,
	} {
		if err == nil || !strings.Contains(err.Error(), want) || strings.Contains(err.Error(), "\n") {
			t.Errorf("got the error %v, want %s", err, want)
		}
	}
}

func TestFrameOf_RowsOf(t *testing.T) {
	_, want := writeClips(t)
	got, err := RowsOf[clip](FrameOf(want))
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(want, got, cmpopts.EquateNaNs()); diff != "" {
		t.Errorf("(-want +got)\n%s", diff)
	}
}

func TestFieldsOf_UnknownType(t *testing.T) {
	defer func() {
		want := "safefile: field A of struct { A []int } has the type []int, which no column has"
		if got := recover(); got != want {
			t.Errorf("it panics with %v, want %s", got, want)
		}
	}()
	FieldsOf[struct{ A []int }]()
}

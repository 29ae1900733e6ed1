package safefile

import (
	"strings"
	"testing"
)

func TestCSV_BlankTail(t *testing.T) {
	frame, err := parseCSV(strings.NewReader("x,y,z\n1,4,\n2,,\n3, ,\n4,nan,\n"), false, nil, false)
	if err != nil {
		t.Fatal(err)
	}
	for i, want := range []int{0, 0, 4} { // "nan" is not a blank
		if got := frame.Columns[i].Blank; got != want {
			t.Errorf("column %s: %d, want %d", frame.Columns[i].Name, got, want)
		}
	}
	if frame, err = parseCSV(strings.NewReader("x,y\n1,4\n2,\n3, \n"), false, nil, false); err != nil ||
		frame.Columns[1].Blank != 2 {
		t.Errorf("got %v, %v, want Columns[1].Blank 2", frame, err)
	}
}

func TestCSV_TooLarge(t *testing.T) {
	for _, cell := range []string{"1e400", "-1e309"} {
		_, err := parseCSV(strings.NewReader("x\n1\n"+cell+"\n"), false, nil, false)
		want := `row 2 (line 3), column "x": "` + cell + `" is not a number that fits`
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: got the error %v, want one with %q", cell, err, want)
		}
	}
	if frame, err := parseCSV(strings.NewReader("x\n1e-400\n"), false, nil, false); err != nil ||
		frame.Columns[0].Values[0] != 0 {
		t.Errorf("a number that is next to nothing: %v, %v", frame, err)
	}
}

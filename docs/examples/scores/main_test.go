package main

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/unlearnlab/unlearnlab/unlearnkit/safefile"
)

// The committed file equals the output of this program.
func TestScores_Committed(t *testing.T) {
	frame, err := safefile.ReadNumbers("../scores.csv")
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(columns(), frame.Columns); diff != "" {
		t.Error(diff)
	}
}

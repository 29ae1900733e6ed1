package studies

import (
	"errors"
	"io"
	"slices"
	"testing"

	"github.com/unlearnlab/unlearnlab/unlearnkit/study"
	"github.com/unlearnlab/unlearnlab/unlearnkit/study/preset"
)

func TestRichest(t *testing.T) {
	lacks := &study.Lacks{Preset: "any", Why: "has no such table"}
	failed := errors.New("failed")
	for _, test := range []struct {
		asked   string
		answers []error // answers of do, one for each call
		want    []string
		err     error
	}{
		{"", []error{nil}, []string{"worlds"}, nil},
		{"", []error{lacks, nil}, []string{"worlds", "mini"}, nil},
		{"", []error{failed}, []string{"worlds"}, failed},
		{"", []error{lacks, lacks}, []string{"worlds", "mini"}, lacks}, // nothing else ships
		{preset.Default, []error{lacks}, []string{preset.Default}, lacks},
	} {
		var called []string
		err := Flags{Preset: test.asked, Home: t.TempDir()}.Richest("salmu", io.Discard, func(f Flags) error {
			called = append(called, f.Preset)
			return test.answers[len(called)-1]
		})
		if !slices.Equal(called, test.want) || !errors.Is(err, test.err) {
			t.Errorf("asked for %q: read %v with %v, want %v with %v", test.asked, called, err, test.want, test.err)
		}
	}
}

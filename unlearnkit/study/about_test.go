package study_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/unlearnlab/unlearnlab/unlearnkit/study"
)

func TestStudy_Terms(t *testing.T) {
	s := study.Study{Text: "What the paper\nasks.\n\n- **Gold**: a model: one\n  that never saw it\n" +
		"- **1x, 5x**: passes\n"}
	if got, want := s.About(), "What the paper asks."; got != want {
		t.Errorf("about %q, want %q", got, want)
	}
	want := []study.Item{{Name: "Gold", About: "a model: one that never saw it"}, {Name: "1x, 5x", About: "passes"}}
	if diff := cmp.Diff(want, s.Terms()); diff != "" {
		t.Errorf("terms: (-want +got)\n%s", diff)
	}
	if empty := (&study.Study{}); empty.About() != "" || empty.Terms() != nil {
		t.Errorf("without a text: %q, %v", empty.About(), empty.Terms())
	}
}

package lab

import (
	"errors"
	"slices"
	"testing"
)

// A corpus is opened once, unless opening fails.
func TestCorpora_OpenedOnce(t *testing.T) {
	var corpora Corpora[string]
	opened := 0
	open := func() (string, error) {
		if opened++; opened == 1 {
			return "half", errors.New("the disk is full")
		}
		return "whole", nil
	}
	if got, err := corpora.Of("a", open); err == nil || got != "" {
		t.Errorf(`got %q, %v, want an error, ""`, got, err)
	}
	for range 2 {
		if got, err := corpora.Of("a", open); err != nil || got != "whole" || opened != 2 {
			t.Errorf("%q, %v, opened %d times", got, err, opened)
		}
	}
	if _, err := corpora.Of("b", open); err != nil || opened != 3 {
		t.Errorf("another spec: %v, opened %d times", err, opened)
	}
}

func TestCorpora_LastKept(t *testing.T) {
	var corpora Corpora[string]
	var opened []string
	ask := func(name string) {
		got, err := corpora.Of(name, func() (string, error) {
			opened = append(opened, name)
			return "corpus " + name, nil
		})
		if err != nil || got != "corpus "+name {
			t.Errorf("%s: got %q, %v, want %q", name, got, err, "corpus "+name)
		}
	}
	for _, name := range []string{"a", "b", "c", "a", "d", "a", "c", "b"} {
		ask(name)
	}
	if want := []string{"a", "b", "c", "d", "b"}; !slices.Equal(opened, want) {
		t.Errorf("opened %v, want %v", opened, want)
	}
}

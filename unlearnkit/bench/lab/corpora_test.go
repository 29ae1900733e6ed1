package lab

import (
	"errors"
	"testing"
)

func TestACorpusIsOpenedOnceUnlessThatFails(t *testing.T) {
	var corpora Corpora[string]
	opened := 0
	open := func() (string, error) {
		if opened++; opened == 1 {
			return "half", errors.New("the disk is full")
		}
		return "whole", nil
	}
	if got, err := corpora.Of("a", open); err == nil || got != "" {
		t.Errorf("%q, %v", got, err)
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

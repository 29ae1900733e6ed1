package denoising_test

import (
	"slices"
	"testing"

	"github.com/unlearnlab/unlearnlab/internal/testkit/unlearntest"
	"github.com/unlearnlab/unlearnlab/unlearnkit/unlearn/catalogue"
	"github.com/unlearnlab/unlearnlab/unlearnkit/unlearn/denoising"
)

func TestMethods_Catalogue(t *testing.T) {
	readFrozen := []string{"esd-x", "esd-u", "esd-x-newer", "esd-u-newer"}
	entries := catalogue.Denoising.Entries()
	for i, m := range denoising.Methods() {
		if i >= len(entries) || m.Name != entries[i].Name || m.Version != entries[i].Version ||
			m.Reference != slices.Contains(readFrozen, m.Name) {
			t.Errorf("method %d is %s, version %d; it reads the frozen model: %v", i, m.Name, m.Version, m.Reference)
		}
	}
	if len(denoising.Methods()) != len(entries) {
		t.Errorf("the catalogue has %d methods", len(entries))
	}
}

func TestEveryMethod_Digests(t *testing.T) {
	unlearntest.Watch(t)
	digests := map[string]string{}
	for _, m := range denoising.Methods() {
		digests[m.Name] = unlearntest.Digest(t, erasing(t, m, 1, 3))
	}
	unlearntest.CompareDigests(t, "testdata/digests.json", digests)
}

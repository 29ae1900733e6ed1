// Package catalogue lists the methods of unlearning: their names, versions and settings, without their code.
//
// It links no networks, so presets, tables and the command can read it. The packages that implement the methods take
// name, version and settings from here as well, so each is written only once:
//
//	entry, err := catalogue.Contrastive.Lookup("negative")
//	rate, err := entry.Setting("rate")
//
// Your own method has its own entry next to its loss.
package catalogue

import (
	"fmt"
	"slices"
	"strings"

	"github.com/unlearnlab/unlearnlab/internal/spelling"
)

// Modality is a kind of model. The package with the same name below unlearn implements its methods.
type Modality string

// The modalities.
const (
	Contrastive Modality = "contrastive" // models that embed images and texts
	Denoising   Modality = "denoising"   // models that draw pictures from texts by predicting noise
	Classifying Modality = "classifying" // models that classify
	Answering   Modality = "answering"   // models that answer questions about pictures
)

// Entry describes a method of unlearning.
type Entry struct {
	Modality Modality // kind of model; empty for your own method
	Name     string   // name in specs and on the command line
	Title    string   // title as the paper prints it
	// Version increases when the method's results change, so that results of different versions are not mixed up.
	Version  int
	Source   string // publication of the method
	Settings []Setting
	// Passes are the budgets at which the method can be evaluated; nil means any. A method that runs only once has {1}.
	Passes []int
	// Rates are the learning rates from which the paper chooses by its score; nil if it prints the chosen rate.
	Rates []float64
	// Work returns the method's cost for its settings; nil if it is not counted. See [Entry.Cost].
	Work func(setting func(name string) float64) Work
}

// Entries lists the methods of a modality, in the order of the papers' tables.
func (m Modality) Entries() []Entry {
	switch m {
	case Contrastive:
		return contrastive()
	case Denoising:
		return denoising()
	case Classifying:
		return classifying()
	case Answering:
		return answering()
	}
	return nil
}

// withModality sets the modality of entries.
func withModality(modality Modality, entries []Entry) []Entry {
	for i := range entries {
		entries[i].Modality = modality
	}
	return entries
}

// Lookup returns the method with the name. The error for an unknown name suggests the nearest one.
func (m Modality) Lookup(name string) (Entry, error) {
	entries := m.Entries()
	at := slices.IndexFunc(entries, func(e Entry) bool { return e.Name == name })
	if at < 0 {
		return Entry{}, fmt.Errorf("no %s method is called %q%s", m, name, Hint(name, entries))
	}
	return entries[at], nil
}

// Entry returns the method with a name that is written in the program; it panics if the name is unknown.
func (m Modality) Entry(name string) Entry {
	entry, err := m.Lookup(name)
	if err != nil {
		panic(err)
	}
	return entry
}

// Hint returns the end of an error about an unknown name: the nearest name, or all names.
func Hint(name string, entries []Entry) string {
	var names []string
	for _, e := range entries {
		names = append(names, e.Name)
	}
	if guess := spelling.Nearest(name, names); guess != "" {
		return fmt.Sprintf("; did you mean %q?", guess)
	}
	return "; there are " + strings.Join(names, ", ")
}

// Package preset names the sizes that studies come in.
package preset

const (
	// Smoke shows that everything runs; its numbers mean nothing.
	Smoke = "smoke"
	// Default is the preset of who asks for none: first contact.
	Default = "quick"
	// Whole is a paper's whole structure in small worlds.
	Whole = "mini"
	// Paper is that of a paper's own data and models, in the studies that have one.
	Paper = "paper"
)

// Names are all presets, the smallest first: seconds to see that everything runs, first contact, the paper's whole
// structure in small worlds, and its own data and models. A study has some of them.
var Names = []string{Smoke, Default, Whole, Paper}

// Short are the presets that are made while somebody waits.
var Short = []string{Smoke, Default}

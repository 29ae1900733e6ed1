// Package preset names the sizes of studies.
package preset

const (
	// Smoke checks that everything runs; its numbers are meaningless.
	Smoke = "smoke"
	// Default is the default preset, for a first contact.
	Default = "quick"
	// Whole has a paper's whole structure in small worlds.
	Whole = "mini"
	// Paper uses a paper's own data and models, if a study has this preset.
	Paper = "paper"
)

// Names lists all presets, smallest first. A study may lack some of them.
var Names = []string{Smoke, Default, Whole, Paper}

// Short lists the presets that are fast enough to wait for.
var Short = []string{Smoke, Default}

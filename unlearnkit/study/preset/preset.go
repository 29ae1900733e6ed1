// Package preset defines the names of presets, which determine the size of a study.
package preset

const (
	// Smoke checks that everything runs. Its numbers are meaningless.
	Smoke = "smoke"
	// Default is the preset for first use.
	Default = "quick"
	// Whole has the paper's full design at small size.
	Whole = "mini"
	// Paper uses the paper's own data and models. Not every study has this preset.
	Paper = "paper"
)

// Names lists all presets, smallest first. A study may lack some of them.
var Names = []string{Smoke, Default, Whole, Paper}

// Short lists the presets that are fast enough to wait for.
var Short = []string{Smoke, Default}

package kernelext

import (
	"fmt"
	"os"
	"slices"
	"strings"

	"github.com/unlearnlab/unlearnlab/unlearnkit/study/preset"
	"github.com/unlearnlab/unlearnlab/unlearnkit/study/store"
)

// The environment variables that a kernel's cells, and the command, read.
const (
	HomeVariable   = store.HomeVariable
	PresetVariable = "UNLEARNLAB_PRESET"
	DeviceVariable = "UNLEARNLAB_DEVICE"
)

// Presets are the sizes in which every study runs: seconds to see that everything runs, first contact, the papers'
// whole structure in small worlds, and the real models and data.
func Presets() []string { return slices.Clone(preset.Names) }

// A Setting is a value and where it came from: an environment variable, or "default".
type Setting struct{ Value, From string }

// String is the value.
func (s Setting) String() string { return s.Value }

// A Laboratory is what a cell needs to know about where it runs.
type Laboratory struct {
	Home   Setting // the folder with the store of results
	Preset Setting // one of Presets
	Device Setting // what computes; "auto" picks
}

// Lab returns the laboratory of this kernel, read from the environment. A preset that does not exist ends the cell with
// a box that names those that do.
func Lab() Laboratory { return Must(laboratory(os.Getenv, store.Home)) }

func laboratory(getenv func(string) string, home func() (folder, from string, err error)) (Laboratory, error) {
	setting := func(variable, otherwise string) Setting {
		if value := strings.TrimSpace(getenv(variable)); value != "" {
			return Setting{value, "$" + variable}
		}
		return Setting{otherwise, "default"}
	}
	lab := Laboratory{Preset: setting(PresetVariable, preset.Default), Device: setting(DeviceVariable, "auto")}
	if !slices.Contains(Presets(), lab.Preset.Value) {
		return lab, fmt.Errorf("preset %q of %s does not exist; choose one of %s", lab.Preset.Value, lab.Preset.From,
			strings.Join(Presets(), ", "))
	}
	var err error
	lab.Home.Value, lab.Home.From, err = home()
	return lab, err
}

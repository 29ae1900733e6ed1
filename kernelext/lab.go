package kernelext

import (
	"fmt"
	"os"
	"slices"
	"strings"

	"github.com/unlearnlab/unlearnlab/unlearnkit/study/preset"
	"github.com/unlearnlab/unlearnlab/unlearnkit/study/store"
)

// Environment variables read by cells and by the command.
const (
	HomeVariable   = store.HomeVariable
	PresetVariable = "UNLEARNLAB_PRESET"
	DeviceVariable = "UNLEARNLAB_DEVICE"
)

// Presets returns the names of the presets, from small to large: a check that everything runs, a first contact, the
// papers' full design in small worlds, and the real models and data.
func Presets() []string { return slices.Clone(preset.Names) }

// A Setting is a value and its origin, an environment variable or "default".
type Setting struct{ Value, From string }

// String returns the value.
func (s Setting) String() string { return s.Value }

// A Laboratory holds a cell's settings.
type Laboratory struct {
	Home   Setting // folder with the store of results
	Preset Setting // name of a preset
	Device Setting // device that computes; "auto" chooses one
}

// Lab reads the settings from the environment. If the preset does not exist, Lab ends the cell with a box that lists
// the presets.
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

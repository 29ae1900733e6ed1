// Package results holds what ships with the program: raw scores of the studies with their manifests, and the base models that the quick presets start from.
package results

import (
	"embed"
	"io/fs"
)

//go:embed all:salmu
var shipped embed.FS

// Papers are those of which something ships.
var Papers = []string{"salmu"}

// Of returns the artifacts of a paper, a layer for store.Shipped.
func Of(paper string) (fs.FS, error) { return fs.Sub(shipped, paper) }

// Package results holds what ships with the program: raw scores of the studies with their manifests, and base models.
package results

import (
	"embed"
	"io/fs"

	"github.com/unlearnlab/unlearnlab/unlearnkit/store"
)

//go:embed all:salmu all:concealment
var shipped embed.FS

// Papers are those of which something ships.
var Papers = []string{"salmu", "concealment"}

// Of returns the artifacts of a paper, a layer for store.Shipped.
func Of(paper string) (fs.FS, error) { return fs.Sub(shipped, paper) }

// OpenStore opens the store in a folder, with what ships of a paper below it.
func OpenStore(paper, folder string, options ...store.Option) (*store.Store, error) {
	shipped, err := Of(paper)
	if err != nil {
		return nil, err
	}
	return store.Open(folder, append(options, store.Shipped(shipped))...)
}

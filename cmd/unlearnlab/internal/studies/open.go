package studies

import (
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/unlearnlab/unlearnlab/cmd/unlearnlab/internal/cli"
	paperdata "github.com/unlearnlab/unlearnlab/data/papers"
	"github.com/unlearnlab/unlearnlab/unlearnkit/papers"
	"github.com/unlearnlab/unlearnlab/unlearnkit/study/store"
)

// CheckPaper returns a usage error for an unknown paper.
func CheckPaper(name string) error {
	if !slices.Contains(paperdata.Names, name) {
		return cli.Usagef("there is no paper %q; the papers are %s", name, strings.Join(paperdata.Names, ", "))
	}
	return nil
}

// OpenStore opens the store in a folder, or in the laboratory's folder if none is given. Results that ship with the
// program are below it.
func OpenStore(folder string) (*store.Store, error) {
	if folder == "" {
		home, _, err := store.Home()
		if err != nil {
			return nil, err
		}
		folder = home
	}
	var shelves []store.Shelf
	for _, s := range papers.All {
		shelves = append(shelves, s.Shelves()...)
	}
	return store.Open(folder, store.Above(shelves...))
}

// HomeFlag adds the flag --home of all verbs that use the store.
func HomeFlag(command *cobra.Command, home *string) {
	command.Flags().StringVar(home, "home", "",
		"the laboratory's folder (default $"+store.HomeVariable+", else unlearnlab in the user's cache folder)")
}

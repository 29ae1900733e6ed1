package main

import (
	"slices"
	"strings"

	"github.com/spf13/cobra"
	paperdata "github.com/unlearnlab/unlearnlab/data/papers"
	"github.com/unlearnlab/unlearnlab/unlearnkit/papers"
	"github.com/unlearnlab/unlearnlab/unlearnkit/study/store"
)

// checkPaper returns a usage error for an unknown paper.
func checkPaper(name string) error {
	if !slices.Contains(paperdata.Names, name) {
		return usagef("there is no paper %q; the papers are %s", name, strings.Join(paperdata.Names, ", "))
	}
	return nil
}

// openStore opens the store in a folder, or in the laboratory's folder if none is given. Results that ship with the
// program are below it.
func openStore(folder string) (*store.Store, error) {
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

// homeFlag adds the flag --home of all verbs that use the store.
func homeFlag(command *cobra.Command, home *string) {
	command.Flags().StringVar(home, "home", "",
		"the laboratory's folder (default $"+store.HomeVariable+", else unlearnlab in the user's cache folder)")
}

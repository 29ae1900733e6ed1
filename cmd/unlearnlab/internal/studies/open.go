package studies

import (
	"context"
	"errors"
	"strings"

	"github.com/spf13/cobra"

	"github.com/unlearnlab/unlearnlab/cmd/unlearnlab/internal/cli"
	"github.com/unlearnlab/unlearnlab/unlearnkit/papers"
	"github.com/unlearnlab/unlearnlab/unlearnkit/study/store"
	"github.com/unlearnlab/unlearnlab/unlearnkit/study/store/bucket"
)

// CheckPaper returns a usage error for an unknown paper.
func CheckPaper(name string) error {
	if papers.Of(name) == nil {
		return cli.Usagef("there is no paper %q; the papers are %s", name, strings.Join(papers.Papers(), ", "))
	}
	return nil
}

// OpenStore opens the store in a folder, by default in the laboratory's home. Results that ship with the program are
// below it. With $UNLEARNLAB_STORE, it shares results with other machines.
func OpenStore(folder string) (*store.Store, error) {
	var options []store.Option
	if folder == "" {
		home, from, err := store.Home()
		if err != nil {
			return nil, err
		}
		folder = home
		if from == store.Default {
			options = append(options, store.EmptyIfDenied())
		}
	}
	var shelves []store.Shelf
	for _, s := range papers.All {
		shelves = append(shelves, s.Shelves()...)
	}
	options = append(options, store.Above(shelves...))
	objects, err := bucket.FromEnvironment(context.Background())
	if errors.As(err, new(*bucket.URLError)) {
		return nil, cli.Usage(err)
	}
	if err != nil {
		return nil, err
	}
	if objects != nil {
		options = append(options, store.Shared(objects))
	}
	return store.Open(folder, options...)
}

// HomeFlag adds the flag --home, which all commands with a store share.
func HomeFlag(command *cobra.Command, home *string) {
	command.Flags().StringVar(home, "home", "",
		"the laboratory's folder (default $"+store.HomeVariable+", else unlearnlab in the user's cache folder)")
}

// Package data lists, checks, imports and exports stored results and data sets.
package data

import (
	"fmt"
	"io"
	"maps"
	"os"
	"slices"

	"github.com/spf13/cobra"

	"github.com/unlearnlab/unlearnlab/cmd/unlearnlab/internal/cli"
	"github.com/unlearnlab/unlearnlab/cmd/unlearnlab/internal/studies"
	"github.com/unlearnlab/unlearnlab/unlearnkit/study/store"
)

func Command() *cobra.Command {
	command := &cobra.Command{
		Use:   "data",
		Short: "List, check, import and export stored results and data sets",
		Args:  cobra.ArbitraryArgs,
		RunE: func(c *cobra.Command, args []string) error {
			return cli.VerbOrHelp(c, args)
		},
	}
	command.AddCommand(dataListCommand(), dataCheckCommand(), dataImportCommand(),
		dataExportCommand())
	return command
}

// storeFlags holds the flags shared by the commands that use the store.
type storeFlags struct {
	home   string
	asJSON bool
}

func (f *storeFlags) add(command *cobra.Command) {
	studies.HomeFlag(command, &f.home)
	command.Flags().BoolVar(&f.asJSON, "json", false, "one JSON object")
}

// stored is the content of the store.
type stored struct {
	Home      string         `json:"home"`
	Data      []registered   `json:"data"`
	Artifacts []stageContent `json:"artifacts"`
	Damaged   []damage       `json:"damaged"`
}

// registered is an imported data set.
type registered struct {
	Name   string `json:"name"`
	Folder string `json:"folder"`
	There  bool   `json:"there"`
}

// stageContent counts the results of one stage.
type stageContent struct {
	Stage string `json:"stage"`
	Count int    `json:"count"`
	Bytes int64  `json:"bytes"`
}

// damage is a stored result that is damaged.
type damage struct {
	Key    store.Key `json:"key"`
	Folder string    `json:"folder"`
	File   string    `json:"file"`
	Reason string    `json:"reason"`
}

func damageOf(d *store.Damaged) damage { return damage{d.Key, d.Dir, d.File, d.Reason} }

func dataListCommand() *cobra.Command {
	var flags storeFlags
	command := &cobra.Command{
		Use:   "list",
		Short: "List the results, stored and shipped, by stage, and the imported data sets",
		Args:  cli.ExactArgs(0, "no argument"),
		RunE: func(c *cobra.Command, _ []string) error {
			s, err := studies.OpenStore(flags.home)
			if err != nil {
				return err
			}
			found, err := listStored(s)
			if err != nil {
				return err
			}
			if flags.asJSON {
				return cli.WriteJSON(c.OutOrStdout(), found)
			}
			found.write(c.OutOrStdout())
			return nil
		},
	}
	flags.add(command)
	return command
}

func listStored(s *store.Store) (stored, error) {
	found := stored{Home: s.Folder(), Data: []registered{}, Artifacts: []stageContent{}, Damaged: []damage{}}
	folders, err := s.Data()
	if err != nil {
		return found, err
	}
	for _, name := range slices.Sorted(maps.Keys(folders)) {
		_, err := os.Stat(folders[name])
		found.Data = append(found.Data, registered{name, folders[name], err == nil})
	}
	manifests, damaged, err := s.List()
	if err != nil {
		return found, err
	}
	for _, m := range manifests { // sorted by stage
		if last := len(found.Artifacts) - 1; last < 0 || found.Artifacts[last].Stage != m.Stage {
			found.Artifacts = append(found.Artifacts, stageContent{Stage: m.Stage})
		}
		content := &found.Artifacts[len(found.Artifacts)-1]
		content.Count++
		for _, file := range m.Files {
			content.Bytes += file.Size
		}
	}
	for _, d := range damaged {
		found.Damaged = append(found.Damaged, damageOf(d))
	}
	return found, nil
}

func (s stored) write(w io.Writer) {
	fmt.Fprintf(w, "store %s\n", s.Home)
	for _, content := range s.Artifacts {
		fmt.Fprintf(w, "  %-28s %5d results %10.1f MB\n", content.Stage, content.Count, float64(content.Bytes)/1e6)
	}
	for _, d := range s.Data {
		missing := ""
		if !d.There {
			missing = ", which is missing"
		}
		fmt.Fprintf(w, "data %s in %s%s\n", d.Name, d.Folder, missing)
	}
	writeDamage(w, s.Damaged)
	if len(s.Artifacts)+len(s.Data)+len(s.Damaged) == 0 {
		fmt.Fprintln(w, "  nothing yet")
	}
}

func writeDamage(w io.Writer, damaged []damage) {
	for _, d := range damaged {
		fmt.Fprintf(w, "DAMAGED %s: %s: %s\n", d.Folder, d.File, d.Reason)
	}
}

package language

import (
	"context"
	"fmt"
	"io"
	"path/filepath"
	"slices"
	"strings"

	"github.com/unlearnlab/unlearnlab/cmd/unlearnlab/internal/cli"
	"github.com/unlearnlab/unlearnlab/unlearnkit/attack/exposure"
	"github.com/unlearnlab/unlearnlab/unlearnkit/safefile"
	"github.com/unlearnlab/unlearnlab/unlearnkit/zoo/language"
)

// mostCandidate is the maximum length of a candidate's line in bytes.
const mostCandidate = 1 << 16

// placedItem is an item whose image has not yet been read.
type placedItem struct {
	exposure.Item
	image string // path of the image, or ""
	where string // origin of the item for errors; empty for an item from flags
}

// read reads the items with their candidates. It returns at least one item.
func (f exposureFlags) read() ([]placedItem, error) {
	candidates, err := f.list()
	if err != nil {
		return nil, err
	}
	if f.items == "" {
		item := exposure.Item{Prefix: f.prefix, Candidates: candidates, Truth: f.truth}
		return []placedItem{{Item: item, image: f.image}}, nil
	}
	frame, err := safefile.ReadWords(f.items)
	if err != nil {
		return nil, err
	}
	columns := map[string][]string{}
	for _, column := range frame.Columns {
		columns[column.Name] = column.Texts
	}
	for _, name := range []string{"prefix", "truth"} {
		if columns[name] == nil {
			return nil, fmt.Errorf("read %s: there is no column %q; it needs the columns prefix and truth, and may "+
				"have image and group", f.items, name)
		}
	}
	var items []placedItem
	for row := range frame.Rows() {
		item := placedItem{Item: exposure.Item{Prefix: columns["prefix"][row], Truth: columns["truth"][row],
			Candidates: candidates}, where: fmt.Sprintf("read %s: row %d: ", f.items, row+1)}
		if item.Truth == "" {
			return nil, fmt.Errorf("%sthe truth is empty; remove the row", item.where)
		}
		if columns["group"] != nil {
			item.Group = columns["group"][row]
		}
		if images := columns["image"]; images != nil && images[row] != "" {
			if item.image = images[row]; !filepath.IsAbs(item.image) {
				item.image = filepath.Join(filepath.Dir(f.items), item.image)
			}
		}
		items = append(items, item)
	}
	return items, nil
}

// list reads the candidates from a column of a table, or from the lines of a file of any other type.
func (f exposureFlags) list() (list []string, err error) {
	path := f.candidates
	ending := strings.ToLower(filepath.Ext(path))
	if !slices.Contains([]string{".csv", ".tsv", ".parquet", ".npy"}, ending) {
		if f.column != "" {
			return nil, cli.Usagef("--column %q needs a table: %s has lines", f.column, path)
		}
		err = safefile.EachLine(path, mostCandidate, func(line []byte) error {
			list = append(list, string(line))
			return nil
		})
	} else if list, err = f.columnOf(path); err == nil {
		if row := slices.Index(list, ""); row >= 0 {
			return nil, fmt.Errorf("read %s: row %d: the candidate is missing; remove the row", path, row+1)
		}
	}
	if err == nil && len(list) == 0 {
		err = fmt.Errorf("read %s: there are no candidates; write one per line", path)
	}
	return list, err
}

// columnOf reads the named column of a table, or its only column.
func (f exposureFlags) columnOf(path string) ([]string, error) {
	var names []string
	if f.column != "" {
		names = []string{f.column}
	}
	frame, err := safefile.ReadWords(path, names...)
	if err != nil {
		return nil, err
	}
	if len(frame.Columns) != 1 {
		return nil, cli.Usagef("%s has %d columns that may hold the candidates; name one with --column", path,
			len(frame.Columns))
	}
	return frame.Columns[0].Texts, nil
}

// rank ranks the candidates of all items. It reads an image that several items share only once.
func (f exposureFlags) rank(ctx context.Context, m *language.Model, items []placedItem) ([]*exposure.Ranking, error) {
	ranker := exposure.New(m)
	defer ranker.Close()
	images := map[string][]float32{"": nil}
	var all []*exposure.Ranking
	for _, item := range items {
		pixels, met := images[item.image]
		if !met {
			var err error
			if pixels, err = m.Pixels(item.image); err != nil {
				return nil, fmt.Errorf("%s%w", item.where, err)
			}
			images[item.image] = pixels
		}
		item.Image = pixels
		ranking, err := ranker.Rank(ctx, item.Item)
		if err != nil {
			return nil, fmt.Errorf("%s%w", item.where, err)
		}
		all = append(all, ranking)
	}
	return all, nil
}

// warnOnce writes each warning of the rankings once.
func warnOnce(stderr io.Writer, rankings []*exposure.Ranking) {
	seen := map[string]bool{}
	for _, r := range rankings {
		for _, warning := range r.Warnings {
			if !seen[warning] {
				seen[warning] = true
				fmt.Fprintf(stderr, "warning: %s\n", warning)
			}
		}
	}
}

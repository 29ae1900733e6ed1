package page

import (
	"compress/gzip"
	"encoding/json"
	"io"
	"time"

	"github.com/unlearnlab/unlearnlab/cmd/unlearnlab/internal/cli"
	"github.com/unlearnlab/unlearnlab/unlearnkit/certify"
	"github.com/unlearnlab/unlearnlab/unlearnkit/study/exchange"
)

// records links to a table's records in exchange formats.
type records struct {
	File                     string // path of the file with the records in the Every Eval Ever format, without samples; "" if the page is a single file
	WithSamples, HuggingFace string // commands that write the records

	all []exchange.Record
}

// records returns the records of a table's cells, or nil if there are none.
func (s *shelf) records(number string, cells []certify.Cell) *records {
	r := &records{WithSamples: s.command("table", number, "--format eee --out FOLDER"),
		HuggingFace: s.command("table", number, "--format hf --dataset OWNER/NAME --out FOLDER")}
	if s.single {
		return r
	}
	table := exchange.Table{Study: s.Study, Results: s.Results, Number: number, Preset: s.Preset, Cells: cells,
		Version: cli.Release(), Time: time.Now()}
	if r.all = table.Records(); len(r.all) == 0 {
		return nil
	}
	r.File = "records/" + s.name + "-table-" + slug(number) + ".json.gz"
	return r
}

// put writes the file of records, compressed, with the function put. It does nothing without records.
func (r *records) put(put func(name string, write func(io.Writer) error) error) error {
	if r == nil || r.File == "" {
		return nil
	}
	return put(r.File, func(w io.Writer) error {
		packed := gzip.NewWriter(w)
		encoder := json.NewEncoder(packed)
		encoder.SetEscapeHTML(false)
		if err := encoder.Encode(r.all); err != nil {
			return err
		}
		return packed.Close()
	})
}

// Package imagefolder reads pictures with captions in the layouts of Hugging Face's data sets, row by row.
//
// A folder has either a metadata.jsonl, with a line {"file_name": "0001.png", "text": "a desert rose"} for each picture
// in the folder, or Parquet files. Parquet files are in the folder itself or in data/ below it, with the columns image,
// a struct of bytes and path, and text. Pictures are PNG or JPEG.
//
//	folder, err := imagefolder.Open("flowers", imagefolder.Options{})
//	for sample, err := range folder.Samples() {
package imagefolder

import (
	"fmt"
	"iter"
	"os"
	"path/filepath"

	"github.com/unlearnlab/unlearnlab/unlearnkit/safefile"
)

// Options configures how a folder is read.
type Options struct {
	Caption string // column with the captions; "" means "text", as in the training scripts of diffusers
	// split in the names of Parquet files, as in train-00000-of-00001.parquet; may be "" if there is only one split
	Split string
}

// Sample is a picture with its caption.
type Sample struct {
	Name    string // name of the picture's file
	Caption string
	Image   *safefile.Image
}

// Folder is an opened data set.
type Folder struct {
	caption string
	source  source
}

// source reads one of the two layouts. It stops at the first error.
type source interface {
	check(caption string) error
	samples(caption string, yield func(Sample, error) bool)
}

// Open detects the layout of a folder. It returns an error if the captions cannot be found.
func Open(dir string, o Options) (*Folder, error) {
	f := &Folder{caption: o.Caption}
	if f.caption == "" {
		f.caption = "text"
	}
	if _, err := os.Stat(dir); err != nil {
		return nil, fmt.Errorf("read %s: %w", dir, safefile.WithoutPath(err))
	}
	lines := filepath.Join(dir, "metadata.jsonl")
	if _, err := os.Stat(lines); err == nil {
		f.source = metadata(lines)
	} else if f.source, err = findParquet(dir, o.Split); err != nil {
		return nil, err
	}
	return f, f.source.check(f.caption)
}

// Samples iterates over all rows in order, with one picture in memory at a time. It stops at the first error.
func (f *Folder) Samples() iter.Seq2[Sample, error] {
	return func(yield func(Sample, error) bool) { f.source.samples(f.caption, yield) }
}

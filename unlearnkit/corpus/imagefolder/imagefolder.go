// Package imagefolder reads pictures with captions as Hugging Face's data sets have them, row by row.
//
// A folder holds either a metadata.jsonl with a line {"file_name": "0001.png", "text": "a desert rose"} for each
// picture, which lies beside it, or Parquet files (in the folder itself or in data/ below it) with the columns image, a
// struct of bytes and path, and text. Pictures are PNG or JPEG.
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

// Options say what to read of a folder.
type Options struct {
	Caption string // the captions' column; "" is "text", the name that diffusers' training scripts expect
	// of several splits in Parquet files, as in train-00000-of-00001.parquet; may be "" where there is one
	Split string
}

// Sample is a picture with its caption.
type Sample struct {
	Name    string // of the picture's file
	Caption string
	Image   *safefile.Image
}

// Folder is a data set on disk.
type Folder struct {
	caption string
	source  source
}

// source is one of the two layouts. Its rows end with the first error.
type source interface {
	check(caption string) error
	samples(caption string, yield func(Sample, error) bool)
}

// Open finds out how a folder is laid out, and refuses one whose captions cannot be found.
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

// Samples goes through all rows in order with one picture in memory. It ends with the first error.
func (f *Folder) Samples() iter.Seq2[Sample, error] {
	return func(yield func(Sample, error) bool) { f.source.samples(f.caption, yield) }
}

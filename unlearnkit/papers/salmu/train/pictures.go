package train

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"sync/atomic"

	"golang.org/x/sync/errgroup"

	"github.com/unlearnlab/unlearnlab/unlearnkit/corpus/picturefolder"
	"github.com/unlearnlab/unlearnlab/unlearnkit/corpus/salmu512"
	"github.com/unlearnlab/unlearnlab/unlearnkit/papers/salmu"
	"github.com/unlearnlab/unlearnlab/unlearnkit/preprocess"
	"github.com/unlearnlab/unlearnlab/unlearnkit/safefile"
	"github.com/unlearnlab/unlearnlab/unlearnkit/study"
	"github.com/unlearnlab/unlearnlab/unlearnkit/study/store"
)

// picturesFile is the name of the file with the resized pictures of a source, one after another. Each picture has three
// planes of bytes, red first. Runs read the pictures in random order, which the published files do not allow.
const picturesFile = "pictures.bin"

// Pictures decodes and resizes the pictures of a source once. It holds only a few pictures in memory at a time.
func (l *Lab) Pictures(ctx context.Context, spec salmu.PicturesSpec, _ study.Inputs, w *store.Work,
	progress study.Progress) error {
	folder, err := l.found.digests.Folder(spec.Source)
	if err != nil {
		return err
	}
	from, err := openSource(folder, spec.Source == l.found.Benchmark)
	if err != nil {
		return err
	}
	defer from.close()
	file, err := os.Create(w.Path(picturesFile))
	if err != nil {
		return err
	}
	defer file.Close()
	transform, one := preprocess.OpenCLIP(spec.Size), int64(3*spec.Size*spec.Size)
	var done atomic.Int64
	err = from.each(ctx, func(place int, picture *safefile.Image) error {
		small := transform.Picture(preprocess.Image{Width: picture.Width, Height: picture.Height, Pixels: picture.Pix})
		if _, err := file.WriteAt(planes(small.Pixels), int64(place)*one); err != nil {
			return err
		}
		progress(int(done.Add(1)), from.count())
		return nil
	})
	if err != nil {
		return err
	}
	w.Note("pictures", from.count())
	return file.Close()
}

// planes converts interleaved pixels to one plane per colour channel.
func planes(pixels []byte) []byte {
	area := len(pixels) / 3
	apart := make([]byte, len(pixels))
	for i := range area {
		for c := range 3 {
			apart[c*area+i] = pixels[3*i+c]
		}
	}
	return apart
}

// source provides the pictures of a folder.
type source interface {
	count() int
	// each calls take with every picture and its index, possibly from several goroutines at once.
	each(ctx context.Context, take func(place int, picture *safefile.Image) error) error
	close() error
}

// openSource opens the pictures of the benchmark, or a folder of pictures.
func openSource(folder string, benchmark bool) (source, error) {
	if benchmark {
		data, err := salmu512.Open(folder)
		return benchmarkSource{data}, err
	}
	files, err := picturefolder.Files(folder)
	return folderSource{folder, files}, err
}

// benchmarkSplits lists the splits that have files, in the order in which their pictures are stored.
var benchmarkSplits = []salmu512.Split{salmu512.Forget, salmu512.HoldoutAssociation, salmu512.HoldoutIdentity,
	salmu512.RetainSynth}

type benchmarkSource struct{ *salmu512.Data }

func (b benchmarkSource) close() error { return b.Close() }

func (b benchmarkSource) count() int {
	count := 0
	for _, split := range benchmarkSplits {
		rows, _ := b.Rows(split) // the method each returns the error
		count += len(rows)
	}
	return count
}

// each reads the splits concurrently. It reads each file from beginning to end.
func (b benchmarkSource) each(ctx context.Context, take func(place int, picture *safefile.Image) error) error {
	group, ctx := errgroup.WithContext(ctx)
	before := 0
	for _, split := range benchmarkSplits {
		rows, err := b.Rows(split)
		if err != nil {
			return err
		}
		begin := before
		group.Go(func() error {
			for sample, err := range b.Samples(split) {
				if err == nil {
					err = context.Cause(ctx)
				}
				if err == nil {
					err = take(begin+sample.Index, sample.Image)
				}
				if err != nil {
					return err
				}
			}
			return nil
		})
		before += len(rows)
	}
	return group.Wait()
}

type folderSource struct {
	dir   string
	files []string
}

func (f folderSource) close() error { return nil }

func (f folderSource) count() int { return len(f.files) }

func (f folderSource) each(ctx context.Context, take func(place int, picture *safefile.Image) error) error {
	group, ctx := errgroup.WithContext(ctx)
	var next atomic.Int64
	for range runtime.GOMAXPROCS(0) {
		group.Go(func() error {
			for at := int(next.Add(1)) - 1; at < len(f.files) && ctx.Err() == nil; at = int(next.Add(1)) - 1 {
				picture, err := picturefolder.Read(f.dir, f.files[at])
				if err == nil {
					err = take(at, picture)
				}
				if err != nil {
					return err
				}
			}
			return context.Cause(ctx)
		})
	}
	return group.Wait()
}

// album reads the stored pictures of a source.
type album struct {
	file *os.File
	size int
}

func openAlbum(artifact *store.Artifact, count, size int) (*album, error) {
	path := artifact.Path(picturesFile)
	file, err := os.Open(filepath.Clean(path))
	if err != nil {
		return nil, err
	}
	info, err := file.Stat()
	if err == nil && info.Size() != int64(count)*int64(3*size*size) {
		err = fmt.Errorf("read %s: %d bytes are not %d pictures of %d pixels a side", path, info.Size(), count, size)
	}
	if err != nil {
		file.Close()
		return nil, err
	}
	return &album{file, size}, nil
}

// shades maps the values of bytes to CLIP's normalised values, by channel.
var shades = func() (of [3][256]float32) {
	for c := range of {
		for value := range of[c] {
			of[c][value] = (float32(value)/255 - preprocess.CLIPMean[c]) / preprocess.CLIPDeviation[c]
		}
	}
	return of
}()

// draw writes the picture at index place, normalised, into pixels.
func (a *album) draw(place int, pixels []float32) error {
	content := make([]byte, len(pixels))
	if _, err := a.file.ReadAt(content, int64(place)*int64(len(pixels))); err != nil {
		return err
	}
	area := a.size * a.size
	for c := range 3 {
		plane := pixels[c*area : (c+1)*area]
		for i, value := range content[c*area : (c+1)*area] {
			plane[i] = shades[c][value]
		}
	}
	return nil
}

package salmu512

import (
	"errors"
	"fmt"
	"iter"
	"path/filepath"
	"slices"
	"sync"

	"github.com/unlearnlab/unlearnlab/unlearnkit/safefile"
)

// Columns of a Parquet file.
const (
	columnImage    = "image.bytes"
	columnText     = "text"
	columnIdentity = "identity_id"
	columnFile     = "file_name"
)

// A Row is an image with a caption, without the pixels.
type Row struct {
	Split    Split // split whose files contain the row
	Index    int   // index in that split
	Caption  string
	Identity string // "" if the row shows no known person
	FileName string

	shard, place int
}

// A Sample is a row with its image.
type Sample struct {
	Row
	Image *safefile.Image
}

// Data is one of the two data sets on disk. It is safe for concurrent use.
type Data struct {
	Dir  string
	Kind Kind

	files listing
	mu    sync.Mutex
	rows  map[Split][]Row
	side  *SideFiles
	open  map[string]*safefile.ParquetRows // open image columns by path, for Image
}

// Open opens a download. The files of all splits must exist; [Check] tests more. Call Close after use.
func Open(dir string) (*Data, error) {
	files, findings, err := list(dir)
	if err != nil {
		return nil, err
	}
	if len(findings) > 0 {
		return nil, fmt.Errorf("read %s: %s", filepath.Join(dir, findings[0].Where), findings[0].What)
	}
	return &Data{Dir: dir, Kind: files.kind, files: files, rows: map[Split][]Row{},
		open: map[string]*safefile.ParquetRows{}}, nil
}

// Close closes the files that [Data.Image] has opened.
func (d *Data) Close() error {
	d.mu.Lock()
	defer d.mu.Unlock()
	var problems []error
	for path, rows := range d.open {
		problems = append(problems, rows.Close())
		delete(d.open, path)
	}
	return errors.Join(problems...)
}

// Files returns the names of all files that are read, side files included, relative to the folder.
func (d *Data) Files() []string {
	var files []string
	for _, split := range storedSplits[d.Kind] {
		for _, path := range d.files.shards[split] {
			files = append(files, "data/"+filepath.Base(path))
		}
	}
	if d.Kind == Benchmark {
		files = append(files, fileIdentities, fileCaptions, fileGeneric, fileFragile, fileSimilarities)
	}
	return files
}

// Rows returns the rows of a split in file order. They are read only once.
func (d *Data) Rows(split Split) ([]Row, error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.rowsOf(split)
}

func (d *Data) rowsOf(split Split) ([]Row, error) {
	if rows, read := d.rows[split]; read {
		return rows, nil
	}
	source, err := d.Kind.source(split)
	if err != nil {
		return nil, err
	}
	if source != split {
		if d.rows[split], err = d.derive(split, source); err != nil {
			delete(d.rows, split)
			return nil, err
		}
		return d.rows[split], nil
	}
	rows := []Row{}
	for shard, path := range d.files.shards[split] {
		err := readShard(path, false, func(row Row, _ []byte) error {
			row.Split, row.Index, row.shard = split, len(rows), shard
			rows = append(rows, row)
			return nil
		})
		if err != nil {
			return nil, err
		}
	}
	d.rows[split] = rows
	return rows, nil
}

// derive selects the rows of a split that has no files from the split that contains it.
func (d *Data) derive(split, source Split) ([]Row, error) {
	all, err := d.rowsOf(source)
	if err != nil {
		return nil, err
	}
	var keep func(Row) bool
	switch split {
	case ForgetIdentity, ForgetAssociation:
		partly, err := d.people(HoldoutAssociation)
		if err != nil {
			return nil, err
		}
		keep = func(r Row) bool { return partly[r.Identity] == (split == ForgetAssociation) }
	case RetainJoint, RetainDisjoint:
		keep = func(r Row) bool { return (r.Identity == "") == (split == RetainDisjoint) }
	case RetainJointEval:
		forget, err := d.people(Forget)
		if err != nil {
			return nil, err
		}
		keep = func(r Row) bool { return r.Identity != "" && forget[r.Identity] }
	case FragileSet:
		side, err := d.sideFiles()
		if err != nil {
			return nil, err
		}
		keep = func(r Row) bool { return r.Identity == "" && side.Fragile[r.FileName] }
	}
	rows := []Row{}
	for _, row := range all {
		if keep(row) {
			rows = append(rows, row)
		}
	}
	return rows, nil
}

// people returns the set of identities in a split.
func (d *Data) people(split Split) (map[string]bool, error) {
	rows, err := d.rowsOf(split)
	people := map[string]bool{}
	for _, row := range rows {
		if row.Identity != "" {
			people[row.Identity] = true
		}
	}
	return people, err
}

// Samples iterates over the rows of a split with their images, in file order. It keeps few images in memory, and stops
// at the first error.
func (d *Data) Samples(split Split) iter.Seq2[Sample, error] {
	return func(yield func(Sample, error) bool) {
		rows, err := d.Rows(split)
		if err != nil {
			yield(Sample{}, err)
			return
		}
		for err == nil && len(rows) > 0 {
			ofShard := slices.IndexFunc(rows, func(r Row) bool { return r.shard != rows[0].shard })
			if ofShard < 0 {
				ofShard = len(rows)
			}
			err = d.samplesOf(rows[:ofShard], yield)
			rows = rows[ofShard:]
		}
		if err != nil && err != errEnough {
			yield(Sample{}, err)
		}
	}
}

// errEnough stops reading a file when no more samples are needed.
var errEnough = errors.New("no more samples are wanted")

// samplesOf iterates over the samples of some rows in one file.
func (d *Data) samplesOf(rows []Row, yield func(Sample, error) bool) error {
	path := d.files.shards[rows[0].Split][rows[0].shard]
	err := readShard(path, true, func(row Row, image []byte) error {
		if len(rows) == 0 || rows[0].place != row.place {
			return nil
		}
		picture, err := decode(row.place, image)
		if err != nil {
			return fmt.Errorf("read %s: %w", path, err)
		}
		sample := Sample{rows[0], picture}
		rows = rows[1:]
		if !yield(sample, nil) {
			return errEnough
		}
		return nil
	})
	if err == nil && len(rows) > 0 {
		err = fmt.Errorf("read %s: it has fewer rows than when it was first read", path)
	}
	return err
}

// Image reads the image of one row. It is fastest for neighbouring rows, because it reads a row group from the start to
// the row.
func (d *Data) Image(row Row) (*safefile.Image, error) {
	if row.shard >= len(d.files.shards[row.Split]) {
		return nil, fmt.Errorf("the row %d of %s is not one of %s", row.Index+1, row.Split, d.Dir)
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	path := d.files.shards[row.Split][row.shard]
	rows := d.open[path]
	if rows == nil {
		var err error
		if rows, err = safefile.OpenParquet(path, columnImage); err != nil {
			return nil, err
		}
		d.open[path] = rows
	}
	if err := rows.Seek(row.place); err != nil {
		return nil, err
	}
	cells, err := rows.Next()
	if err != nil {
		return nil, err
	}
	picture, err := decode(row.place, cells[0].Bytes())
	if err != nil {
		return nil, fmt.Errorf("read %s: %w", path, err)
	}
	return picture, nil
}

// readShard calls each for every row of a file. If images is set, it also passes the encoded image.
func readShard(path string, images bool, each func(row Row, image []byte) error) error {
	columns := []string{columnText, columnIdentity, columnFile}
	if images {
		columns = append(columns, columnImage)
	}
	rows, err := safefile.OpenParquet(path, columns...)
	if err != nil {
		return err
	}
	defer rows.Close()
	return rows.Each(func(place int, cells []safefile.Cell) error {
		row := Row{Caption: cells[0].Text(), Identity: cells[1].Text(), FileName: cells[2].Text(), place: place}
		var image []byte
		if images {
			image = cells[3].Bytes()
		}
		return each(row, image)
	})
}

func decode(place int, content []byte) (*safefile.Image, error) {
	if len(content) == 0 {
		return nil, fmt.Errorf("row %d: the image is missing", place+1)
	}
	picture, err := safefile.DecodeImage(content)
	if err != nil {
		return nil, fmt.Errorf("row %d: image: %w", place+1, err)
	}
	return picture, nil
}

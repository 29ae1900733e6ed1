package safefile

import (
	"archive/zip"
	"bytes"
	"errors"
	"fmt"
	"io"
	"strings"
)

const (
	maxNpzBytes  = 4 << 30 // limit of a file, and of all its arrays
	maxNpzArrays = 1 << 16
	// A deflate stream unpacks to at most 1032 times its length.
	maxDeflateRatio = 1032
	// An archive may unpack to npzAllowance bytes, because arrays of zeros do, plus npzRatio times its length.
	npzAllowance, npzRatio = 64 << 20, 100
)

// OpenNpz reads the arrays of an npz file, NumPy's zip of npy files, compressed or not. Big-endian and column-major
// arrays are converted.
func OpenNpz(path string) (*Tensors, error) {
	all, err := parseFile(path, maxNpzBytes, parseNpz)
	if err != nil {
		return nil, err
	}
	t := &Tensors{path: path, stored: map[string]storedTensor{}}
	for _, one := range all {
		one.path = path
		t.stored[one.Name] = one
	}
	t.sortNames()
	return t, nil
}

// parseNpz reads an archive. It checks the entries' claimed sizes before it allocates memory.
func parseNpz(content []byte) ([]storedTensor, error) {
	archive, err := zip.NewReader(bytes.NewReader(content), int64(len(content)))
	if err != nil {
		return nil, fmt.Errorf("not a whole npz file: %s", oneLine(err.Error()))
	}
	if err := checkNpzEntries(archive.File, len(content)); err != nil {
		return nil, err
	}
	all := make([]storedTensor, len(archive.File))
	for i, file := range archive.File {
		name := strings.TrimSuffix(file.Name, ".npy")
		kind, shape, data, err := readNpzEntry(file)
		if err != nil {
			return nil, fmt.Errorf("array %.80q: %w", name, err)
		}
		all[i] = storedTensor{Tensor: Tensor{name, kind, shape}, data: data}
	}
	return all, nil
}

// checkNpzEntries returns an error if an archive claims more than it can hold.
func checkNpzEntries(files []*zip.File, size int) error {
	if len(files) > maxNpzArrays {
		return fmt.Errorf("%d arrays, at most %d are read", len(files), maxNpzArrays)
	}
	seen := map[string]bool{}
	limit, total := min(uint64(npzAllowance+npzRatio*size), maxNpzBytes), uint64(0)
	for _, file := range files {
		ratio := uint64(1)
		switch {
		case !strings.HasSuffix(file.Name, ".npy"):
			return fmt.Errorf("the entry %.80q is not an array: its name does not end with .npy", file.Name)
		case seen[file.Name]:
			return fmt.Errorf("two arrays are named %.80q", strings.TrimSuffix(file.Name, ".npy"))
		case file.Flags&1 != 0:
			return fmt.Errorf("array %.80q is encrypted", file.Name)
		case file.Method == zip.Deflate:
			ratio = maxDeflateRatio
		case file.Method != zip.Store:
			return fmt.Errorf("array %.80q is compressed with method %d; deflate and none are read", file.Name,
				file.Method)
		}
		seen[file.Name] = true
		if file.CompressedSize64 > uint64(size) || file.UncompressedSize64 > ratio*file.CompressedSize64 {
			return fmt.Errorf("array %.80q claims %s from %s in a file of %s",
				file.Name, byteCount(file.UncompressedSize64), byteCount(file.CompressedSize64), byteCount(size))
		}
		if total += file.UncompressedSize64; total > limit {
			return fmt.Errorf("its arrays claim more than %s, the file has %s: a zip bomb", byteCount(limit),
				byteCount(size))
		}
	}
	return nil
}

func readNpzEntry(file *zip.File) (kind Type, shape []int, data []byte, err error) {
	source, err := file.Open()
	if err != nil {
		return "", nil, nil, errors.New(oneLine(err.Error()))
	}
	defer source.Close()
	kind, shape, data, err = readNpy(source, int64(file.UncompressedSize64))
	if err != nil {
		return "", nil, nil, err
	}
	// The checksum is compared at the end of the entry.
	if _, err := io.ReadFull(source, make([]byte, 1)); err == nil {
		return "", nil, nil, errors.New("damaged data: more than the archive claims")
	} else if err != io.EOF {
		return "", nil, nil, fmt.Errorf("damaged data: %s", oneLine(err.Error()))
	}
	return kind, shape, data, nil
}

// WriteNpz writes arrays as numpy.savez does, uncompressed and without times, so that the same arrays give the same
// bytes. NumPy has neither BF16 nor F8.
func WriteNpz(path string, tensors []TensorData) error {
	if err := checkNpz(tensors); err != nil {
		return fmt.Errorf("write %s: %w", path, err)
	}
	return WriteFile(path, func(target io.Writer) error {
		archive := zip.NewWriter(target)
		for _, t := range tensors {
			entry, err := archive.CreateHeader(&zip.FileHeader{Name: t.Name + ".npy", Method: zip.Store})
			if err != nil {
				return err
			}
			if _, err := entry.Write(npyHeaderText(t.Type, t.Shape)); err != nil {
				return err
			}
			if err := t.write(entry); err != nil {
				return err
			}
		}
		return archive.Close()
	})
}

func checkNpz(tensors []TensorData) error {
	seen := map[string]bool{}
	for _, t := range tensors {
		if err := t.check(); err != nil {
			return err
		}
		if seen[t.Name] {
			return fmt.Errorf("two arrays are named %.80q", t.Name)
		}
		seen[t.Name] = true
		if t.Type == BF16 || t.Type == F8E4M3 || t.Type == F8E5M2 {
			return fmt.Errorf("array %.80q: NumPy has no type for %s", t.Name, t.Type)
		}
		if len(t.Shape) > maxNpyRank {
			return fmt.Errorf("array %.80q: %d dimensions, NumPy has at most %d", t.Name, len(t.Shape), maxNpyRank)
		}
	}
	return nil
}

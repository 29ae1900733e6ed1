package wheel

import (
	"archive/zip"
	"fmt"
	"io"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/unlearnlab/unlearnlab/unlearnkit/safefile"
)

// memberLimit bounds the total size of the unpacked files.
const memberLimit = 4 << 30

// Unpack writes one member of a wheel to target. Before that, it writes the wheel's licences and notices to files next
// to target whose names start with prefix. It returns the files that it wrote.
func Unpack(file, member, target, prefix string) (written []string, err error) {
	archive, err := zip.OpenReader(file)
	if err != nil {
		return nil, fmt.Errorf("unpack %s: %w", filepath.Base(file), err)
	}
	defer archive.Close()
	at := slices.IndexFunc(archive.File, func(f *zip.File) bool { return f.Name == member })
	if at < 0 {
		return nil, fmt.Errorf("unpack %s: it has no %s", filepath.Base(file), member)
	}
	for _, f := range archive.File {
		folder, name := path.Split(f.Name)
		if !strings.Contains(folder, ".dist-info/") || !isNotice(name) {
			continue
		}
		notice := filepath.Join(filepath.Dir(target), prefix+name)
		if err := write(f, notice); err != nil {
			return written, err
		}
		written = append(written, notice)
	}
	if err := write(archive.File[at], target); err != nil {
		return written, err
	}
	return append(written, target), nil
}

func isNotice(name string) bool {
	for _, word := range []string{"LICENSE", "LICENCE", "NOTICE", "COPYING", "THIRD_PARTY"} {
		if strings.Contains(strings.ToUpper(name), word) {
			return true
		}
	}
	return false
}

func write(f *zip.File, target string) error {
	content, err := f.Open()
	if err != nil {
		return err
	}
	defer content.Close()
	return safefile.WriteFile(target, func(w io.Writer) error {
		_, err := io.Copy(w, io.LimitReader(content, memberLimit))
		return err
	})
}

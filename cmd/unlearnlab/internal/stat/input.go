package stat

import (
	"bufio"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/unlearnlab/unlearnlab/cmd/unlearnlab/internal/cli"
)

// withInput replaces the file "-" by a temporary copy of the standard input, which remove deletes. The copy is
// tab-separated if the first line of the input has tabs and no commas.
func withInput(files []string, input io.Reader) (found []string, remove func(), err error) {
	at := slices.Index(files, "-")
	if at < 0 {
		return files, func() {}, nil
	}
	if slices.Contains(files[at+1:], "-") {
		return nil, nil, cli.Usagef("the standard input is given twice")
	}
	folder, err := os.MkdirTemp("", "unlearnlab-*")
	if err != nil {
		return nil, nil, err
	}
	remove = func() { os.RemoveAll(folder) }
	reader := bufio.NewReader(input)
	header, _ := reader.ReadString('\n') // an empty input is reported when it is read as a table
	name := "stdin.csv"
	if strings.Contains(header, "\t") && !strings.Contains(header, ",") {
		name = "stdin.tsv"
	}
	found = slices.Clone(files)
	found[at] = filepath.Join(folder, name)
	if err := copyTo(found[at], io.MultiReader(strings.NewReader(header), reader)); err != nil {
		remove()
		return nil, nil, fmt.Errorf("read the standard input: %w", err)
	}
	return found, remove, nil
}

// copyTo copies everything from source into a new file.
func copyTo(path string, source io.Reader) error {
	file, err := os.Create(path)
	if err != nil {
		return err
	}
	defer file.Close()
	if _, err := io.Copy(file, source); err != nil {
		return err
	}
	return file.Close()
}

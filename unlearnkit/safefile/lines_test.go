package safefile

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func ExampleEachLine() {
	path := filepath.Join(os.TempDir(), "example-lines.jsonl")
	if err := os.WriteFile(path, []byte("{\"id\": 1}\n\n {\"id\": 2}"), 0o600); err != nil {
		fmt.Println(err)
		return
	}
	defer os.Remove(path)
	err := EachLine(path, 100, func(line []byte) error {
		fmt.Printf("%s\n", line)
		return nil
	})
	fmt.Println(err)
	// Output:
	// {"id": 1}
	// {"id": 2}
	// <nil>
}

func TestLines_ErrorNamesLine(t *testing.T) {
	path := filepath.Join(t.TempDir(), "x.jsonl")
	wrong := errors.New("not whole")
	for _, test := range []struct {
		content, says string
		read          int
	}{
		{"a\n\nb\nc\n", path + ": line 3: not whole", 2},
		{"a\n" + strings.Repeat("c", 30), path + ": line 2: longer than 20 bytes", 1},
	} {
		if err := os.WriteFile(path, []byte(test.content), 0o600); err != nil {
			t.Fatal(err)
		}
		read := 0
		err := EachLine(path, 20, func(line []byte) error {
			if read++; string(line) == "b" {
				return wrong
			}
			return nil
		})
		if err == nil || err.Error() != "read "+test.says || read != test.read {
			t.Errorf("%v after %d lines", err, read)
		}
	}
	if err := EachLine(path+"?", 20, nil); err == nil || strings.Count(err.Error(), path) != 1 {
		t.Error(err)
	}
}

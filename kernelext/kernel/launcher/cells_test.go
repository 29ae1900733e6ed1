//go:build linux

package launcher_test

import (
	"os"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/unlearnlab/unlearnlab/kernelext/kernel/wire"
)

// The cells in docs/cells.md run as printed.
func TestCells_Document(t *testing.T) {
	content, err := os.ReadFile("../../../docs/cells.md")
	if err != nil {
		t.Fatal(err)
	}
	fences := regexp.MustCompile("(?s)```go\n(.*?)```").FindAllStringSubmatch(string(content), -1)
	if len(fences) < 5 {
		t.Fatalf("%d cells", len(fences))
	}
	home := t.TempDir()
	s := startKernel(t, "UNLEARNLAB_HOME="+home)
	for _, peer := range []*wire.Peer{s.shell, s.iopub} {
		peer.SetDeadline(time.Now().Add(5 * time.Minute)) // imported packages may have to be compiled first
	}
	work := t.TempDir()
	s.status(s.send("%cd " + work))
	for _, fence := range fences {
		request := s.send(fence[1])
		said := s.outputs(request)
		if got := s.status(request); got != "ok" {
			t.Errorf("%s\nends with %s: %s", fence[1], got, said)
		}
	}
	request := s.send("%unlearn kept")
	if said := s.outputs(request); !strings.Contains(said, "execute_result") {
		t.Errorf("kept says %s", said)
	}
	s.status(request)
	request = s.send("%%\nfmt.Println(len(slow()))")
	if said := s.outputs(request); said != "6\n" {
		t.Errorf("the value is %q", said)
	}
	s.status(request)
}

package remem_test

import (
	"bytes"
	"os"
	"path/filepath"
	"testing"

	"github.com/unlearnlab/unlearnlab/internal/testkit/publishtest"
	"github.com/unlearnlab/unlearnlab/unlearnkit/papers/remem"
	"github.com/unlearnlab/unlearnlab/unlearnkit/study/publish"
	"github.com/unlearnlab/unlearnlab/unlearnkit/study/store"
)

func TestPublish_SameTables(t *testing.T) {
	if testing.Short() {
		t.Skip("-short: takes seconds")
	}
	plan, s := smoke(t, 2)
	folder := filepath.Join(t.TempDir(), "smoke")
	var runs []publish.Run
	for _, run := range plan.Runs() {
		artifact, err := s.Get(run.Key())
		if err != nil {
			t.Fatal(err)
		}
		if published, passedOn := plan.Published(run, artifact); passedOn {
			runs = append(runs, published)
		}
	}
	if err := publish.Write(folder, runs); err != nil {
		t.Fatal(err)
	}
	publishtest.Small(t, folder)
	shelf := publish.Open(os.DirFS(filepath.Dir(folder)), "made up")
	publishtest.Whole(t, shelf)
	empty, err := store.Open(t.TempDir(), store.Above(shelf))
	if err != nil {
		t.Fatal(err)
	}
	for _, number := range remem.TableNumbers {
		if got, want := tableOf(t, plan, empty, number), tableOf(t, plan, s, number); !bytes.Equal(got, want) {
			t.Errorf("table %s is\n%s\nwant\n%s", number, got, want)
		}
	}
}

// tableOf returns a certified table as text.
func tableOf(t *testing.T, plan *remem.Plan, s *store.Store, number string) []byte {
	t.Helper()
	r, err := plan.Read(s)
	if err != nil {
		t.Fatal(err)
	}
	table, err := r.Table(number, true)
	if err != nil {
		return []byte(err.Error())
	}
	var b bytes.Buffer
	if err := table.Markdown(&b); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

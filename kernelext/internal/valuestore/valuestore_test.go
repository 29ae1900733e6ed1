package valuestore

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"testing"
	"time"
)

func TestList_Drop(t *testing.T) {
	folder := Folder(t.TempDir())
	now := time.Now()
	for i, name := range []string{"scores of ../a", "other"} {
		v := Value{Name: name, Type: "int", Maker: "m", Made: now.Add(time.Duration(i) * time.Second),
			Took: time.Minute}
		if err := Write(folder, v, i); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.WriteFile(filepath.Join(folder, "broken.gob"), []byte("x"), 0o600); err != nil {
		t.Fatal(err)
	}
	all, err := List(folder)
	if err != nil || len(all) != 2 || all[0].Name != "other" || all[1].Took != time.Minute || all[1].Bytes == 0 {
		t.Fatalf(`got %+v, %v, want 2 all, [0].Name "other", [1].Took %v, [1].Bytes other than 0`,
			all, err, time.Minute)
	}
	if n, err := Drop(folder, "nothing"); n != 0 || err != nil {
		t.Errorf("got %d, %v, want n 0", n, err)
	}
	if n, err := Drop(folder, "scores of ../a"); n != 1 || err != nil {
		t.Errorf("got %d, %v, want n 1", n, err)
	}
	var value int
	if err := Read(folder, Value{Name: "other", Type: "int", Maker: "m"}, &value); err != nil || value != 1 {
		t.Errorf("got %d, %v, want value 1", value, err)
	}
	if n, err := Drop(folder, ""); n != 1 || err != nil {
		t.Errorf("got %d, %v, want n 1", n, err)
	}
	if err := Read(folder, Value{Name: "other", Type: "int", Maker: "m"}, &value); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("got the error %v, want the error %v", err, os.ErrNotExist)
	}
}

func TestList_KeepsVersions(t *testing.T) {
	folder := t.TempDir()
	for i := range versions + 3 {
		v := Value{Name: "x", Maker: fmt.Sprint(i), Made: time.Unix(int64(i), 0)}
		if err := Write(folder, v, i); err != nil {
			t.Fatal(err)
		}
	}
	all, err := List(folder)
	if err != nil || len(all) != versions || all[0].Maker != fmt.Sprint(versions+2) {
		t.Errorf("got %+v, %v, want %v all, [0].Maker %v", all, err, versions, fmt.Sprint(versions+2))
	}
}

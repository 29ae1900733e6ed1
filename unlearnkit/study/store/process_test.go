//go:build unix

package store

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"
)

// childVariable is the environment variable that makes this test program run one of children instead of the tests.
const childVariable = "UNLEARNLAB_STORE_CHILD"

var children = map[string]func(folder string) error{"writer": writeForever, "holder": holdTheLock, "racer": race}

func TestMain(m *testing.M) {
	if name := os.Getenv(childVariable); children[name] != nil {
		if err := children[name](os.Args[1]); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		os.Exit(0)
	}
	os.Exit(m.Run())
}

// child starts this program as one of children and returns after it has begun.
func child(t *testing.T, name, folder string) *exec.Cmd {
	t.Helper()
	command := exec.Command(os.Args[0], folder)
	command.Env = append(os.Environ(), childVariable+"="+name)
	command.Stderr = os.Stderr
	output, err := command.StdoutPipe()
	if err == nil {
		err = command.Start()
	}
	if err != nil {
		t.Fatal(err)
	}
	if line, err := bufio.NewReader(output).ReadString('\n'); line != "begun\n" {
		t.Fatalf("the child says %q, %v", line, err)
	}
	go io.Copy(io.Discard, output) //nolint:errcheck // drain the pipe, so that the child can keep writing
	return command
}

// written is the number of artifacts that the killed writers make, again and again.
const written = 5

// writeForever keeps making and removing the same few artifacts until it is killed.
func writeForever(folder string) error {
	s, err := Open(folder)
	if err != nil {
		return err
	}
	fmt.Println("begun")
	for i := 0; ; i++ {
		sp := spec{i % written, 2000}
		if _, err := s.Do(context.Background(), stage, sp, nil, sp.write); err != nil {
			return err
		}
		if i >= written {
			if err := s.Remove(spec{(i + 2) % written, 2000}.key()); err != nil {
				return err
			}
		}
	}
}

// A killed writer leaves whole artifacts or none.
func TestDo_KilledWriter(t *testing.T) {
	kills := 25
	if os.Getenv("UNLEARNLAB_SLOW") != "" {
		kills = 1000
	}
	folder := t.TempDir()
	seed := uint64(time.Now().UnixNano())
	random := rand.New(rand.NewPCG(seed, 0))
	whole, unfinished := 0, 0
	for n := 0; n < kills || n < 8*kills && (whole == 0 || unfinished == 0); n++ {
		writer := child(t, "writer", folder)
		longest := 5 * time.Millisecond << (n % 6) // slow disks need more time to finish anything
		time.Sleep(time.Duration(random.Int64N(int64(longest))))
		if err := writer.Process.Kill(); err != nil {
			t.Fatal(err)
		}
		if err := writer.Wait(); err == nil || writer.ProcessState.ExitCode() != -1 {
			t.Fatalf("the writer ended by itself: %v", err)
		}
		s := open(t, folder)
		for i := range written {
			sp := spec{i, 2000}
			a, err := s.Get(sp.key())
			if err == nil {
				whole++
				err = sp.check(a)
			}
			if err != nil && !errors.Is(err, ErrAbsent) {
				t.Fatalf("seed %d: %v", seed, err)
			}
		}
		left, err := s.Sweep()
		if err != nil {
			t.Fatal(err)
		}
		unfinished += left
	}
	t.Logf("%d kills: %d whole artifacts found, %d in the middle of writing", kills, whole, unfinished)
	if whole == 0 || unfinished == 0 {
		t.Errorf("no kill met a whole artifact, or none an unfinished one: %d and %d", whole, unfinished)
	}
	s := open(t, folder)
	for i := range written {
		sp := spec{i, 2000}
		if err := sp.check(do(t, s, sp)); err != nil {
			t.Error(err)
		}
	}
	// A writer that is killed while it creates the store leaves a hidden file, which nothing reads.
	got := slices.DeleteFunc(filesBelow(t, folder), func(path string) bool {
		return strings.HasPrefix(path, "."+markerName+".")
	})
	if len(got) != 3*written+len(locks(t, folder)) {
		t.Errorf("left of killed writers: %v", got)
	}
}

// locks returns the lock files. Lock files of killed processes are empty and block no other process.
func locks(t *testing.T, folder string) []string {
	return filesBelow(t, filepath.Join(folder, "locks"))
}

var held = spec{100, 10}

// holdTheLock begins an artifact, writes a checkpoint, and never ends.
func holdTheLock(folder string) error {
	s, err := Open(folder)
	if err != nil {
		return err
	}
	_, err = s.Do(context.Background(), stage, held, nil, func(_ context.Context, w *Work) error {
		err := errors.Join(os.WriteFile(filepath.Join(w.Resume(), "checkpoint"), []byte("step 7"), 0o644),
			os.WriteFile(w.Path("half"), []byte("half"), 0o644))
		fmt.Println("begun")
		time.Sleep(time.Hour)
		return err
	})
	return err
}

// A killed process releases its lock and leaves its checkpoint.
func TestDo_KilledHolder(t *testing.T) {
	folder := t.TempDir()
	holder := child(t, "holder", folder)
	s := open(t, folder)
	if _, err := s.TryDo(t.Context(), stage, held, nil, held.write); !errors.Is(err, ErrBusy) {
		t.Errorf("while it lives: %v", err)
	}
	if n, err := s.Sweep(); n != 0 || err != nil {
		t.Errorf("swept %d from below a living process, %v", n, err)
	}
	time.AfterFunc(20*time.Millisecond, func() { holder.Process.Kill() }) //nolint:errcheck // see Wait
	a, err := s.Do(t.Context(), stage, held, nil, func(ctx context.Context, w *Work) error {
		if got, err := os.ReadFile(filepath.Join(w.Resume(), "checkpoint")); string(got) != "step 7" {
			t.Errorf("checkpoint %q, %v", got, err)
		}
		return held.write(ctx, w)
	})
	holder.Wait() //nolint:errcheck // it was killed
	if err != nil {
		t.Fatal(err)
	}
	if a.Has("half") {
		t.Error("the killed attempt's file is in the artifact")
	}
}

const racers, raced = 4, 10

// race makes the same artifacts as all other racers, and writes one line for each artifact that it made itself.
func race(folder string) error {
	s, err := Open(filepath.Join(folder, "store"))
	if err != nil {
		return err
	}
	log, err := os.OpenFile(filepath.Join(folder, "made"), os.O_CREATE|os.O_WRONLY|os.O_APPEND, 0o644)
	if err != nil {
		return err
	}
	fmt.Println("begun")
	for i := range raced {
		sp := spec{i, 1000}
		a, err := s.Do(context.Background(), stage, sp, nil, func(ctx context.Context, w *Work) error {
			fmt.Fprintln(log, i)
			time.Sleep(2 * time.Millisecond)
			return sp.write(ctx, w)
		})
		if err == nil {
			err = sp.check(a)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

func TestDo_Processes(t *testing.T) {
	rounds := 1
	if os.Getenv("UNLEARNLAB_SLOW") != "" {
		rounds = 50
	}
	for range rounds {
		folder := t.TempDir()
		var all []*exec.Cmd
		for range racers {
			all = append(all, child(t, "racer", folder))
		}
		for _, racer := range all {
			if err := racer.Wait(); err != nil {
				t.Error(err)
			}
		}
		lines, err := os.ReadFile(filepath.Join(folder, "made"))
		if err != nil {
			t.Fatal(err)
		}
		count := map[string]int{}
		for _, line := range strings.Fields(string(lines)) {
			count[line]++
		}
		for i := range raced {
			if n := count[strconv.Itoa(i)]; n != 1 {
				t.Errorf("artifact %d was made %d times", i, n)
			}
		}
	}
}

package store

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
)

func init() { children["full"] = fillTheDisk; children["readonly"] = readOnly }

// mounted runs a child process in a separate mount namespace, so that its mounts do not affect the machine.
func mounted(t *testing.T, name, folder string) {
	t.Helper()
	command := exec.Command(os.Args[0], folder)
	command.Env = append(os.Environ(), childVariable+"="+name)
	command.SysProcAttr = &syscall.SysProcAttr{
		Cloneflags:  syscall.CLONE_NEWUSER | syscall.CLONE_NEWNS,
		UidMappings: []syscall.SysProcIDMap{{ContainerID: 0, HostID: os.Getuid(), Size: 1}},
		GidMappings: []syscall.SysProcIDMap{{ContainerID: 0, HostID: os.Getgid(), Size: 1}},
	}
	output, err := command.CombinedOutput()
	if errors.Is(err, syscall.EPERM) || errors.Is(err, syscall.ENOSPC) || errors.Is(err, syscall.EACCES) ||
		strings.Contains(string(output), noMount) {
		t.Skipf("no mount namespace here: %v %s", err, output)
	}
	if err != nil {
		t.Errorf("%v: %s", err, output)
	}
}

const noMount = "mounting is not allowed"

func mount(source, target, kind string, flags uintptr, data string) error {
	if err := syscall.Mount(source, target, kind, flags, data); err != nil {
		return fmt.Errorf("%s: %w", noMount, err)
	}
	return nil
}

// A full disk gives an error of one line, and leaves no partial artifact.
func TestDo_FullDisk(t *testing.T) { mounted(t, "full", t.TempDir()) }

// fillTheDisk makes artifacts on a disk of 256 kB until it is full. Some stages return the write error, others ignore
// it.
func fillTheDisk(folder string) error {
	if err := mount("none", folder, "tmpfs", 0, "size=256k"); err != nil {
		return err
	}
	s, err := Open(folder)
	if err != nil {
		return err
	}
	small, large := spec{1, 100}, spec{2, 20_000}
	if _, err := s.Do(context.Background(), stage, small, nil, small.write); err != nil {
		return err
	}
	careless := func(_ context.Context, w *Work) error {
		f, err := w.File("a.txt")
		if err != nil {
			return err
		}
		f.Write(large.content()) //nolint:errcheck // ignoring the error is the test
		f.Write(large.content()) //nolint:errcheck
		return f.Close()
	}
	for name, make := range map[string]func(context.Context, *Work) error{"careful": large.write,
		"careless": careless} {
		_, err := s.Do(context.Background(), stage, large, nil, make)
		if !errors.Is(err, syscall.ENOSPC) || strings.Contains(err.Error(), "\n") {
			return fmt.Errorf("%s: error %w", name, err)
		}
		if left, _ := filepath.Glob(filepath.Join(folder, "work", "*")); len(left) > 0 {
			return fmt.Errorf("%s: left %v", name, left)
		}
	}
	if err := fullToTheLastBlock(s); err != nil {
		return err
	}
	s, err = Open(folder)
	if err != nil {
		return err
	}
	if a, err := s.Get(small.key()); err != nil || small.check(a) != nil {
		return fmt.Errorf("what was there is gone: %w", err)
	}
	if _, err := s.Get(large.key()); !errors.Is(err, ErrAbsent) {
		return fmt.Errorf("half an artifact: %w", err)
	}
	return nil
}

// fullToTheLastBlock tries disks with 0 to 19 free blocks, so that writing fails in a file, in the manifest or in a
// folder.
func fullToTheLastBlock(s *Store) error {
	ballast := filepath.Join(s.folder, "work", "ballast")
	failed, made := 0, 0
	for free := range 20 {
		if err := os.MkdirAll(filepath.Dir(ballast), 0o755); err != nil {
			return err
		}
		var disk syscall.Statfs_t
		if err := syscall.Statfs(s.folder, &disk); err != nil {
			return err
		}
		if err := os.WriteFile(ballast, make([]byte, (int64(disk.Bfree)-int64(free))*disk.Bsize), 0o644); err != nil {
			return err
		}
		sp := spec{1000 + free, 10}
		a, err := s.Do(context.Background(), stage, sp, nil, sp.write)
		switch {
		case err == nil:
			made++
			err = errors.Join(sp.check(a), s.Verify(sp.key()), s.Remove(sp.key()))
		case errors.Is(err, syscall.ENOSPC) && !strings.Contains(err.Error(), "\n"):
			failed++
			_, err = s.Get(sp.key())
			if errors.Is(err, ErrAbsent) {
				err = nil
			}
		}
		if err != nil {
			return fmt.Errorf("with %d blocks free: %w", free, err)
		}
		if err := os.Remove(ballast); err != nil {
			return err
		}
	}
	if failed == 0 || made == 0 {
		return fmt.Errorf("%d failed and %d were made", failed, made)
	}
	return nil
}

func TestStore_ReadOnly(t *testing.T) {
	folder := t.TempDir()
	do(t, open(t, filepath.Join(folder, "store")), spec{1, 100})
	if err := os.Mkdir(filepath.Join(folder, "empty"), 0o755); err != nil {
		t.Fatal(err)
	}
	mounted(t, "readonly", folder)
}

func readOnly(folder string) error {
	if err := mount(folder, folder, "", syscall.MS_BIND, ""); err != nil {
		return err
	}
	if err := mount("", folder, "", syscall.MS_BIND|syscall.MS_REMOUNT|syscall.MS_RDONLY, ""); err != nil {
		return err
	}
	s, err := Open(filepath.Join(folder, "store"))
	if err != nil {
		return err
	}
	there, absent := spec{1, 100}, spec{2, 100}
	a, err := s.Do(context.Background(), stage, there, nil, there.write)
	if err != nil || there.check(a) != nil {
		return fmt.Errorf("Do of what is there: %w", err)
	}
	if manifests, _, err := s.List(); len(manifests) != 1 || err != nil {
		return fmt.Errorf("List: %v, %w", manifests, err)
	}
	_, missing := s.Do(context.Background(), stage, absent, nil, absent.write)
	empty, err := Open(filepath.Join(folder, "empty"))
	if err != nil {
		return err
	}
	for what, err := range map[string]error{"Do": missing, "Make": empty.Make(), "Remove": s.Remove(there.key())} {
		if !errors.Is(err, syscall.EROFS) || !strings.Contains(err.Error(), folder) ||
			strings.Contains(err.Error(), "\n") {
			return fmt.Errorf("%s: error %w", what, err)
		}
	}
	if _, err := s.Get(absent.key()); !errors.Is(err, ErrAbsent) || errors.Is(err, fs.ErrPermission) {
		return fmt.Errorf("Get of what is not there: %w", err)
	}
	return nil
}

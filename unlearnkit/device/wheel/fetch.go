package wheel

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"time"
)

// Fetch downloads a wheel's file into folder under a unique name and returns its path; the caller removes it. If the
// file does not have the pinned hash, Fetch removes it and returns an error. progress, which may be nil, receives the
// numbers of bytes done and in total; the total is -1 if the index does not state it. public is used if pip's
// configuration names no index.
func (s Settings) Fetch(ctx context.Context, w Wheel, folder string, public Lookup,
	progress func(done, all int64)) (path string, err error) {
	file, err := os.CreateTemp(folder, "."+w.Project+".*.whl")
	if err != nil {
		return "", err
	}
	defer func() {
		file.Close()
		if err != nil {
			os.Remove(file.Name())
			err = fmt.Errorf("fetch %s: %w", w.File, err)
		}
	}()
	for _, links := range s.FindLinks {
		if found, err := os.Open(filepath.Join(strings.TrimPrefix(links, "file://"), w.File)); err == nil {
			defer found.Close()
			return file.Name(), keep(file, found, w, func(int64) {})
		}
	}
	if s.NoIndex {
		return "", errors.New("pip's configuration forbids asking an index (no-index), and its find-links do not " +
			"have the file")
	}
	c, err := s.client()
	if err != nil {
		return "", err
	}
	address, err := c.find(ctx, w, public)
	if err != nil {
		return "", err
	}
	return file.Name(), c.download(ctx, address, file, w, progress)
}

// find returns the address of a wheel from the first index that has it, or from public if the settings name no index.
func (c *client) find(ctx context.Context, w Wheel, public Lookup) (string, error) {
	if len(c.settings.Indexes) == 0 {
		address, err := public(ctx, w)
		if err != nil {
			return "", fmt.Errorf("the public package index: %w", err)
		}
		return address, nil
	}
	var problems []error
	for _, index := range c.settings.Indexes {
		address, err := c.locate(ctx, index, w)
		if err == nil {
			return address, nil
		}
		problems = append(problems, fmt.Errorf("%s: %w", redact(index), err))
	}
	return "", errors.Join(problems...)
}

// download writes the content at the address into file. It gives up if nothing arrives for the timeout of the settings.
func (c *client) download(ctx context.Context, address string, file *os.File, w Wheel,
	progress func(done, all int64)) error {
	at, err := url.Parse(address)
	if err != nil {
		return fmt.Errorf("the index names %q: %w", redact(address), err)
	}
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	answer, err := c.get(ctx, at, "*/*")
	if err != nil {
		return fmt.Errorf("%s: %w", at.Redacted(), err)
	}
	defer answer.Body.Close()
	silence := time.AfterFunc(c.settings.Timeout, func() {
		cancel(fmt.Errorf("nothing came for %v", c.settings.Timeout))
	})
	defer silence.Stop()
	err = keep(file, answer.Body, w, func(done int64) {
		silence.Reset(c.settings.Timeout)
		if progress != nil {
			progress(done, answer.ContentLength)
		}
	})
	if cause := context.Cause(ctx); cause != nil {
		err = cause
	}
	if err != nil {
		return fmt.Errorf("%s: %w", at.Redacted(), err)
	}
	return nil
}

// wheelLimit bounds the bytes written before the hash is checked.
const wheelLimit = 4 << 30

// keep copies content to the file and checks its hash.
func keep(file *os.File, content io.Reader, w Wheel, done func(int64)) error {
	sum := sha256.New()
	n, err := io.Copy(io.MultiWriter(file, sum, counter{new(int64), done}), io.LimitReader(content, wheelLimit))
	if err != nil {
		return err
	}
	if got := hex.EncodeToString(sum.Sum(nil)); got != w.SHA256 {
		return fmt.Errorf("the %d bytes there have the SHA-256 %s, not %s as pinned; nothing was installed", n, got,
			w.SHA256)
	}
	return nil
}

// counter reports how many bytes were written.
type counter struct {
	n    *int64
	tell func(int64)
}

func (c counter) Write(p []byte) (int, error) {
	*c.n += int64(len(p))
	c.tell(*c.n)
	return len(p), nil
}

package store

import (
	"context"
	"errors"
	"io"
	"time"
)

// Objects is a set of named objects that many machines share, such as a bucket. Names have slashes between folders.
// Package bucket opens one by its URL.
type Objects interface {
	// Name returns the URL, for messages.
	Name() string
	// Read opens an object. It returns [io/fs.ErrNotExist] if there is none.
	Read(ctx context.Context, name string) (io.ReadCloser, error)
	// Write writes an object, and replaces one of the same name. Nobody sees a part of it.
	Write(ctx context.Context, name string, content io.ReadSeeker) error
	// WriteNew writes an object unless one of this name exists: then it returns [io/fs.ErrExist]. Of several writers
	// exactly one succeeds.
	WriteNew(ctx context.Context, name string, content []byte) error
	// Delete removes an object, if there is one.
	Delete(ctx context.Context, name string) error
	// List lists the objects whose names begin with prefix, sorted by name. The prefix contains a whole folder.
	List(ctx context.Context, prefix string) ([]Object, error)
}

// Object describes one of [Objects].
type Object struct {
	Name     string
	Modified time.Time // by the clock of the server
}

// ErrUnreachable means that [Objects] did not answer for a while. The same request may succeed later.
var ErrUnreachable = errors.New("the server does not answer")

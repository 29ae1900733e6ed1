package bucket

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"net/url"
	"strings"
	"sync/atomic"
	"time"

	"gocloud.dev/blob"
	_ "gocloud.dev/blob/azureblob" // azblob URLs
	_ "gocloud.dev/blob/s3blob"    // s3 URLs

	"github.com/unlearnlab/unlearnlab/unlearnkit/study/store"
)

// patience is how long a request is repeated while the server does not answer. Until the server has answered once,
// requests are not repeated, so that a wrong address is an error at once.
var patience = time.Minute

// longestPause is the longest pause between two attempts.
const longestPause = 10 * time.Second

// cloud stores objects in a bucket of a cloud service.
type cloud struct {
	bucket   *blob.Bucket
	name     string
	host     string // name of the bucket
	answered atomic.Bool
}

func openCloud(ctx context.Context, u *url.URL) (store.Objects, error) {
	bare := *u
	bare.Path = ""
	bucket, err := blob.OpenBucket(ctx, bare.String())
	if err != nil {
		return nil, &URLError{u.String(), strings.Join(strings.Fields(err.Error()), " ")}
	}
	folder := strings.Trim(u.Path, "/")
	name := u.Scheme + "://" + u.Host
	if folder != "" {
		bucket, name = blob.PrefixedBucket(bucket, folder+"/"), name+"/"+folder
	}
	return &cloud{bucket: bucket, name: name, host: u.Host}, nil
}

// Name implements [store.Objects].
func (c *cloud) Name() string { return c.name }

// Read implements [store.Objects].
func (c *cloud) Read(ctx context.Context, name string) (content io.ReadCloser, err error) {
	err = c.try(ctx, "read "+name, func() (err error) {
		content, err = c.bucket.NewReader(ctx, name, nil)
		return err
	})
	return content, err
}

const contentType = "application/octet-stream"

// Write implements [store.Objects].
func (c *cloud) Write(ctx context.Context, name string, content io.ReadSeeker) error {
	return c.try(ctx, "write "+name, func() error {
		if _, err := content.Seek(0, io.SeekStart); err != nil {
			return err
		}
		return c.bucket.Upload(ctx, name, content, &blob.WriterOptions{ContentType: contentType})
	})
}

// WriteNew implements [store.Objects].
func (c *cloud) WriteNew(ctx context.Context, name string, content []byte) error {
	return c.try(ctx, "write "+name, func() error {
		// Not WriteAll, because its writer for azblob panics if the server refuses.
		return c.bucket.Upload(ctx, name, bytes.NewReader(content), &blob.WriterOptions{ContentType: contentType,
			IfNotExist: true})
	})
}

// Delete implements [store.Objects].
func (c *cloud) Delete(ctx context.Context, name string) error {
	err := c.try(ctx, "delete "+name, func() error { return c.bucket.Delete(ctx, name) })
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	return err
}

// List implements [store.Objects].
func (c *cloud) List(ctx context.Context, prefix string) (objects []store.Object, err error) {
	err = c.try(ctx, "list "+prefix, func() error {
		objects = nil
		for page := c.bucket.List(&blob.ListOptions{Prefix: prefix}); ; {
			o, err := page.Next(ctx)
			if err == io.EOF {
				return nil
			}
			if err != nil {
				return err
			}
			objects = append(objects, store.Object{Name: o.Key, Modified: o.ModTime})
		}
	})
	return objects, err
}

// try sends a request. It repeats the request while the server does not answer, and returns an error in one line.
func (c *cloud) try(ctx context.Context, what string, request func() error) error {
	began := time.Now()
	for pause := time.Second / 2; ; pause = min(2*pause, longestPause) {
		err := request()
		kind := c.classify(err)
		if kind != store.ErrUnreachable {
			c.answered.Store(true)
		}
		switch {
		case err == nil:
			return nil
		case ctx.Err() != nil:
			return fmt.Errorf("%s: %s: %w", c.name, what, context.Cause(ctx))
		case kind != store.ErrUnreachable:
			return fmt.Errorf("%s: %s: %w", c.name, what, kind)
		case !c.answered.Load() || time.Since(began)+pause > patience:
			return fmt.Errorf("%s: %s: %w: %s", c.name, what, kind, reason(err))
		}
		select {
		case <-ctx.Done():
		case <-time.After(pause):
		}
	}
}

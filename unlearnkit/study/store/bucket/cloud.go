//go:build !nobucket

package bucket

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"sync/atomic"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/config"
	"github.com/aws/aws-sdk-go-v2/feature/s3/transfermanager"
	"github.com/aws/aws-sdk-go-v2/service/s3"

	"github.com/unlearnlab/unlearnlab/unlearnkit/study/store"
)

// patience is how long a request is repeated while the server does not answer. Until the server has answered once,
// requests are not repeated, so that a wrong address is an error at once.
var patience = time.Minute

// longestPause is the longest pause between two attempts.
const longestPause = 10 * time.Second

// cloud stores objects in a bucket of a server that speaks S3.
type cloud struct {
	client   *s3.Client
	upload   *transfermanager.Client
	bucket   string
	folder   string // before the names of objects: "" or "folder/"
	name     string
	answered atomic.Bool
}

// parameters are the query parameters of an s3 URL.
var parameters = []string{"endpoint", "profile", "region", "use_path_style"}

func openCloud(ctx context.Context, u *url.URL) (store.Objects, error) {
	wrong := func(format string, args ...any) (store.Objects, error) {
		return nil, &URLError{u.String(), fmt.Sprintf(format, args...)}
	}
	query := u.Query()
	for name := range query {
		if !slices.Contains(parameters, name) {
			return wrong("unknown query parameter %q; there are %s", name, strings.Join(parameters, ", "))
		}
	}
	// What is empty is left to the environment.
	options := []func(*config.LoadOptions) error{config.WithSharedConfigProfile(query.Get("profile")),
		config.WithRegion(query.Get("region"))}
	endpoint := query.Get("endpoint")
	if endpoint != "" {
		// Other servers may not know Amazon's checksums, and the store compares SHA-256 sums itself.
		options = append(options, config.WithBaseEndpoint(endpoint), config.WithDefaultRegion("us-east-1"),
			config.WithRequestChecksumCalculation(aws.RequestChecksumCalculationWhenRequired),
			config.WithResponseChecksumValidation(aws.ResponseChecksumValidationWhenRequired))
	}
	inPath := endpoint != ""
	if query.Has("use_path_style") {
		var err error
		if inPath, err = strconv.ParseBool(query.Get("use_path_style")); err != nil {
			return wrong("use_path_style=%s is neither true nor false", query.Get("use_path_style"))
		}
	}
	settings, err := config.LoadDefaultConfig(ctx, options...)
	if err != nil {
		return wrong("%s", strings.Join(strings.Fields(err.Error()), " "))
	}
	c := &cloud{bucket: u.Host, name: u.Scheme + "://" + u.Host}
	c.client = s3.NewFromConfig(settings, func(o *s3.Options) { o.UsePathStyle = inPath })
	c.upload = transfermanager.New(c.client, func(o *transfermanager.Options) {
		o.RequestChecksumCalculation = settings.RequestChecksumCalculation
	})
	if folder := strings.Trim(u.Path, "/"); folder != "" {
		c.folder, c.name = folder+"/", c.name+"/"+folder
	}
	return c, nil
}

// Name implements [store.Objects].
func (c *cloud) Name() string { return c.name }

// key returns the key of an object in the bucket.
func (c *cloud) key(name string) *string { return aws.String(c.folder + name) }

// Read implements [store.Objects].
func (c *cloud) Read(ctx context.Context, name string) (content io.ReadCloser, err error) {
	err = c.try(ctx, "read "+name, func() error {
		object, err := c.client.GetObject(ctx, &s3.GetObjectInput{Bucket: &c.bucket, Key: c.key(name)})
		if err != nil {
			return err
		}
		content = object.Body
		return nil
	})
	return content, err
}

// Write implements [store.Objects]. It uploads a large object in parts.
func (c *cloud) Write(ctx context.Context, name string, content io.ReadSeeker) error {
	return c.try(ctx, "write "+name, func() error {
		if _, err := content.Seek(0, io.SeekStart); err != nil {
			return err
		}
		_, err := c.upload.UploadObject(ctx, &transfermanager.UploadObjectInput{Bucket: &c.bucket, Key: c.key(name),
			Body: content})
		return err
	})
}

// WriteNew implements [store.Objects].
func (c *cloud) WriteNew(ctx context.Context, name string, content []byte) error {
	return c.try(ctx, "write "+name, func() error {
		_, err := c.client.PutObject(ctx, &s3.PutObjectInput{Bucket: &c.bucket, Key: c.key(name),
			Body: bytes.NewReader(content), IfNoneMatch: aws.String("*")})
		return err
	})
}

// Delete implements [store.Objects].
func (c *cloud) Delete(ctx context.Context, name string) error {
	err := c.try(ctx, "delete "+name, func() error {
		_, err := c.client.DeleteObject(ctx, &s3.DeleteObjectInput{Bucket: &c.bucket, Key: c.key(name)})
		return err
	})
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	return err
}

// List implements [store.Objects].
func (c *cloud) List(ctx context.Context, prefix string) (objects []store.Object, err error) {
	err = c.try(ctx, "list "+prefix, func() error {
		objects = nil
		pages := s3.NewListObjectsV2Paginator(c.client,
			&s3.ListObjectsV2Input{Bucket: &c.bucket, Prefix: c.key(prefix)})
		for pages.HasMorePages() {
			page, err := pages.NextPage(ctx)
			if err != nil {
				return err
			}
			for _, o := range page.Contents {
				objects = append(objects, store.Object{Name: strings.TrimPrefix(aws.ToString(o.Key), c.folder),
					Modified: aws.ToTime(o.LastModified)})
			}
		}
		return nil
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

// Package bucket opens a set of objects, through which several machines share their results, by its URL:
//
//	file:///shared/unlearnlab          a folder that all machines see; its file system needs hard links, but no locks
//	s3://bucket/folder?region=…        Amazon S3
//	s3://bucket/folder?endpoint=…      another server that speaks S3, with conditional writes
//
// The other parameters of s3 URLs are profile, a section of the files of the AWS command line, and use_path_style: whether
// the bucket is a part of the path, as it is by default with an endpoint, or of the host's name. Credentials come from
// where the AWS command line finds them, such as AWS_ACCESS_KEY_ID.
package bucket

import (
	"context"
	"fmt"
	"net/url"
	"os"
	"strings"

	"github.com/unlearnlab/unlearnlab/unlearnkit/study/store"
)

// Variable is the environment variable with the URL.
const Variable = "UNLEARNLAB_STORE"

// FromEnvironment opens the objects that $UNLEARNLAB_STORE names, or returns nil without that variable.
func FromEnvironment(ctx context.Context) (store.Objects, error) {
	address := strings.TrimSpace(os.Getenv(Variable))
	if address == "" {
		return nil, nil
	}
	return open(ctx, address)
}

// URLError is the error for a URL that names no objects.
type URLError struct{ Address, Reason string }

func (e *URLError) Error() string { return fmt.Sprintf("%s=%s: %s", Variable, e.Address, e.Reason) }

// open opens the objects at a URL. It sends no request.
func open(ctx context.Context, address string) (store.Objects, error) {
	wrong := func(reason string) (store.Objects, error) { return nil, &URLError{address, reason} }
	u, err := url.Parse(address)
	if err != nil {
		return wrong("this is not a URL; give one as s3://bucket/folder or file:///shared/folder")
	}
	switch u.Scheme {
	case "file":
		if u.Host != "" || !strings.HasPrefix(u.Path, "/") {
			return wrong("give the folder with its whole path: file:///shared/folder")
		}
		return openFolder(u)
	case "s3":
		if u.Host == "" {
			return wrong("name a bucket: s3://bucket/folder")
		}
		return openCloud(ctx, u)
	case "gs", "azblob":
		return wrong("the clients of Google and Azure are not part of this program; use a folder that all machines see, " +
			"or an s3 URL of a server with conditional writes")
	}
	return wrong("the scheme is unknown; there are file and s3")
}

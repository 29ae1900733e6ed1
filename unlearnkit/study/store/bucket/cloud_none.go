//go:build nobucket

package bucket

import (
	"context"
	"net/url"

	"github.com/unlearnlab/unlearnlab/unlearnkit/study/store"
)

func openCloud(_ context.Context, u *url.URL) (store.Objects, error) {
	return nil, &URLError{u.String(), "this program was built with the tag nobucket, without the services' clients"}
}

package labs

import (
	"context"
	"io"
)

// Download describes the published data of a paper.
type Download struct {
	About string   // description of the folders that the download has
	Names []string // names of the data sets in the store's settings
	Find  func(dir string) (folders []string)
	Check func(ctx context.Context, folder string, deep bool) (Report, error)
}

// Report is the result of checking a data set. Encoded as JSON, it has all details.
type Report interface {
	Name() string // name of the data set
	Usable() bool
	Write(w io.Writer) // prints the report as text
}

// asReport converts a check that returns its own report type into a check that returns a Report.
func asReport[R Report](check func(context.Context, string, bool) (R, error)) func(context.Context, string, bool) (
	Report, error) {
	return func(ctx context.Context, folder string, deep bool) (Report, error) {
		report, err := check(ctx, folder, deep)
		if err != nil {
			return nil, err // report would be a non-nil interface with a nil value
		}
		return report, nil
	}
}

// namesOf returns the names that data sets have in the store's settings.
func namesOf[K interface{ Name() string }](kinds []K) (names []string) {
	for _, kind := range kinds {
		names = append(names, kind.Name())
	}
	return names
}

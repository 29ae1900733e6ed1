package wheel

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"html"
	"io"
	"mime"
	"net/http"
	"net/url"
	"path"
	"regexp"
	"strings"
)

// A Wheel is one pinned file of an index.
type Wheel struct {
	Project, Version string
	File             string // name of the file in the index
	SHA256           string // hash of the file, in hexadecimal
}

// A Lookup returns the address of a wheel's file. It replaces the index if pip's configuration names none.
type Lookup func(ctx context.Context, w Wheel) (address string, err error)

// pageLimit bounds the size of an index's page about one project.
const pageLimit = 64 << 20

// accepted lists the answer formats of PEP 691 and PEP 503, the preferred one first.
const accepted = "application/vnd.pypi.simple.v1+json, application/vnd.pypi.simple.v1+html;q=0.2, text/html;q=0.01"

var (
	separators = regexp.MustCompile(`[-_.]+`)
	anchors    = regexp.MustCompile(`(?is)<a\s[^>]*?href\s*=\s*["']([^"']+)["'][^>]*>(.*?)</a>`)
	bases      = regexp.MustCompile(`(?is)<base\s[^>]*?href\s*=\s*["']([^"']+)["']`)
)

// errNotListed reports that an index answered but does not have the file.
var errNotListed = errors.New("it is not there")

// locate asks an index for the address of a wheel's file.
func (c *client) locate(ctx context.Context, index string, w Wheel) (string, error) {
	page, err := url.Parse(strings.TrimRight(index, "/") + "/" +
		strings.ToLower(separators.ReplaceAllString(w.Project, "-")) + "/")
	if err != nil {
		return "", err
	}
	answer, err := c.get(ctx, page, accepted)
	if err != nil {
		return "", err
	}
	defer answer.Body.Close()
	body, err := io.ReadAll(io.LimitReader(answer.Body, pageLimit))
	if err != nil {
		return "", err
	}
	kind, _, _ := mime.ParseMediaType(answer.Header.Get("Content-Type"))
	listed := listedInHTML
	if strings.HasSuffix(kind, "json") {
		listed = listedInJSON
	}
	address, err := listed(answer.Request.URL, body, w.File)
	if err != nil {
		return "", err
	}
	address.Fragment = ""
	return address.String(), nil
}

func listedInJSON(page *url.URL, body []byte, file string) (*url.URL, error) {
	var project struct {
		Files []struct{ Filename, URL string }
	}
	if err := json.Unmarshal(body, &project); err != nil {
		return nil, fmt.Errorf("its answer is not JSON: %w", err)
	}
	for _, f := range project.Files {
		if f.Filename == file {
			return page.Parse(f.URL)
		}
	}
	return nil, errNotListed
}

func listedInHTML(page *url.URL, body []byte, file string) (*url.URL, error) {
	if base := bases.FindSubmatch(body); base != nil {
		if at, err := page.Parse(html.UnescapeString(string(base[1]))); err == nil {
			page = at
		}
	}
	for _, anchor := range anchors.FindAllSubmatch(body, -1) {
		address, err := page.Parse(html.UnescapeString(string(anchor[1])))
		if err == nil && path.Base(address.Path) == file {
			return address, nil
		}
	}
	return nil, errNotListed
}

// get requests an address and returns the answer, unless it is an error.
func (c *client) get(ctx context.Context, address *url.URL, accept string) (*http.Response, error) {
	if !c.secure(address) {
		return nil, fmt.Errorf("%s is neither https nor one of pip's trusted hosts", address.Redacted())
	}
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, address.String(), nil)
	if err != nil {
		return nil, err
	}
	request.Header.Set("Accept", accept)
	request.Header.Set("User-Agent", "unlearnlab")
	answer, err := c.http.Do(request)
	if err != nil {
		var failed *url.Error
		if errors.As(err, &failed) {
			err = failed.Err // the error without the address, which may contain a password
		}
		return nil, err
	}
	switch {
	case answer.StatusCode == http.StatusNotFound:
		err = errNotListed
	case answer.StatusCode != http.StatusOK:
		err = errors.New("the answer is " + answer.Status)
	}
	if err != nil {
		answer.Body.Close()
		return nil, err
	}
	return answer, nil
}

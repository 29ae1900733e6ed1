//go:build !nobucket

package bucket

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"net/http"
	"net/http/httptest"
	"os"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/johannesboyne/gofakes3"
	"github.com/johannesboyne/gofakes3/backend/s3mem"

	"github.com/unlearnlab/unlearnlab/unlearnkit/study/store"
)

// onS3 returns the URL of a bucket on a server.
func onS3(t *testing.T, server http.Handler, bucket string) string {
	t.Helper()
	t.Setenv("AWS_ACCESS_KEY_ID", "lab")
	t.Setenv("AWS_SECRET_ACCESS_KEY", "secret")
	s := httptest.NewServer(server)
	t.Cleanup(s.Close)
	return "s3://" + bucket + "?endpoint=" + s.URL
}

func fakeS3(t *testing.T) string {
	t.Helper()
	backend := s3mem.New()
	if err := backend.CreateBucket("lab"); err != nil {
		t.Fatal(err)
	}
	return onS3(t, gofakes3.New(backend).Server(), "lab/results")
}

func openAt(t *testing.T, address string) store.Objects {
	t.Helper()
	objects, err := open(t.Context(), address)
	if err != nil {
		t.Fatal(err)
	}
	return objects
}

// folders returns the URLs of empty objects of each kind, and of a server in $UNLEARNLAB_TEST_STORE, whose %s becomes a
// new folder:
//
//	UNLEARNLAB_TEST_STORE='s3://lab/%s?endpoint=…' go test ./unlearnkit/study/store/bucket
func folders(t *testing.T) map[string]string {
	all := map[string]string{"file": "file://" + t.TempDir()}
	if server := os.Getenv("UNLEARNLAB_TEST_STORE"); server != "" {
		all["server"] = strings.Replace(server, "%s", fmt.Sprint(time.Now().UnixNano()), 1)
	} else {
		all["s3"] = fakeS3(t)
	}
	return all
}

func TestObjects(t *testing.T) {
	for scheme, address := range folders(t) {
		t.Run(scheme, func(t *testing.T) {
			o, ctx := openAt(t, address), t.Context()
			if _, err := o.Read(ctx, "a/b"); !errors.Is(err, fs.ErrNotExist) {
				t.Errorf("read what is missing: %v", err)
			}
			if err := o.Delete(ctx, "a/b"); err != nil {
				t.Errorf("delete what is missing: %v", err)
			}
			if all, err := o.List(ctx, "a/"); len(all) != 0 || err != nil {
				t.Errorf("list %v, %v", all, err)
			}
			for _, content := range []string{"one", "two"} {
				if err := o.Write(ctx, "a/b", strings.NewReader(content)); err != nil {
					t.Fatal(err)
				}
			}
			if err := o.WriteNew(ctx, "a/b", []byte("three")); !errors.Is(err, fs.ErrExist) {
				t.Errorf("write new over an object: %v", err)
			}
			if err := o.WriteNew(ctx, "a/c", []byte("c")); err != nil {
				t.Error(err)
			}
			if err := o.WriteNew(ctx, "ab/c", []byte("c")); err != nil {
				t.Error(err)
			}
			if got := read(t, o, "a/b"); got != "two" {
				t.Errorf("read %q, want two", got)
			}
			var names []string
			all, err := o.List(ctx, "a/")
			for _, object := range all {
				names = append(names, object.Name)
			}
			if diff := cmp.Diff([]string{"a/b", "a/c"}, names); diff != "" || err != nil {
				t.Errorf("list: %v %s", err, diff)
			}
			if err := o.Delete(ctx, "a/b"); err != nil {
				t.Error(err)
			}
			if all, err := o.List(ctx, "a/b"); len(all) != 0 || err != nil {
				t.Errorf("after delete: %v, %v", all, err)
			}
		})
	}
}

func read(t *testing.T, o store.Objects, name string) string {
	t.Helper()
	object, err := o.Read(t.Context(), name)
	if err != nil {
		t.Fatal(err)
	}
	defer object.Close()
	content, err := io.ReadAll(object)
	if err != nil {
		t.Fatal(err)
	}
	return string(content)
}

// Of many writers of a new object exactly one succeeds, and its content stays.
func TestObjects_WriteNewOnce(t *testing.T) {
	for scheme, address := range folders(t) {
		t.Run(scheme, func(t *testing.T) {
			for round := range 5 {
				name := fmt.Sprintf("a/%d", round)
				var writers sync.WaitGroup
				var winner atomic.Int32
				var won atomic.Int32
				for i := range 4 {
					writers.Go(func() {
						err := openAt(t, address).WriteNew(t.Context(), name, fmt.Append(nil, i))
						switch {
						case err == nil:
							won.Add(1)
							winner.Store(int32(i))
						case !errors.Is(err, fs.ErrExist):
							t.Error(err)
						}
					})
				}
				writers.Wait()
				if got := read(t, openAt(t, address), name); won.Load() != 1 || got != fmt.Sprint(winner.Load()) {
					t.Fatalf("%d writers won, the object is that of %s, want %d", won.Load(), got, winner.Load())
				}
			}
		})
	}
}

// Two machines share what they make.
func TestStore(t *testing.T) {
	stage, calls := store.Stage{Name: "test/bucket", Version: 1}, 0
	for scheme, address := range folders(t) {
		t.Run(scheme, func(t *testing.T) {
			calls = 0
			for range 2 {
				s, err := store.Open(t.TempDir(), store.Shared(openAt(t, address)))
				if err != nil {
					t.Fatal(err)
				}
				a, err := s.Do(t.Context(), stage, 7, nil, func(_ context.Context, w *store.Work) error {
					calls++
					return errors.Join(os.WriteFile(w.Path("logs/a.txt"), []byte("seven"), 0o644),
						os.WriteFile(w.Path("empty.txt"), nil, 0o644))
				})
				if err != nil {
					t.Fatal(err)
				}
				for name, want := range map[string]string{"logs/a.txt": "seven", "empty.txt": ""} {
					if got, err := a.ReadFile(name); string(got) != want || err != nil {
						t.Errorf("%s: got %q, %v; want %q", name, got, err, want)
					}
				}
				if runs, damaged, err := s.VerifyShared(t.Context()); runs != 1 || damaged != nil || err != nil {
					t.Errorf("verified %d, %v, %v", runs, damaged, err)
				}
			}
			if calls != 1 {
				t.Errorf("made %d times", calls)
			}
		})
	}
}

func TestOpen_Mistakes(t *testing.T) {
	for address, want := range map[string]string{
		"ftp://host/lab":           "the scheme is unknown; there are file and s3",
		"lab":                      "the scheme is unknown",
		"://":                      "not a URL",
		"file://shared/lab":        "whole path",
		"s3:///lab":                "name a bucket",
		"gs://lab":                 "the clients of Google and Azure are not part of this program",
		"azblob://lab":             "the clients of Google and Azure are not part of this program",
		"s3://lab?size=3":          `unknown query parameter "size"; there are endpoint, profile, region, use_path_style`,
		"s3://lab?use_path_style=": "use_path_style= is neither true nor false",
		"s3://lab?profile=none":    "none",
	} {
		_, err := open(t.Context(), address)
		if !errors.As(err, new(*URLError)) || !strings.Contains(err.Error(), want) || strings.Contains(err.Error(), "\n") {
			t.Errorf("%s: got %v, want %q", address, err, want)
		}
	}
	if _, err := open(t.Context(), "file:///no/such/folder"); err == nil || !strings.Contains(err.Error(), "make it first") {
		t.Errorf("got %v", err)
	}
}

// answer returns a server that answers every request with an error.
func answer(status int, code string) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.WriteHeader(status)
		fmt.Fprintf(w, `<?xml version="1.0"?><Error><Code>%s</Code><Message>no</Message></Error>`, code)
	})
}

func TestErrors(t *testing.T) {
	for code, test := range map[string]struct {
		status int
		says   string
	}{
		"NoSuchBucket":          {404, "there is no bucket lab: make it"},
		"AccessDenied":          {403, "access is denied"},
		"InvalidAccessKeyId":    {403, "does not accept these credentials"},
		"SignatureDoesNotMatch": {403, "does not accept these credentials"},
		"RequestTimeTooSkewed":  {403, "clock of this machine"},
		"NotImplemented":        {501, "If-None-Match"},
		"PermanentRedirect":     {301, "another region"},
		"QuotaExceeded":         {403, "the bucket takes no more"},
		"InsufficientStorage":   {507, "the bucket takes no more"},
	} {
		o := openAt(t, onS3(t, answer(test.status, code), "lab"))
		err := o.WriteNew(t.Context(), "runs/a.json", []byte("{}"))
		_, listed := o.List(t.Context(), "runs/")
		for _, err := range []error{err, listed} {
			if err == nil || !strings.Contains(err.Error(), test.says) || strings.Contains(err.Error(), "\n") ||
				!strings.HasPrefix(err.Error(), "s3://lab: ") {
				t.Errorf("%s: got %v, want %q", code, err, test.says)
			}
		}
	}
}

// A server that is briefly unreachable costs time. A server that never answered is an error at once.
func TestErrors_Away(t *testing.T) {
	if testing.Short() {
		t.Skip("waits for the pauses between attempts")
	}
	defer func(usual time.Duration) { patience = usual }(patience)
	patience = 3 * time.Second
	backend := s3mem.New()
	if err := backend.CreateBucket("lab"); err != nil {
		t.Fatal(err)
	}
	var away atomic.Bool
	var refused atomic.Int32
	good := gofakes3.New(backend).Server()
	address := onS3(t, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if away.Load() {
			refused.Add(1)
			answer(503, "SlowDown").ServeHTTP(w, r)
			return
		}
		good.ServeHTTP(w, r)
	}), "lab")
	away.Store(true)
	o := openAt(t, address)
	if _, err := o.List(t.Context(), "runs/"); !errors.Is(err, store.ErrUnreachable) {
		t.Errorf("got %v", err)
	}
	first := refused.Load()
	away.Store(false)
	if err := o.Write(t.Context(), "a", strings.NewReader("one")); err != nil {
		t.Fatal(err)
	}
	away.Store(true)
	time.AfterFunc(time.Second, func() { away.Store(false) })
	if err := o.Write(t.Context(), "a", strings.NewReader("two")); err != nil || refused.Load() == first {
		t.Errorf("after a moment: %v, %d requests refused", err, refused.Load()-first)
	}
	if got := read(t, o, "a"); got != "two" {
		t.Errorf("read %q", got)
	}
	away.Store(true)
	began := time.Now()
	if err := o.Write(t.Context(), "a", strings.NewReader("three")); !errors.Is(err, store.ErrUnreachable) ||
		time.Since(began) < time.Second {
		t.Errorf("after %v: %v", time.Since(began), err)
	}
}

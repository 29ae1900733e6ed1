package wheel

import (
	"archive/zip"
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/pem"
	"errors"
	"fmt"
	"io"
	"log"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

// alone isolates the test from the machine's pip configuration files and variables.
func alone(t *testing.T, configuration string) {
	home := t.TempDir()
	for _, variable := range os.Environ() {
		if name, _, _ := strings.Cut(variable, "="); strings.HasPrefix(name, "PIP_") {
			t.Setenv(name, "")
		}
	}
	for _, variable := range []string{"XDG_CONFIG_HOME", "VIRTUAL_ENV", "REQUESTS_CA_BUNDLE", "CURL_CA_BUNDLE", "NETRC",
		"HTTP_PROXY", "HTTPS_PROXY", "http_proxy", "https_proxy"} {
		t.Setenv(variable, "")
	}
	t.Setenv("HOME", home)
	t.Setenv("XDG_CONFIG_DIRS", filepath.Join(home, "etc"))
	path := filepath.Join(home, ".config", "pip", "pip.conf")
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(configuration), 0o644); err != nil {
		t.Fatal(err)
	}
}

func TestPip_ConfigurationOrder(t *testing.T) {
	alone(t, `# a comment
[global]
index-url = https://user.example/simple
extra_index_url:
    https://first.example/simple
    https://second.example/simple
timeout = 7.5
no-index = false
[install]
trusted-host = a.example b.example
[list]
index-url = https://not-ours.example
`)
	if _, err := os.Stat("/etc/pip.conf"); err == nil {
		t.Setenv("PIP_CERT", "from the variable") // overrides the machine's file
	}
	got, err := ReadSettings()
	if err != nil {
		t.Fatal(err)
	}
	want := Settings{
		Indexes: []string{"https://user.example/simple", "https://first.example/simple",
			"https://second.example/simple"}, FindLinks: []string{},
		TrustedHosts: []string{"a.example", "b.example"}, Certificates: os.Getenv("PIP_CERT"),
		Timeout: 7500 * time.Millisecond,
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}

	given := filepath.Join(t.TempDir(), "given.conf")
	if err := os.WriteFile(given, []byte("[global]\nindex-url = https://given.example/simple\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	t.Setenv("PIP_CONFIG_FILE", given)
	if got, err = ReadSettings(); err != nil || got.Indexes[0] != "https://given.example/simple" ||
		len(got.Indexes) != 3 {
		t.Errorf("PIP_CONFIG_FILE: %v, %v", got.Indexes, err)
	}
	t.Setenv("PIP_INDEX_URL", "https://variable.example/simple")
	if got, err = ReadSettings(); err != nil || got.Indexes[0] != "https://variable.example/simple" {
		t.Errorf("PIP_INDEX_URL: %v, %v", got.Indexes, err)
	}
	t.Setenv("PIP_CONFIG_FILE", os.DevNull)
	if got, err = ReadSettings(); err != nil || len(got.Indexes) != 1 || got.TrustedHosts == nil ||
		len(got.TrustedHosts) != 0 {
		t.Errorf("without files: %v, %v", got, err)
	}
	t.Setenv("PIP_INDEX_URL", "/folder")
	if _, err = ReadSettings(); err == nil || !strings.Contains(err.Error(), "index-url") {
		t.Errorf("%v", err)
	}
}

func TestNetrc(t *testing.T) {
	const content = "machine a.example login ann password one\nmachine b.example\n  login bob\n  password " +
		"two\ndefault login any password three\n"
	for host, want := range map[string]string{"a.example": "ann:one", "b.example": "bob:two",
		"c.example": "any:three"} {
		if got := fromNetrc(content, host); got == nil || got.String() != want {
			t.Errorf("%s: %v, want %s", host, got, want)
		}
	}
	if got := fromNetrc("machine a.example login ann password one", "b.example"); got != nil {
		t.Errorf("a stranger gets %v", got)
	}
}

const member = "plugin/libplugin.so"

// archive returns a wheel with a member and notices.
func archive(t *testing.T) []byte {
	t.Helper()
	var content bytes.Buffer
	w := zip.NewWriter(&content)
	for _, file := range [][2]string{
		{member, strings.Repeat("machine code ", 100_000)}, {"plugin/__init__.py", ""},
		{"plugin-1.dist-info/licenses/LICENSE", "free"}, {"plugin-1.dist-info/RECORD", ""},
		{"plugin-1.dist-info/../../NOTICE", "would lie outside"},
	} {
		f, err := w.Create(file[0])
		if err != nil {
			t.Fatal(err)
		}
		fmt.Fprint(f, file[1])
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return content.Bytes()
}

func pinnedTo(content []byte) Wheel {
	sum := sha256.Sum256(content)
	return Wheel{Project: "My_Plugin", Version: "1", File: "my_plugin-1-py3-none-any.whl",
		SHA256: hex.EncodeToString(sum[:])}
}

// index serves a wheel under the simple interface in a media type; file answers for the wheel itself.
func index(t *testing.T, json bool, file http.HandlerFunc) *httptest.Server {
	mux := http.NewServeMux()
	mux.HandleFunc("/simple/my-plugin/", func(w http.ResponseWriter, r *http.Request) {
		if !strings.Contains(r.Header.Get("Accept"), "application/vnd.pypi.simple.v1+json") {
			t.Errorf("Accept: %s", r.Header.Get("Accept"))
		}
		if json {
			w.Header().Set("Content-Type", "application/vnd.pypi.simple.v1+json")
			fmt.Fprint(w, `{"files": [{"filename": "my_plugin-2-py3-none-any.whl", "url": "x"},
				{"filename": "my_plugin-1-py3-none-any.whl",
				"url": "../../files/a%20b/my_plugin-1-py3-none-any.whl"}]}`)
			return
		}
		w.Header().Set("Content-Type", "text/html; charset=UTF-8")
		fmt.Fprint(w, `<!DOCTYPE html><html><body><a href="x/my_plugin-2-py3-none-any.whl">2</a><br/>
<a data-requires-python="&gt;=3"
	href="../../files/a%20b/my_plugin-1-py3-none-any.whl?x=1&amp;y=2#sha256=00"
	>my_plugin-1-py3-none-any.whl</a></body></html>`)
	})
	mux.HandleFunc("/files/{folder}/my_plugin-1-py3-none-any.whl", func(w http.ResponseWriter, r *http.Request) {
		if r.PathValue("folder") != "a b" {
			t.Errorf("asked for %s", r.URL)
		}
		file(w, r)
	})
	server := httptest.NewServer(mux)
	t.Cleanup(server.Close)
	return server
}

func noPublicIndex(context.Context, Wheel) (string, error) {
	return "", errors.New("no public index in tests")
}

func TestFetch(t *testing.T) {
	content := archive(t)
	for _, json := range []bool{true, false} {
		server := index(t, json, func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Length", fmt.Sprint(len(content)))
			w.Write(content)
		})
		folder, progress := t.TempDir(), int64(0)
		settings := Settings{Indexes: []string{server.URL + "/elsewhere/", server.URL + "/simple"},
			Timeout: time.Minute}
		path, err := settings.Fetch(t.Context(), pinnedTo(content), folder, noPublicIndex, func(done, all int64) {
			progress = done * 100 / all
		})
		if err != nil || progress != 100 {
			t.Fatalf("JSON %v: %v, progress %d", json, err, progress)
		}
		target := filepath.Join(folder, "plugin.so")
		written, err := Unpack(path, member, target, "plugin.")
		want := []string{filepath.Join(folder, "plugin.LICENSE"), filepath.Join(folder, "plugin.NOTICE"), target}
		if diff := cmp.Diff(want, written); diff != "" || err != nil {
			t.Errorf("%v\n%s", err, diff)
		}
		if info, err := os.Stat(target); err != nil || info.Size() != 1_300_000 || info.Mode().Perm() != 0o644 {
			t.Errorf("%v, %v", info, err)
		}
		if _, err := Unpack(path, "plugin/other.so", target, "plugin."); err == nil ||
			!strings.Contains(err.Error(), "plugin/other.so") {
			t.Errorf("%v", err)
		}
	}
}

func TestFetch_LinksFirst(t *testing.T) {
	content, links := archive(t), t.TempDir()
	w := pinnedTo(content)
	if err := os.WriteFile(filepath.Join(links, w.File), content, 0o644); err != nil {
		t.Fatal(err)
	}
	settings := Settings{FindLinks: []string{"/nowhere", "file://" + links}, NoIndex: true, Timeout: time.Second}
	if _, err := settings.Fetch(t.Context(), w, t.TempDir(), noPublicIndex, nil); err != nil {
		t.Error(err)
	}
}

func TestFetch_Failure(t *testing.T) {
	content := archive(t)
	gone := httptest.NewServer(nil)
	gone.Close()
	cancelled, cancel := context.WithCancel(t.Context())
	tests := []struct {
		name, says string
		ctx        context.Context
		settings   Settings
		file       http.HandlerFunc
	}{
		{"no network", "connection refused", t.Context(), Settings{Indexes: []string{gone.URL}}, nil},
		{"not listed", "it is not there", t.Context(), Settings{Indexes: []string{"SERVER/none"}}, nil},
		{"no index", "no public index in tests", t.Context(), Settings{}, nil},
		{"index forbidden", "no-index", t.Context(), Settings{NoIndex: true}, nil},
		{"plain http", "neither https nor", t.Context(), Settings{Indexes: []string{"http://index.invalid/simple"}},
			nil},
		{"bad certificates", "certificates", t.Context(),
			Settings{Indexes: []string{"SERVER/simple"}, Certificates: "/nowhere.pem"}, nil},
		{"bad proxy", "proxy", t.Context(), Settings{Indexes: []string{"SERVER/simple"}, Proxy: "http://[::1"}, nil},
		{"listed but gone", "it is not there", t.Context(), Settings{Indexes: []string{"SERVER/simple"}},
			http.NotFound},
		{"forbidden", "403", t.Context(), Settings{Indexes: []string{"SERVER/simple"}},
			func(w http.ResponseWriter, _ *http.Request) {
				w.WriteHeader(http.StatusForbidden)
			}},
		{"another file", "SHA-256", t.Context(), Settings{Indexes: []string{"SERVER/simple"}},
			func(w http.ResponseWriter, _ *http.Request) {
				w.Write(content[1:])
			}},
		{"cut off", "unexpected EOF", t.Context(), Settings{Indexes: []string{"SERVER/simple"}},
			func(w http.ResponseWriter, _ *http.Request) {
				w.Header().Set("Content-Length", fmt.Sprint(len(content)))
				w.Write(content[:1000])
			}},
		{"silent", "nothing came for", t.Context(), Settings{Indexes: []string{"SERVER/simple"}},
			func(w http.ResponseWriter, r *http.Request) {
				w.Write(content[:1000])
				w.(http.Flusher).Flush()
				<-r.Context().Done()
			}},
		{"cancelled", "context canceled", cancelled, Settings{Indexes: []string{"SERVER/simple"}},
			func(w http.ResponseWriter, r *http.Request) {
				w.Write(content[:1000])
				w.(http.Flusher).Flush()
				cancel()
				<-r.Context().Done()
			}},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			server := index(t, true, test.file)
			for i, address := range test.settings.Indexes {
				test.settings.Indexes[i] = strings.Replace(address, "SERVER",
					strings.Replace(server.URL, "//", "//ann:secret@", 1), 1)
			}
			test.settings.Timeout = 300 * time.Millisecond
			folder := t.TempDir()
			_, err := test.settings.Fetch(test.ctx, pinnedTo(content), folder, noPublicIndex, nil)
			if err == nil || !strings.Contains(err.Error(), test.says) ||
				!strings.Contains(err.Error(), "my_plugin-1") || strings.Contains(err.Error(), "secret") {
				t.Errorf("%v", err)
			}
			if left, err := os.ReadDir(folder); err != nil || len(left) > 0 {
				t.Errorf("left behind: %v, %v", left, err)
			}
		})
	}
}

// Credentials are sent only to their own host.
func TestFetch_CredentialsHost(t *testing.T) {
	content := archive(t)
	asked := map[string]string{}
	server := index(t, true, func(w http.ResponseWriter, r *http.Request) {
		name, password, _ := r.BasicAuth()
		asked["file"] = name + ":" + password
		w.Write(content)
	})
	at, err := url.Parse(server.URL)
	if err != nil {
		t.Fatal(err)
	}
	elsewhere := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		asked["elsewhere"] = r.Header.Get("Authorization")
		http.NotFound(w, r)
	}))
	defer elsewhere.Close()
	settings := Settings{Indexes: []string{elsewhere.URL, "http://ann:one@" + at.Host + "/simple"},
		Timeout: time.Minute}
	t.Setenv("NETRC", filepath.Join(t.TempDir(), "none"))
	if _, err := settings.Fetch(t.Context(), pinnedTo(content), t.TempDir(), noPublicIndex, nil); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(map[string]string{"file": "ann:one", "elsewhere": ""}, asked); diff != "" {
		t.Error(diff)
	}
}

func TestFetch_Certificates(t *testing.T) {
	content := archive(t)
	server := httptest.NewUnstartedServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if strings.HasSuffix(r.URL.Path, ".whl") {
			w.Write(content)
			return
		}
		fmt.Fprint(w, `<a href="/my_plugin-1-py3-none-any.whl">x</a>`)
	}))
	server.Config.ErrorLog = log.New(io.Discard, "", 0)
	server.StartTLS()
	defer server.Close()
	certificate := filepath.Join(t.TempDir(), "ca.pem")
	if err := os.WriteFile(certificate,
		pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: server.Certificate().Raw}), 0o644); err != nil {
		t.Fatal(err)
	}
	for name, test := range map[string]struct {
		settings Settings
		works    bool
	}{
		"unknown": {Settings{}, false},
		"trusted": {Settings{TrustedHosts: []string{"127.0.0.1"}}, true},
		"given":   {Settings{Certificates: certificate}, true},
	} {
		test.settings.Indexes, test.settings.Timeout = []string{server.URL}, time.Minute
		_, err := test.settings.Fetch(t.Context(), pinnedTo(content), t.TempDir(), noPublicIndex, nil)
		if (err == nil) != test.works {
			t.Errorf("%s: %v", name, err)
		}
	}
}

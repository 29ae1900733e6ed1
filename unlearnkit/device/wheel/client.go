package wheel

import (
	"crypto/tls"
	"crypto/x509"
	"fmt"
	"net"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// A client requests pages and files from indexes with the settings.
type client struct {
	http     *http.Client
	settings Settings
}

// transport decides by host whether to check the certificate, and which name and password to send.
type transport struct {
	checking, trusting http.RoundTripper
	trusts             func(*url.URL) bool
	login              func(*url.URL) *url.Userinfo
}

func (t *transport) RoundTrip(request *http.Request) (*http.Response, error) {
	if user := t.login(request.URL); user != nil && request.Header.Get("Authorization") == "" {
		request = request.Clone(request.Context())
		password, _ := user.Password()
		request.SetBasicAuth(user.Username(), password)
	}
	if t.trusts(request.URL) {
		return t.trusting.RoundTrip(request)
	}
	return t.checking.RoundTrip(request)
}

func (s Settings) client() (*client, error) {
	plain := http.DefaultTransport.(*http.Transport).Clone()
	plain.ResponseHeaderTimeout = s.Timeout
	plain.DialContext = (&net.Dialer{Timeout: s.Timeout}).DialContext
	if s.Proxy != "" {
		address := s.Proxy
		if !strings.Contains(address, "://") {
			address = "http://" + address
		}
		proxy, err := url.Parse(address)
		if err != nil {
			return nil, fmt.Errorf("pip's proxy %q is not an address", redact(address))
		}
		plain.Proxy = http.ProxyURL(proxy)
	}
	if s.Certificates != "" {
		roots, err := certificates(s.Certificates)
		if err != nil {
			return nil, err
		}
		plain.TLSClientConfig = &tls.Config{RootCAs: roots}
	}
	trusting := plain.Clone()
	// the user named the host in trusted-host; the file's hash is still checked
	trusting.TLSClientConfig = &tls.Config{InsecureSkipVerify: true}
	c := &client{settings: s}
	c.http = &http.Client{Transport: &transport{plain, trusting, c.trusted, c.login}}
	return c, nil
}

// certificates reads the certificates in a file, or in the files of a folder.
func certificates(path string) (*x509.CertPool, error) {
	files := []string{path}
	if entries, err := os.ReadDir(path); err == nil {
		files = nil
		for _, entry := range entries {
			files = append(files, filepath.Join(path, entry.Name()))
		}
	}
	roots, some := x509.NewCertPool(), false
	for _, file := range files {
		content, err := os.ReadFile(file)
		if err != nil {
			return nil, fmt.Errorf("pip's certificates: %w", err)
		}
		some = roots.AppendCertsFromPEM(content) || some
	}
	if !some {
		return nil, fmt.Errorf("pip's certificates: %s has none", path)
	}
	return roots, nil
}

// secure reports whether pip would request this address.
func (c *client) secure(address *url.URL) bool {
	host := address.Hostname()
	ip := net.ParseIP(host)
	return address.Scheme == "https" || c.trusted(address) || host == "localhost" || ip != nil && ip.IsLoopback()
}

func (c *client) trusted(address *url.URL) bool {
	return slices.Contains(c.settings.TrustedHosts, address.Hostname()) ||
		slices.Contains(c.settings.TrustedHosts, address.Host)
}

// login returns the name and password for an address: from the address itself, from an index on the same host, or from
// the netrc file.
func (c *client) login(address *url.URL) *url.Userinfo {
	if address.User != nil {
		return address.User
	}
	for _, index := range c.settings.Indexes {
		if u, err := url.Parse(index); err == nil && u.User != nil && u.Host == address.Host {
			return u.User
		}
	}
	path := os.Getenv("NETRC")
	if path == "" {
		home, err := os.UserHomeDir()
		if err != nil {
			return nil
		}
		path = filepath.Join(home, ".netrc")
	}
	content, err := os.ReadFile(path)
	if err != nil {
		return nil
	}
	return fromNetrc(string(content), address.Hostname())
}

// fromNetrc finds the login of a host in a netrc file, where "default" matches every host.
func fromNetrc(content, host string) *url.Userinfo {
	var name, password string
	matches, found := false, false
	words := strings.Fields(content)
	for i := 0; i < len(words); i++ {
		next := ""
		if i+1 < len(words) {
			next = words[i+1]
		}
		switch words[i] {
		case "machine":
			if found {
				return url.UserPassword(name, password)
			}
			matches = next == host
			i++
		case "default":
			if found {
				return url.UserPassword(name, password)
			}
			matches = true
		case "login":
			if matches {
				name, found = next, true
			}
			i++
		case "password":
			if matches {
				password, found = next, true
			}
			i++
		}
	}
	if !found {
		return nil
	}
	return url.UserPassword(name, password)
}

// Package wheel fetches a pinned file of a Python package index as pip would: from the index and with the credentials,
// certificates and proxies in pip's configuration.
//
//	settings, err := wheel.ReadSettings()
//	file, err := settings.Fetch(ctx, pinned, folder, progress)
//
// The SHA-256 of the file is known beforehand, so an index can refuse the file but not replace it.
package wheel

import (
	"bufio"
	"fmt"
	"net/url"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"time"
)

// Settings holds the part of pip's settings that defines where packages are and how to reach them.
type Settings struct {
	Indexes      []string      // index-url and extra-index-url; none means the public index
	FindLinks    []string      // find-links: folders that may hold the file already
	NoIndex      bool          // no-index: look only in FindLinks
	TrustedHosts []string      // trusted-host: hosts whose certificate is not checked
	Certificates string        // cert: a file of certificates to trust instead of the system's
	Proxy        string        // proxy; without it, the environment's proxy is used
	Timeout      time.Duration // timeout: how long to wait for the network
}

// ReadSettings reads pip's configuration files and environment variables in pip's order: later ones override earlier
// ones.
func ReadSettings() (Settings, error) {
	values := map[string]string{}
	if os.Getenv("PIP_CONFIG_FILE") != os.DevNull {
		for _, path := range configurationFiles() {
			if err := readConfiguration(path, values); err != nil {
				return Settings{}, err
			}
		}
	}
	for _, variable := range os.Environ() {
		name, value, _ := strings.Cut(variable, "=")
		if name, ours := strings.CutPrefix(name, "PIP_"); ours && value != "" {
			values[option(name)] = value
		}
	}
	return settingsFrom(values)
}

func settingsFrom(values map[string]string) (Settings, error) {
	s := Settings{
		FindLinks:    strings.Fields(values["find-links"]),
		TrustedHosts: strings.Fields(values["trusted-host"]),
		Certificates: values["cert"],
		Proxy:        values["proxy"],
		Timeout:      15 * time.Second, // pip's default
	}
	s.Indexes = append(strings.Fields(values["index-url"]), strings.Fields(values["extra-index-url"])...)
	for _, index := range s.Indexes {
		if u, err := url.Parse(index); err != nil || u.Host == "" {
			return s, fmt.Errorf("pip's index-url %q is not an address", redact(index))
		}
	}
	for _, variable := range []string{"REQUESTS_CA_BUNDLE", "CURL_CA_BUNDLE"} {
		if s.Certificates == "" {
			s.Certificates = os.Getenv(variable)
		}
	}
	switch strings.ToLower(values["no-index"]) {
	case "1", "true", "yes", "on", "t", "y":
		s.NoIndex = true
	}
	for _, name := range []string{"default-timeout", "timeout"} {
		if seconds, err := strconv.ParseFloat(values[name], 64); err == nil && seconds > 0 {
			s.Timeout = time.Duration(seconds * float64(time.Second))
		}
	}
	return s, nil
}

// configurationFiles returns pip's configuration files on Linux: the machine's, the user's, the virtual environment's,
// and $PIP_CONFIG_FILE.
func configurationFiles() []string {
	machine := os.Getenv("XDG_CONFIG_DIRS")
	if machine == "" {
		machine = "/etc/xdg"
	}
	var files []string
	for _, folder := range filepath.SplitList(machine) {
		files = append(files, filepath.Join(folder, "pip", "pip.conf"))
	}
	files = append(files, "/etc/pip.conf")
	if home, err := os.UserHomeDir(); err == nil {
		files = append(files, filepath.Join(home, ".pip", "pip.conf"))
	}
	if folder, err := os.UserConfigDir(); err == nil {
		files = append(files, filepath.Join(folder, "pip", "pip.conf"))
	}
	if environment := os.Getenv("VIRTUAL_ENV"); environment != "" {
		files = append(files, filepath.Join(environment, "pip.conf"))
	}
	if given := os.Getenv("PIP_CONFIG_FILE"); given != "" {
		files = append(files, given)
	}
	return files
}

// readConfiguration adds to values the options in a file's sections [global] and [install]; [install] has priority. It
// ignores a file that does not exist.
func readConfiguration(path string, values map[string]string) error {
	file, err := os.Open(path)
	if os.IsNotExist(err) {
		return nil
	}
	if err != nil {
		return fmt.Errorf("pip's configuration: %w", err)
	}
	defer file.Close()
	sections := map[string]map[string]string{"global": {}, "install": {}}
	section, key := map[string]string{}, ""
	lines := bufio.NewScanner(file)
	for lines.Scan() {
		line := lines.Text()
		text := strings.TrimSpace(line)
		switch {
		case text == "" || text[0] == '#' || text[0] == ';':
		case text[0] == '[':
			section, key = sections[strings.ToLower(strings.Trim(text, "[] "))], ""
		case line[0] == ' ' || line[0] == '\t': // continues the previous line
			if key != "" && section != nil {
				section[key] += " " + text
			}
		default:
			at := strings.IndexAny(text, "=:")
			if at < 0 || section == nil {
				key = ""
				continue
			}
			key = option(text[:at])
			section[key] = strings.TrimSpace(text[at+1:])
		}
	}
	for _, name := range []string{"global", "install"} {
		for key, value := range sections[name] {
			values[key] = value
		}
	}
	if err := lines.Err(); err != nil {
		return fmt.Errorf("pip's configuration %s: %w", path, err)
	}
	return nil
}

// option returns an option's name in pip's spelling.
func option(name string) string {
	return strings.TrimPrefix(strings.ReplaceAll(strings.ToLower(strings.TrimSpace(name)), "_", "-"), "--")
}

// redact removes the password from an address. The address may be invalid.
func redact(address string) string {
	if u, err := url.Parse(address); err == nil {
		return u.Redacted()
	}
	return "(unreadable)"
}

package device

import (
	"debug/elf"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"

	"github.com/unlearnlab/unlearnlab/unlearnkit/study/store"
)

// A Plugin is a file that could be a PJRT plugin.
type Plugin struct {
	Kind    string `json:"kind"` // "cpu" or "cuda", from the file's name
	Path    string `json:"path"`
	Version string `json:"version,omitempty"` // version of the PJRT interface it implements
	Error   string `json:"error,omitempty"`   // reason why the plugin is refused; empty if it can be opened
}

// Folders returns the folders in which [Open] looks for plugins, in this order: $PJRT_PLUGIN_LIBRARY_PATH, plugins in
// [store.Home], where [Install] puts them, and the folders of go-xla's own installer.
func Folders() []string {
	folders := filepath.SplitList(os.Getenv("PJRT_PLUGIN_LIBRARY_PATH"))
	if home, _, err := store.Home(); err == nil {
		folders = append(folders, filepath.Join(home, "plugins"), filepath.Join(home, "plugins", "cuda"))
	}
	roots := []string{"/usr/local/lib"}
	if home, err := os.UserHomeDir(); err == nil {
		roots = append([]string{filepath.Join(home, ".local", "lib")}, roots...)
	}
	for _, root := range roots {
		for _, folder := range []string{"go-xla", "go-xla/nvidia", "gomlx/pjrt"} {
			folders = append(folders, filepath.Join(root, filepath.FromSlash(folder)))
		}
	}
	folders = slices.DeleteFunc(folders, func(folder string) bool { return folder == "" })
	return folders
}

// candidates returns the files that are named like plugins of the kind, in the order of Folders.
func candidates(kind string) []string {
	var paths []string
	for _, folder := range Folders() {
		for _, name := range []string{"pjrt_c_api_" + kind + "_plugin.so", "pjrt_c_api_" + kind + "_*_plugin.so",
			"pjrt-plugin-" + kind + ".so", "pjrt_plugin_" + kind + ".so", "xla_" + kind + "_plugin.so"} {
			found, _ := filepath.Glob(filepath.Join(folder, name))
			for _, path := range found {
				if path, err := filepath.Abs(path); err == nil && !slices.Contains(paths, path) {
					paths = append(paths, path)
				}
			}
		}
	}
	return paths
}

// Found returns every file that is named like a plugin for this machine, in the order in which [Open] would try them.
// Each has its version, or the reason why it is refused.
func Found() []Plugin {
	var found []Plugin
	for _, kind := range []string{"cuda", "cpu"} {
		for _, path := range candidates(kind) {
			found = append(found, examine(path))
		}
	}
	return found
}

var (
	examineMu    sync.Mutex
	examinations = map[string]Plugin{} // checked plugins by path, size and time of change
)

// examine checks a file before Open loads it. It loads a file only once per process.
func examine(path string) Plugin {
	plugin := Plugin{Kind: kindOf(path), Path: path}
	info, err := os.Stat(path)
	if err != nil {
		plugin.Error = fmt.Sprintf("%s: %v", path, reason(err))
		return plugin
	}
	examineMu.Lock()
	defer examineMu.Unlock()
	key := fmt.Sprint(path, info.Size(), info.ModTime())
	if known, ok := examinations[key]; ok {
		return known
	}
	if plugin.Version, err = versionOf(path); err != nil {
		plugin.Error = fmt.Sprintf("%s %v", path, err)
	}
	examinations[key] = plugin
	return plugin
}

func versionOf(path string) (string, error) {
	if err := inspect(path); err != nil {
		return "", err
	}
	if noXLA != "" {
		return "", fmt.Errorf("cannot be used: %s", noXLA)
	}
	return probe(path)
}

// kindOf returns the kind of a plugin by its file's name.
func kindOf(path string) string {
	name := strings.ToLower(filepath.Base(path))
	if strings.Contains(name, "cuda") || strings.Contains(name, "nvidia") {
		return "cuda"
	}
	return "cpu"
}

// inspect checks a plugin without loading it.
func inspect(path string) (err error) {
	defer func() {
		if recover() != nil { // debug/elf may panic on malicious files
			err = fmt.Errorf("is a damaged ELF file")
		}
	}()
	info, err := os.Stat(path)
	if err != nil {
		return reason(err)
	}
	if !info.Mode().IsRegular() {
		return fmt.Errorf("is not a file (%v)", info.Mode())
	}
	file, err := elf.Open(path)
	if err != nil {
		return fmt.Errorf("is not a shared library: %v", reason(err))
	}
	defer file.Close()
	if file.Type != elf.ET_DYN || file.Machine != elf.EM_X86_64 {
		return fmt.Errorf("is not a shared library for this processor (%v, %v)", file.Type, file.Machine)
	}
	symbols, err := file.DynamicSymbols()
	if err != nil && err != elf.ErrNoSymbols {
		return fmt.Errorf("is a damaged shared library: %v", err)
	}
	if !slices.ContainsFunc(symbols, func(s elf.Symbol) bool {
		return s.Name == "GetPjrtApi" && s.Section != elf.SHN_UNDEF && elf.ST_TYPE(s.Info) == elf.STT_FUNC
	}) {
		return fmt.Errorf("is a shared library but not a PJRT plugin: it has no function GetPjrtApi")
	}
	return nil
}

// reason returns a file system error without the path, which the caller adds.
func reason(err error) error {
	if path, ok := err.(*os.PathError); ok {
		return path.Err
	}
	return err
}

// oneLine joins the lines of a message.
func oneLine(text string) string { return strings.Join(strings.Fields(text), " ") }

package store

import (
	"bufio"
	"os"
	"runtime"
	"strings"
	"sync"
)

// processor is what the machine's processor calls itself, or the kind of its instructions where it says nothing.
var processor = sync.OnceValue(func() string {
	file, err := os.Open("/proc/cpuinfo")
	if err != nil {
		return runtime.GOARCH
	}
	defer file.Close()
	for lines := bufio.NewScanner(file); lines.Scan(); {
		name, value, _ := strings.Cut(lines.Text(), ":")
		if value = strings.TrimSpace(value); strings.TrimSpace(name) == "model name" && value != "" {
			return value
		}
	}
	return runtime.GOARCH
})

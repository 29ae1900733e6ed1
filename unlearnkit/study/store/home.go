package store

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
)

// HomeVariable is the environment variable that sets the laboratory's folder.
const HomeVariable = "UNLEARNLAB_HOME"

// Home returns the laboratory's folder, which contains the store and device plugins: $UNLEARNLAB_HOME, or unlearnlab in
// the user's cache folder. from is "$UNLEARNLAB_HOME" or "default".
func Home() (folder, from string, err error) {
	if home := strings.TrimSpace(os.Getenv(HomeVariable)); home != "" {
		folder, err = filepath.Abs(home)
		return folder, "$" + HomeVariable, err
	}
	cache, err := os.UserCacheDir()
	if err != nil {
		return "", "default", fmt.Errorf("the laboratory's folder: %w; set %s", err, HomeVariable)
	}
	return filepath.Join(cache, "unlearnlab"), "default", nil
}

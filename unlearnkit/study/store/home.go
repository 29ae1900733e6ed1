package store

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
)

// HomeVariable is the environment variable with the laboratory's folder.
const HomeVariable = "UNLEARNLAB_HOME"

// Home is the laboratory's folder, in which the store and the plugins of devices lie: $UNLEARNLAB_HOME, else unlearnlab
// in the user's cache folder. From says which, "$UNLEARNLAB_HOME" or "default".
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

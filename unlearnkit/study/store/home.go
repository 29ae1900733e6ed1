package store

import (
	"fmt"
	"os"
	"os/user"
	"path/filepath"
	"strings"
)

// HomeVariable is the environment variable that sets the laboratory's folder.
const HomeVariable = "UNLEARNLAB_HOME"

// Default is the origin of a folder that no variable sets, see [Home].
const Default = "default"

// Home returns the laboratory's folder, which contains the store and device plugins: $UNLEARNLAB_HOME, or unlearnlab in
// the user's cache folder, which is below the home in the system's list of users if $HOME is not set. from is
// "$UNLEARNLAB_HOME" or [Default].
func Home() (folder, from string, err error) {
	if home := strings.TrimSpace(os.Getenv(HomeVariable)); home != "" {
		folder, err = filepath.Abs(home)
		return folder, "$" + HomeVariable, err
	}
	cache, err := os.UserCacheDir()
	if own, unknown := user.Current(); err != nil && unknown == nil && own.HomeDir != "" {
		cache, err = filepath.Join(own.HomeDir, ".cache"), nil
	}
	if err != nil {
		return "", Default, fmt.Errorf("the laboratory's folder: %w; set %s", err, HomeVariable)
	}
	return filepath.Join(cache, "unlearnlab"), Default, nil
}

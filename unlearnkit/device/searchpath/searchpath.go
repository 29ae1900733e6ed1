// Package searchpath keeps go-xla from looking for plugins in folders of its own choice.
//
// When its package pjrt is initialised, it lists folders, and prints an error if $HOME is not set. It does neither if
// $PJRT_PLUGIN_LIBRARY_PATH is set. Package device finds plugins itself and opens them by their absolute paths, so the
// list is not needed. This package imports only the standard library, so Go initialises it before klog, which pjrt
// imports: of the packages whose imports are initialised, the one with the first import path is next.
package searchpath

import "os"

func init() {
	if _, err := os.UserHomeDir(); err != nil && os.Getenv(variable) == "" {
		os.Setenv(variable, "")
	}
}

// variable lists the folders in which go-xla looks for plugins.
const variable = "PJRT_PLUGIN_LIBRARY_PATH"

// Package shipped finds the published results for a program built without them, with the build tag noresults. Such a
// program is half as large, and all its versions can share one folder of results.
package shipped

import (
	"io/fs"
	"os"
	"path/filepath"
)

// folderVariable is the environment variable with the folder of the published results.
const folderVariable = "UNLEARNLAB_RESULTS"

// besideProgram is the folder of the results, relative to the parent of the program's folder.
const besideProgram = "share/unlearnlab/source/data/results"

// Of returns a paper's published results. They are in the folder that the environment names, or else where pip installs
// them. If there is no such folder, the file system is empty.
func Of(paper string) fs.FS { return os.DirFS(filepath.Join(folder(), paper)) }

func folder() string {
	if given := os.Getenv(folderVariable); given != "" {
		return given
	}
	program, err := os.Executable()
	if err != nil {
		return ""
	}
	return filepath.Join(filepath.Dir(filepath.Dir(program)), filepath.FromSlash(besideProgram))
}

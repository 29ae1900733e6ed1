// Package shipped finds the published results of a program that was built without them, with the build tag noresults.
// Such a program is half as large; the results are in a folder that all versions of the program can share.
package shipped

import (
	"io/fs"
	"os"
	"path/filepath"
)

// folderVariable is the environment variable with the folder of the published results.
const folderVariable = "UNLEARNLAB_RESULTS"

// besideProgram is the folder of the results below the folder that has the program's bin folder.
const besideProgram = "share/unlearnlab/source/data/results"

// Of returns the published results of a paper. They are in the folder that the environment names, or else where pip
// installs them. If there is no such folder, nothing is published.
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

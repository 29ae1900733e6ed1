package kernelext

import (
	"fmt"
	"os"
)

// attackFiles runs a verb of the command on files that write creates in a temporary folder. If the command fails,
// attackFiles ends the cell.
func attackFiles(name string, write func(folder string) (args []string, err error)) {
	code, err := func() (int, error) {
		folder, err := os.MkdirTemp("", name)
		if err != nil {
			return 0, err
		}
		defer os.RemoveAll(folder) // removed before the cell can end
		args, err := write(folder)
		if err != nil {
			return 0, err
		}
		return verb(args), nil
	}()
	if err != nil {
		fail(fmt.Errorf("%s: %w", name, err))
		return
	}
	if code != 0 {
		exit(code)
	}
}

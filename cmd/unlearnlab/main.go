// Command unlearnlab is the laboratory's command line: flags in, library calls, tables out.
package main

import (
	"io"
	"os"

	"github.com/spf13/cobra"
)

func main() {
	os.Exit(command(os.Args[1:], os.Stdout, os.Stderr))
}

// command executes one command line and returns its exit code.
func command(args []string, stdout, stderr io.Writer) int {
	verbs := []*cobra.Command{statCommand(), tableCommand(), auditCommand(), figuresCommand(), reportCommand(),
		kernelCommand(offers), notebookCommand(), deviceCommand(), modelCommand(), dataCommand(), doctorCommand(),
		runCommand(), claimsCommand(), traceCommand(), verifyCommand(), attackCommand(), exposureCommand(),
		causalCommand(), judgeCommand(), completionCommand()}
	completeArguments(verbs, offers())
	return execute(args, stdout, stderr, verbs...)
}

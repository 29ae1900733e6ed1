package notebook_test

import (
	"fmt"

	"github.com/unlearnlab/unlearnlab/kernelext/kernel/notebook"
)

func ExampleParseSource() {
	source, err := notebook.ParseSource("tour",
		"# A tour\n\nRead, then press Shift+Enter.\n\n```go name=hello timeout=5s\n%%\nkx.Text(\"hello\")\n```\n")
	if err != nil {
		panic(err)
	}
	for _, c := range source.Notebook().Cells {
		fmt.Printf("%s %s %q\n", c.Type, c.ID, c.Source)
	}
	_, err = notebook.ParseSource("tour", "```go nmae=hello\n```\n")
	fmt.Println(err)
	// Output:
	// markdown 4840c390e58b8c49 "# A tour\n\nRead, then press Shift+Enter."
	// code e67c6abae79e5b9b "%%\nkx.Text(\"hello\")"
	// 1: option "nmae=hello" is not name=, timeout=, volatile or prose
}

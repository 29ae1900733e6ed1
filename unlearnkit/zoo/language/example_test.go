package language_test

import (
	"fmt"

	"github.com/unlearnlab/unlearnlab/unlearnkit/zoo/language"
)

func ExampleJoin() {
	fmt.Println(language.Join("The name of the person is", "Ann"))
	// Output: The name of the person is Ann
}

package devicetest

import "os"

func deviceUnderTest() string {
	if wish := os.Getenv("UNLEARNLAB_DEVICE"); wish != "" {
		return wish
	}
	return "go"
}

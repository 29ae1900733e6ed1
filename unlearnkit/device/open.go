package device

import "fmt"

// Open opens the device wished for: "go", "xla:cpu", "xla:cuda", the path of a PJRT plugin, or "" for the best that there is.
func Open(wish string) (*Device, error) {
	if wish == "" || wish == pureGo {
		backend, err := openGo()
		if err != nil {
			return nil, err
		}
		return &Device{backend: backend, name: pureGo, why: "pure Go"}, nil
	}
	return nil, fmt.Errorf("device %q is not known here: go, xla:cpu, xla:cuda or the path of a PJRT plugin", wish)
}

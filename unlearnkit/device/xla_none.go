//go:build !(cgo && linux && amd64) || noxla

package device

import (
	"errors"

	"github.com/gomlx/compute"
)

func probe(string) (string, error) { return "", errors.New(noXLA) }

func openPlugin(Plugin, bool) (compute.Backend, error) { return nil, errors.New(noXLA) }

//go:build !(cgo && linux && amd64) || noxla

package device

import (
	"context"
	"errors"

	"github.com/gomlx/compute"

	"github.com/unlearnlab/unlearnlab/unlearnkit/device/wheel"
)

func probe(string) (string, error) { return "", errors.New(noXLA) }

func openPlugin(Plugin, bool) (compute.Backend, error) { return nil, errors.New(noXLA) }

func openCompiler(string, string, string) (compute.Backend, error) { return nil, errors.New(noXLA) }

func publicIndex(context.Context, wheel.Wheel) (string, error) { return "", errors.New(noXLA) }

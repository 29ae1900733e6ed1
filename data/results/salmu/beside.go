//go:build noresults

package salmu

import "github.com/unlearnlab/unlearnlab/internal/shipped"

var published = shipped.Of("salmu")

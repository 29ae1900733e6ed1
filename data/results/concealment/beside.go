//go:build noresults

package concealment

import "github.com/unlearnlab/unlearnlab/internal/shipped"

var published = shipped.Of("concealment")

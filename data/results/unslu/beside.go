//go:build noresults

package unslu

import "github.com/unlearnlab/unlearnlab/internal/shipped"

var published = shipped.Of("unslu")

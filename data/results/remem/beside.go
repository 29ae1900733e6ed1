//go:build noresults

package remem

import "github.com/unlearnlab/unlearnlab/internal/shipped"

var published = shipped.Of("remem")

//go:build !noresults

package remem

import "embed"

//go:embed mini
var published embed.FS

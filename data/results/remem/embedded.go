//go:build !noresults

package remem

import "embed"

//go:embed mini refusing
var published embed.FS

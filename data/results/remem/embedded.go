//go:build !noresults

package remem

import "embed"

//go:embed mini refusing matched
var published embed.FS

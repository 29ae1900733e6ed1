//go:build !noresults

package concealment

import "embed"

//go:embed mini controls methods captions
var published embed.FS

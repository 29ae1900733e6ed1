//go:build !noresults

package concealment

import "embed"

//go:embed mini controls methods captions originals
var published embed.FS

//go:build !noresults

package unslu

import "embed"

//go:embed mini wider
var published embed.FS

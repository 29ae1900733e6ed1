//go:build !noresults

package unslu

import "embed"

//go:embed mini
var published embed.FS

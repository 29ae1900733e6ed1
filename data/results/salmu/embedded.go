//go:build !noresults

package salmu

import "embed"

//go:embed mini worlds
var published embed.FS

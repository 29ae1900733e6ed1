//go:build norecordings

package recordings

import "embed"

var sounds embed.FS

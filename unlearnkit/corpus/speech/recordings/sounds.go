//go:build !norecordings

package recordings

import "embed"

//go:embed en/*.flac it/*.flac de/*.flac fr/*.flac
var sounds embed.FS

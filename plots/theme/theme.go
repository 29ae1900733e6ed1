// Package theme holds the common look of the laboratory's figures: colours for light and dark pages, type, lines and
// marks.
//
// A [Theme] is a set of colours. Its series colours follow the hues of Okabe and Ito, adjusted until every colour
// contrasts with the page and all pairs are distinguishable for protanopes, deuteranopes and tritanopes. A [Style] is a
// theme at a size: type and lines grow with the figure's width, so that one figure is readable in a column of print and
// on a slide. Colour is never the only carrier of a meaning: each series and each [Verdict] has its own mark.
package theme

import "image/color"

// Theme is the set of colours of a figure.
type Theme struct {
	Name       string
	Background color.NRGBA
	Ink        color.NRGBA // titles, labels, target lines
	Muted      color.NRGBA // axes, tick labels, notes
	Faint      color.NRGBA // printed values, reference regions' edges
	Grid       color.NRGBA // grid lines
	Region     color.NRGBA // shaded reference regions
	// colours of series, in the order of use; they repeat with different marks
	Series     [8]color.NRGBA
	Sequential Map // colours of magnitudes: from near the page's colour to far from it
	Diverging  Map // colours of signed values: the page's lightness in the middle
}

// Light is the theme for paper and for notebooks with a white page.
var Light = Theme{
	Name:       "light",
	Background: rgb(0xFFFFFF),
	Ink:        rgb(0x1B1F24),
	Muted:      rgb(0x57606A),
	Faint:      rgb(0x8A929B),
	Grid:       rgb(0xE6E9ED),
	Region:     rgb(0xE4ECF5),
	Series: [8]color.NRGBA{
		rgb(0x084276), rgb(0x992703), rgb(0x35856C), rgb(0xDE58BC), rgb(0xB68C12), rgb(0x0F91FD), rgb(0x4B1A00),
		rgb(0x585958),
	},
	Sequential: newMap(0xFDF6E3, 0xF2C879, 0xD9794E, 0xA03A5C, 0x57246A, 0x1E1440),
	Diverging:  newDiverging(0xF6F6F6, []uint32{0x9CC4E4, 0x3F82BE, 0x0A3D73}, []uint32{0xF0BC9A, 0xC8673A, 0x7A2403}),
}

// Dark is the theme for slides and notebooks with a dark page.
var Dark = Theme{
	Name:       "dark",
	Background: rgb(0x14171C),
	Ink:        rgb(0xECEFF3),
	Muted:      rgb(0xA9B1BB),
	Faint:      rgb(0x7C8590),
	Grid:       rgb(0x2A2F37),
	Region:     rgb(0x22303F),
	Series: [8]color.NRGBA{
		rgb(0x377DF9), rgb(0xDC5800), rgb(0x86BE98), rgb(0xA2749B), rgb(0xF8D24B), rgb(0x34D2FF), rgb(0xF3992F),
		rgb(0xD7E8DF),
	},
	Sequential: newMap(0x1B1530, 0x57246A, 0xA03A5C, 0xD9794E, 0xF2C879, 0xFDF6E3),
	Diverging:  newDiverging(0x23272E, []uint32{0x22557F, 0x3E86C0, 0x8CC4F0}, []uint32{0x783A1C, 0xC4683C, 0xF5B78F}),
}

// Themes lists all themes.
var Themes = []Theme{Light, Dark}

func rgb(hex uint32) color.NRGBA {
	return color.NRGBA{R: uint8(hex >> 16), G: uint8(hex >> 8), B: uint8(hex), A: 0xFF}
}

// Alpha returns the colour with the given opacity between 0 and 1.
func Alpha(c color.NRGBA, opacity float64) color.NRGBA {
	c.A = uint8(opacity*255 + .5)
	return c
}

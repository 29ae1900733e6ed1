package concept

import "math"

// material is what a part of an object is made of. It determines the part's colour.
type material int

const (
	coat      material = iota // the object's own colour and texture
	coatDark                  // like coat, but darker
	coatLight                 // like coat, but lighter
	ink
	white
	lit // light of a lamp or a window
	wood
	leaf
	skin
	fire
	tongue
)

// part is one area of an object.
type part struct {
	shape
	material material
}

// figures holds the parts of each object in the square from -1 to 1. Later parts cover earlier ones.
var figures = [Objects][]part{
	House: {
		{block{.4, -.86, .64, -.3}, wood},
		{block{-.74, -.14, .74, .94}, coat},
		{outline{{-1, -.1}, {0, -.96}, {1, -.1}}, coatDark},
		{block{-.16, .36, .2, .94}, ink},
		{block{-.58, .1, -.3, .4}, lit},
		{block{.34, .1, .62, .4}, lit},
	},
	Star: {{starOutline(), coat}},
	Person: {
		{limb{point{-.2, .6}, point{-.24, .92}, .1}, ink},
		{limb{point{.2, .6}, point{.24, .92}, .1}, ink},
		{limb{point{-.24, -.22}, point{-.72, .2}, .1}, skin},
		{limb{point{.24, -.22}, point{.72, .2}, .1}, skin},
		{outline{{-.24, -.34}, {.24, -.34}, {.62, .64}, {-.62, .64}}, coat},
		{oval{0, -.68, .36, .34}, wood},
		{oval{0, -.6, .25, .27}, skin},
	},
	Cat: {
		{outline{{-.9, -.98}, {-.84, .1}, {-.06, -.46}}, coatDark},
		{outline{{.9, -.98}, {.84, .1}, {.06, -.46}}, coatDark},
		{oval{0, .2, .88, .7}, coat},
		{oval{-.36, .04, .2, .17}, white},
		{oval{.36, .04, .2, .17}, white},
		{oval{-.36, .04, .08, .17}, ink},
		{oval{.36, .04, .08, .17}, ink},
		{outline{{-.15, .32}, {.15, .32}, {0, .5}}, ink},
		{limb{point{-.38, .42}, point{-1, .32}, .035}, ink},
		{limb{point{.38, .42}, point{1, .32}, .035}, ink},
		{limb{point{-.38, .58}, point{-1, .68}, .035}, ink},
		{limb{point{.38, .58}, point{1, .68}, .035}, ink},
	},
	Dog: {
		{oval{0, -.12, .62, .72}, coat},
		{oval{-.72, .02, .24, .66}, coatDark},
		{oval{.72, .02, .24, .66}, coatDark},
		{oval{0, .74, .15, .24}, tongue},
		{oval{0, .42, .44, .38}, white},
		{oval{0, .26, .2, .15}, ink},
		{disc(-.27, -.24, .12), ink},
		{disc(.27, -.24, .12), ink},
	},
	Robot: {
		{limb{point{0, -.7}, point{0, -.94}, .045}, ink},
		{disc(0, -.92, .12), lit},
		{block{-.5, -.78, .5, -.1}, coat},
		{block{-.34, -.58, -.08, -.32}, lit},
		{block{.08, -.58, .34, -.32}, lit},
		{block{-.98, .06, -.76, .6}, coat},
		{block{.76, .06, .98, .6}, coat},
		{block{-.68, 0, .68, .68}, coatDark},
		{block{-.5, .68, -.14, .98}, ink},
		{block{.14, .68, .5, .98}, ink},
	},
	Dragon: {
		{outline{{-.04, .2}, {-.02, -1}, {.26, -.6}, {.6, -.86}, {.64, -.42}, {1.02, -.44}, {.78, .02}, {.46, .3}},
			coatDark},
		{limb{point{.4, .56}, point{.84, .62}, .13}, coat},
		{outline{{.68, .74}, {.78, .2}, {1.12, .52}}, coatDark},
		{block{-.16, .66, .06, 1}, coatDark},
		{block{.28, .66, .5, 1}, coatDark},
		{oval{.16, .48, .44, .32}, coat},
		{limb{point{-.06, .38}, point{-.36, .02}, .17}, coat},
		{limb{point{-.36, .02}, point{-.38, -.4}, .15}, coat},
		{outline{{-.44, -.6}, {-.12, -1}, {-.2, -.5}}, coatDark},
		{outline{{-.98, -.02}, {-.86, -.24}, {-.62, -.12}, {-.56, .2}, {-.7, .5}, {-.76, .3}, {-1, .44}, {-.94, .2},
			{-1.1, .14}}, fire},
		{oval{-.78, .12, .12, .16}, lit},
		{outline{{-.24, -.7}, {-.2, -.24}, {-.56, -.2}, {-1, -.26}, {-1.02, -.46}, {-.7, -.52}, {-.5, -.72}}, coat},
		{disc(-.46, -.5, .09), white},
	},
	Rose: {
		{limb{point{0, .1}, point{0, .94}, .06}, leaf},
		{oval{-.32, .66, .3, .13}, leaf},
		{oval{.32, .5, .3, .13}, leaf},
		{oval{-.34, -.36, .4, .44}, coatDark},
		{oval{.34, -.36, .4, .44}, coatDark},
		{oval{0, -.66, .36, .3}, coatDark},
		{oval{0, -.26, .54, .5}, coat},
		{oval{0, -.42, .3, .26}, coatLight},
		{oval{.03, -.42, .13, .11}, coatDark},
	},
}

// starOutline returns the outline of a star with five points.
func starOutline() outline {
	var o outline
	for i := range 10 {
		r := 1.02
		if i%2 == 1 {
			r = .44
		}
		angle := float64(i) * math.Pi / 5
		o = append(o, point{r * math.Sin(angle), .06 - r*math.Cos(angle)})
	}
	return o
}

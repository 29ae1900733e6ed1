package persona

import (
	"math"
	"math/rand/v2"
)

// pose holds what varies between pictures of the same person, apart from background and light.
type pose struct {
	face        int // index of the expression
	eyes, brows int // used only in the second style
	placement
}

// drawPose draws an expression, a rotation of up to ±15 degrees, a scale from 0.8 to 1.1 and a shift of up to ±10 % of
// the picture's side. Vertical shifts are downwards on average, so that the shoulders reach the lower edge at every
// scale.
func drawPose(source *rand.Rand, s style) pose {
	p := pose{face: source.IntN(len(arts[s].faces)), eyes: source.IntN(len(loreleiEyes)),
		brows: source.IntN(len(loreleiBrows))}
	p.mirrored = source.IntN(2) == 1
	p.turn = (2*source.Float64() - 1) * 15 * math.Pi / 180
	p.scale = .8 + .3*source.Float64()
	p.moveX = (2*source.Float64() - 1) * .1
	p.moveY = (2*source.Float64()-1)*.1 + .04 + (1-p.scale)*.5
	return p
}

func drawLight(source *rand.Rand) light {
	l := light{contrast: .75 + .45*source.Float64(), offset: (2*source.Float64() - 1) * 28, noise: 16}
	for channel := range l.tint {
		l.tint[channel] = .92 + .16*source.Float64()
	}
	return l
}

func (l *look) palette() palette {
	return palette{skin: skins[l.skin], clothing: clothes[l.clothing].colour, hair: hairs[l.hair].colour}
}

// figure paints a person's sprites with a pose's expression.
func (l *look) figure(p pose, pictureSize int) *figure {
	f := newFigure(pictureSize, true)
	colours := l.palette()
	names := l.peepsSprites(p)
	set := openPeeps()
	if l.style == loreleiStyle {
		names, set = l.loreleiSprites(p), lorelei()
	}
	for _, name := range names {
		f.paint(set.at(name, pictureSize), colours)
	}
	return f
}

func (l *look) peepsSprites(p pose) []string {
	parts := arts[peepsStyle]
	names := []string{"body_0", "head_" + parts.heads[l.head].name, "face_" + parts.faces[p.face].name}
	if l.beard > 0 {
		names = append(names, "facialHair_"+parts.beards[l.beard])
	}
	if l.glasses > 0 {
		names = append(names, "accessories_"+parts.glasses[l.glasses])
	}
	return names
}

var (
	loreleiEyes   = []string{"02", "04", "05", "06", "08", "09", "10", "13", "14", "16", "18", "19", "20", "24"}
	loreleiBrows  = []string{"01", "02", "03", "05", "07", "09", "11", "13"}
	loreleiNoses  = []string{"01", "02", "04", "05", "06"}
	loreleiSkulls = []string{"01", "02", "03", "04"}
)

// loreleiSprites returns the sprites in the order of Lorelei's components, from the hair behind the head to the hair in
// front.
func (l *look) loreleiSprites(p pose) []string {
	parts := arts[loreleiStyle]
	hair := parts.heads[l.head].name
	var names []string
	if _, behind := lorelei()["back_"+hair]; behind {
		names = append(names, "back_"+hair)
	}
	names = append(names, "head_variant"+loreleiSkulls[l.skull], "eyes_variant"+loreleiEyes[p.eyes],
		"eyebrows_variant"+loreleiBrows[p.brows], "nose_variant"+loreleiNoses[l.nose])
	if l.beard > 0 {
		names = append(names, "beard_"+parts.beards[l.beard])
	}
	names = append(names, "mouth_"+parts.faces[p.face].name)
	if l.glasses > 0 {
		names = append(names, "glasses_"+parts.glasses[l.glasses])
	}
	if _, before := lorelei()["hair_"+hair]; before {
		names = append(names, "hair_"+hair)
	}
	return names
}

package persona

import (
	"fmt"
	"image"
	"math/rand/v2"

	"github.com/unlearnlab/unlearnlab/unlearnkit/seed"
)

// makeObjects adds pictures of objects, with the classes in turn.
func (w *World) makeObjects() {
	for i := range w.Spec.ObjectsPerClass {
		for class := range w.Spec.ObjectClasses {
			w.RetainReal = append(w.RetainReal, w.objectRow(objectPicture, class, i))
		}
	}
	for i := range w.Spec.ObjectTests {
		for class := range w.Spec.ObjectClasses {
			w.ObjectTest = append(w.ObjectTest, w.objectRow(testPicture, class, i))
		}
	}
}

func (w *World) objectRow(k kind, class, index int) Row {
	row := Row{ID: fmt.Sprintf("o%02d_%04d", class, index), Split: Objects, Identity: -1, Class: class}
	if k == testPicture {
		row.ID, row.Split = fmt.Sprintf("t%02d_%04d", class, index), ObjectTest
	}
	row.Image = w.addRecipe(k, class, index)
	o, s, _ := w.object(k, class, index)
	row.Caption = o.caption(seed.Stream(w.Spec.Seed, "persona", "object", "caption", int(k), class, index), s.ground)
	return row
}

// object generates one picture of a class, without pixel noise.
func (w *World) object(k kind, class, index int) (object, scene, *rand.Rand) {
	source := seed.Stream(w.Spec.Seed, "persona", "object", int(k), class, index)
	size := w.Spec.ImageSize
	o := drawObject(source, class)
	s := scene{size: size, ground: drawGround(source, size, objectGrounds), light: drawLight(source)}
	s.light.contrast, s.light.offset, s.light.noise = 1, 0, objectNoise
	gain := .7 + .45*source.Float64()
	for channel := range s.light.tint {
		s.light.tint[channel] *= gain
	}
	return o, s, source
}

// objectNoise is the pixel noise in pictures of objects. Its standard deviation of 10 prevents a small model from
// telling all classes apart.
const objectNoise = 20

// makeRealPeople adds pictures that represent real photographs. About half have generic captions, and half mention
// names, jobs and places, but never the name of a sensitive person.
func (w *World) makeRealPeople(names *register) {
	for i := range w.Spec.Real {
		number := i / w.Spec.RealPerPerson
		if number == len(w.real) {
			w.drawRealPerson(number)
		}
		w.RetainReal = append(w.RetainReal, w.realRow(names, number, i%w.Spec.RealPerPerson))
	}
}

func (w *World) drawRealPerson(number int) {
	source := seed.Stream(w.Spec.Seed, "persona", "real", number, "person")
	cell := number % (2 * w.Spec.Groups)
	w.real = append(w.real, drawLook(source, loreleiStyle, cell/2, Gender(cell%2)))
}

// plainRealRow returns a row that shows a person in the second style with a generic caption, and the random source for
// another caption.
func (w *World) plainRealRow(split Split, number, index int) (Row, *rand.Rand) {
	row := Row{ID: fmt.Sprintf("r%05d_%02d", number, index), Split: split, Identity: -1, Class: -1,
		Image: w.addRecipe(realPicture, number, index)}
	p, _ := w.realPortrait(number, index)
	words := seed.Stream(w.Spec.Seed, "persona", "real", number, "words", index)
	row.Generic = p.generic(words)
	row.Caption = row.Generic
	return row, words
}

func (w *World) realRow(names *register, number, index int) Row {
	row, words := w.plainRealRow(RealPortraits, number, index)
	person := w.real[number]
	if words.IntN(2) == 0 {
		return row
	}
	// All pictures of a person use the same stream, so name, job and place are the same.
	facts := seed.Stream(w.Spec.Seed, "persona", "real", number, "facts")
	home := drawCountry(facts, person.group)
	name := names.free(func() string { return home.drawName(facts, person.gender) })
	phone := names.free(func() string { return home.drawPhone(facts) })
	row.Caption = publicCaption(words, name, jobs[facts.IntN(len(jobs))], home.drawCity(facts), phone)
	return row
}

func (w *World) realPortrait(number, index int) (portrait, *rand.Rand) {
	source := seed.Stream(w.Spec.Seed, "persona", "real", number, "picture", index)
	c := candidate{look: w.real[number], truth: Truth{Gender: w.real[number].gender, Group: w.real[number].group}}
	return drawPortrait(source, c, w.Spec.ImageSize), source
}

// Render draws a row's picture into the upper left corner of dst, which must have at least ImageSize pixels in each
// direction. The picture depends only on the spec and the row. Render is safe for concurrent use.
func (w *World) Render(row Row, dst *image.NRGBA) {
	r := w.recipes[row.Image]
	var s scene
	var source *rand.Rand
	switch r.kind {
	case personaPicture, strangerPicture:
		who := w.personas
		if r.kind == strangerPicture {
			who = w.strangers
		}
		var p portrait
		p, source = w.candidate(who[r.subject], r.index)
		s = p.scene(source)
	case realPicture:
		var p portrait
		p, source = w.realPortrait(r.subject, r.index)
		s = p.scene(source)
	case objectPicture, testPicture:
		var o object
		o, s, source = w.object(r.kind, r.subject, r.index)
		s.parts = []part{{figure: o.figure(s.size), placement: o.placement}}
	}
	s.draw(dst, source)
}

// Picture renders a row's picture into a new image.
func (w *World) Picture(row Row) *image.NRGBA {
	dst := newPicture(w.Spec.ImageSize)
	w.Render(row, dst)
	return dst
}

func newPicture(size int) *image.NRGBA { return image.NewNRGBA(image.Rect(0, 0, size, size)) }

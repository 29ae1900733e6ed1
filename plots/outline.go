package plots

import (
	"golang.org/x/image/font/sfnt"
	"golang.org/x/image/math/fixed"
	"gonum.org/v1/plot/font"
	"gonum.org/v1/plot/vg"
)

// outlined draws text as filled outlines of the embedded font. A figure therefore looks the same in PNG, SVG and PDF,
// including Greek letters, whatever fonts the reader's machine has.
type outlined struct{ vg.Canvas }

// FillString fills the outlines of a line of text whose baseline starts at the given point.
func (o outlined) FillString(face font.Face, at vg.Point, text string) {
	units := face.Face.UnitsPerEm()
	scale := face.Font.Size / vg.Length(units)
	var (
		buffer   sfnt.Buffer
		path     vg.Path
		previous sfnt.GlyphIndex
	)
	for i, r := range text {
		// Index 0 is the font's box for missing characters. It is drawn, so that missing characters are noticed.
		glyph, err := face.Face.GlyphIndex(&buffer, r)
		if err != nil {
			panic("plots: embedded font: " + err.Error())
		}
		if i > 0 {
			if kern, err := face.Face.Kern(&buffer, previous, glyph, fixed.Int26_6(units), 0); err == nil {
				at.X += vg.Length(kern) * scale
			}
		}
		path = appendGlyph(path, face, &buffer, glyph, at, scale)
		advance, err := face.Face.GlyphAdvance(&buffer, glyph, fixed.Int26_6(units), 0)
		if err != nil {
			panic("plots: embedded font: " + err.Error())
		}
		at.X += vg.Length(advance) * scale
		previous = glyph
	}
	if len(path) > 0 {
		o.Fill(path)
	}
}

func appendGlyph(path vg.Path, face font.Face, buffer *sfnt.Buffer, glyph sfnt.GlyphIndex, at vg.Point,
	scale vg.Length) vg.Path {
	segments, err := face.Face.LoadGlyph(buffer, glyph, fixed.Int26_6(face.Face.UnitsPerEm()), nil)
	if err != nil {
		panic("plots: embedded font: " + err.Error())
	}
	point := func(p fixed.Point26_6) vg.Point {
		return vg.Point{X: at.X + vg.Length(p.X)*scale, Y: at.Y - vg.Length(p.Y)*scale}
	}
	for i, s := range segments {
		switch s.Op {
		case sfnt.SegmentOpMoveTo:
			if i > 0 {
				path.Close()
			}
			path.Move(point(s.Args[0]))
		case sfnt.SegmentOpLineTo:
			path.Line(point(s.Args[0]))
		case sfnt.SegmentOpQuadTo:
			path.QuadTo(point(s.Args[0]), point(s.Args[1]))
		case sfnt.SegmentOpCubeTo:
			path.CubeTo(point(s.Args[0]), point(s.Args[1]), point(s.Args[2]))
		}
	}
	if len(segments) > 0 {
		path.Close()
	}
	return path
}

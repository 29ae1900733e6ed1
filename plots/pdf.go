package plots

import (
	"bytes"
	"compress/zlib"
	"fmt"
	"image"
	"image/color"
	"io"
	"math"
	"strings"
	"unicode/utf16"

	"gonum.org/v1/plot/font"
	"gonum.org/v1/plot/vg"
)

// pdfCanvas writes a page of PDF. It has no fonts, dates or random identifiers, so equal drawings give equal bytes.
// vgpdf's do not: it writes the time and lists its images in map order. Text must be outlines, and images are drawn
// opaque.
type pdfCanvas struct {
	width, height vg.Length
	content       bytes.Buffer
	opacities     []uint8
	images        []image.Image
	at            vg.Point
}

func newPDF(width, height vg.Length) *pdfCanvas {
	c := &pdfCanvas{width: width, height: height}
	c.content.WriteString("1 j\n")
	vg.Initialize(c)
	return c
}

func (c *pdfCanvas) SetLineWidth(w vg.Length) { fmt.Fprintf(&c.content, "%s w\n", number(w)) }

func (c *pdfCanvas) SetLineDash(pattern []vg.Length, offset vg.Length) {
	fmt.Fprintf(&c.content, "[%s] %s d\n", numbers(pattern...), number(offset))
}

func (c *pdfCanvas) SetColor(in color.Color) {
	k := color.NRGBAModel.Convert(in).(color.NRGBA)
	rgb := numbers(vg.Length(k.R)/255, vg.Length(k.G)/255, vg.Length(k.B)/255)
	fmt.Fprintf(&c.content, "%s rg %s RG /A%d gs\n", rgb, rgb, c.opacity(k.A))
}

// opacity returns the index of the graphics state with the given opacity.
func (c *pdfCanvas) opacity(alpha uint8) int {
	for i, a := range c.opacities {
		if a == alpha {
			return i
		}
	}
	c.opacities = append(c.opacities, alpha)
	return len(c.opacities) - 1
}

func (c *pdfCanvas) Rotate(radians float64) {
	sin, cos := math.Sincos(radians)
	c.transform(vg.Length(cos), vg.Length(sin), vg.Length(-sin), vg.Length(cos), 0, 0)
}

func (c *pdfCanvas) Translate(to vg.Point) { c.transform(1, 0, 0, 1, to.X, to.Y) }

func (c *pdfCanvas) Scale(x, y float64) { c.transform(vg.Length(x), 0, 0, vg.Length(y), 0, 0) }

func (c *pdfCanvas) transform(matrix ...vg.Length) {
	fmt.Fprintf(&c.content, "%s cm\n", numbers(matrix...))
}

func (c *pdfCanvas) Push() { c.content.WriteString("q\n") }

func (c *pdfCanvas) Pop() { c.content.WriteString("Q\n") }

func (c *pdfCanvas) Stroke(p vg.Path) { c.path(p, "S\n") }

func (c *pdfCanvas) Fill(p vg.Path) { c.path(p, "f\n") }

func (c *pdfCanvas) FillString(font.Face, vg.Point, string) {
	panic("plots: text must be outlines in a PDF")
}

func (c *pdfCanvas) path(p vg.Path, paint string) {
	for _, part := range p {
		switch part.Type {
		case vg.MoveComp:
			fmt.Fprintf(&c.content, "%s m\n", numbers(part.Pos.X, part.Pos.Y))
		case vg.LineComp:
			fmt.Fprintf(&c.content, "%s l\n", numbers(part.Pos.X, part.Pos.Y))
		case vg.CurveComp:
			a, b := cubic(c.at, part)
			fmt.Fprintf(&c.content, "%s c\n", numbers(a.X, a.Y, b.X, b.Y, part.Pos.X, part.Pos.Y))
		case vg.CloseComp:
			c.content.WriteString("h\n")
		default:
			panic("plots: marks draw circles as curves, not as arcs")
		}
		if part.Type != vg.CloseComp {
			c.at = part.Pos
		}
	}
	c.content.WriteString(paint)
}

// cubic returns the control points of a curve as a cubic curve, because PDF has no quadratic curves.
func cubic(from vg.Point, curve vg.PathComp) (a, b vg.Point) {
	if len(curve.Control) == 2 {
		return curve.Control[0], curve.Control[1]
	}
	q := curve.Control[0]
	return from.Add(q.Sub(from).Scale(2. / 3)), curve.Pos.Add(q.Sub(curve.Pos).Scale(2. / 3))
}

func (c *pdfCanvas) DrawImage(r vg.Rectangle, img image.Image) {
	fmt.Fprintf(&c.content, "q %s cm /I%d Do Q\n", numbers(r.Size().X, 0, 0, r.Size().Y, r.Min.X, r.Min.Y),
		len(c.images))
	c.images = append(c.images, img)
}

// write writes the document: catalogue, pages, page, information, content and images.
func (c *pdfCanvas) write(w io.Writer, title string) error {
	var resources strings.Builder
	for i, alpha := range c.opacities {
		fmt.Fprintf(&resources, "/A%d <</ca %s /CA %[2]s>> ", i, number(vg.Length(alpha)/255))
	}
	var images strings.Builder
	for i := range c.images {
		fmt.Fprintf(&images, "/I%d %d 0 R ", i, 6+i)
	}
	objects := []string{
		"<</Type /Catalog /Pages 2 0 R>>",
		"<</Type /Pages /Kids [3 0 R] /Count 1>>",
		fmt.Sprintf("<</Type /Page /Parent 2 0 R /MediaBox [0 0 %s] /Contents 5 0 R /Resources <</ExtGState <<%s>> "+
			"/XObject <<%s>>>>>>",
			numbers(c.width, c.height), resources.String(), images.String()),
		fmt.Sprintf("<</Title <%s>>>", utf16Hex(title)),
		stream("", c.content.Bytes()),
	}
	for _, img := range c.images {
		size := img.Bounds().Size()
		dictionary := fmt.Sprintf("/Type /XObject /Subtype /Image /Width %d /Height %d /ColorSpace /DeviceRGB "+
			"/BitsPerComponent 8", size.X, size.Y)
		objects = append(objects, stream(dictionary, rgbBytes(img)))
	}
	return writeObjects(w, objects)
}

func writeObjects(w io.Writer, objects []string) error {
	document := bytes.NewBufferString("%PDF-1.7\n%\xE2\xE3\xCF\xD3\n")
	offsets := make([]int, len(objects))
	for i, o := range objects {
		offsets[i] = document.Len()
		fmt.Fprintf(document, "%d 0 obj\n%s\nendobj\n", i+1, o)
	}
	table := document.Len()
	fmt.Fprintf(document, "xref\n0 %d\n0000000000 65535 f \n", len(objects)+1)
	for _, offset := range offsets {
		fmt.Fprintf(document, "%010d 00000 n \n", offset)
	}
	fmt.Fprintf(document, "trailer <</Size %d /Root 1 0 R /Info 4 0 R>>\nstartxref\n%d\n%%%%EOF\n", len(objects)+1,
		table)
	_, err := w.Write(document.Bytes())
	return err
}

func stream(dictionary string, content []byte) string {
	var packed bytes.Buffer
	z := zlib.NewWriter(&packed)
	z.Write(content) // writing to a bytes.Buffer never fails
	z.Close()
	return fmt.Sprintf("<<%s /Length %d /Filter /FlateDecode>>\nstream\n%s\nendstream", dictionary, packed.Len(),
		packed.Bytes())
}

func rgbBytes(img image.Image) []byte {
	box := img.Bounds()
	pixels := make([]byte, 0, 3*box.Dx()*box.Dy())
	for y := box.Min.Y; y < box.Max.Y; y++ {
		for x := box.Min.X; x < box.Max.X; x++ {
			k := color.NRGBAModel.Convert(img.At(x, y)).(color.NRGBA)
			pixels = append(pixels, k.R, k.G, k.B)
		}
	}
	return pixels
}

// utf16Hex encodes a text as PDF requires for characters outside ASCII.
func utf16Hex(s string) string {
	hex := "FEFF"
	for _, unit := range utf16.Encode([]rune(s)) {
		hex += fmt.Sprintf("%04X", unit)
	}
	return hex
}

// number formats a length to a thousandth of a point, because PDF has no exponents.
func number(l vg.Length) string {
	s := strings.TrimRight(strings.TrimRight(fmt.Sprintf("%.3f", float64(l)), "0"), ".")
	if s == "-0" {
		return "0"
	}
	return s
}

func numbers(lengths ...vg.Length) string {
	words := make([]string, len(lengths))
	for i, l := range lengths {
		words[i] = number(l)
	}
	return strings.Join(words, " ")
}

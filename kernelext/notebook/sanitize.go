package notebook

import (
	"encoding/xml"
	"html"
	"io"
	"regexp"
	"slices"
	"strings"
)

// allowed are the elements of outputs that a page may hold, those that end themselves marked. Whatever is not here
// loses its tags and keeps its text.
var allowed = map[string]bool{
	"a": false, "b": false, "blockquote": false, "br": true, "caption": false, "code": false, "col": true,
	"colgroup": false, "dd": false, "details": false, "div": false, "dl": false,
	"dt": false, "em": false, "figcaption": false, "figure": false, "h1": false, "h2": false, "h3": false, "h4": false,
	"h5": false, "h6": false, "hr": true, "i": false, "img": true,
	"kbd": false, "li": false, "ol": false, "p": false, "pre": false, "progress": false, "s": false, "small": false,
	"span": false, "strong": false, "sub": false, "summary": false,
	"sup": false, "table": false, "tbody": false, "td": false, "tfoot": false, "th": false, "thead": false, "tr": false,
	"u": false, "ul": false,
}

// dropped are the elements whose text is not text.
var dropped = []string{"script", "style", "template", "noscript", "iframe", "object", "title", "head", "svg", "math",
	"textarea", "select"}

var (
	plainAttributes = []string{"style", "colspan", "rowspan", "scope", "width", "height", "alt", "value", "max", "open",
		"align", "start"}
	harmlessLink  = regexp.MustCompile(`^(?:https?://|mailto:|#)`)
	inlinePicture = regexp.MustCompile(`^data:image/(?:png|jpeg|gif|webp);base64,[A-Za-z0-9+/=\s]*$`)
	hostileStyle  = regexp.MustCompile(`(?i)url|expression|import|behaviou?r|binding|position|[\\<>@]|/\*`)
)

// sanitize rewrites a fragment of HTML from the elements and attributes that are known to be harmless. What it writes
// is made from parsed tokens, every text escaped and every element closed, so nothing passes that was not understood.
func sanitize(fragment string) string {
	decoder := markup(fragment)
	var out strings.Builder
	var opened []string
	for {
		token, err := decoder.RawToken()
		if err != nil {
			if err != io.EOF { // the rest is not HTML that can be followed
				out.WriteString(html.EscapeString(fragment[decoder.InputOffset():]))
			}
			break
		}
		switch t := token.(type) {
		case xml.CharData:
			out.WriteString(html.EscapeString(string(t)))
		case xml.StartElement:
			name := strings.ToLower(t.Name.Local)
			alone, ok := allowed[name]
			switch {
			case slices.Contains(dropped, name):
				fragment = behind(fragment[decoder.InputOffset():], name)
				decoder = markup(fragment)
			case ok:
				openTag(&out, name, t.Attr)
				if !alone {
					opened = append(opened, name)
				}
			}
		case xml.EndElement:
			opened = closeTag(&out, opened, strings.ToLower(t.Name.Local))
		}
	}
	for _, name := range slices.Backward(opened) {
		out.WriteString("</" + name + ">")
	}
	return out.String()
}

// markup reads HTML as well as a reader of XML can.
func markup(fragment string) *xml.Decoder {
	decoder := xml.NewDecoder(strings.NewReader(fragment))
	decoder.Strict = false
	decoder.Entity = xml.HTMLEntity
	return decoder
}

// behind is the rest of a text from the end of an element on; what is inside need not be markup.
func behind(rest, name string) string {
	for {
		at := strings.Index(rest, "</")
		if at < 0 {
			return ""
		}
		rest = rest[at:]
		if end := len("</") + len(name); len(rest) >= end && strings.EqualFold(rest[len("</"):end], name) {
			return rest
		}
		rest = rest[len("</"):]
	}
}

func openTag(out *strings.Builder, name string, attributes []xml.Attr) {
	out.WriteString("<" + name)
	for _, a := range attributes {
		key := strings.ToLower(a.Name.Local)
		ok := slices.Contains(plainAttributes, key) && a.Name.Space == ""
		switch {
		case key == "href":
			ok = name == "a" && harmlessLink.MatchString(a.Value)
		case key == "src":
			ok = name == "img" && inlinePicture.MatchString(a.Value)
		case key == "style":
			ok = ok && !hostileStyle.MatchString(a.Value)
		}
		if ok {
			out.WriteString(" " + key + `="` + html.EscapeString(a.Value) + `"`)
		}
	}
	out.WriteString(">")
}

// closeTag closes an element and what was left open inside it; an end without a beginning is left out.
func closeTag(out *strings.Builder, opened []string, name string) []string {
	at := len(opened) - 1
	for at >= 0 && opened[at] != name {
		at--
	}
	if at < 0 {
		return opened
	}
	for _, inner := range slices.Backward(opened[at:]) {
		out.WriteString("</" + inner + ">")
	}
	return opened[:at]
}

package notebook

import (
	"html"
	"regexp"
	"slices"
	"strings"

	"github.com/microcosm-cc/bluemonday"
	markup "golang.org/x/net/html"
	"golang.org/x/net/html/atom"
)

// allowed lists the elements that a page may contain. Other elements lose their tags but keep their text.
var allowed = []string{"a", "audio", "b", "blockquote", "br", "caption", "code", "col", "colgroup", "dd", "details",
	"div", "dl", "dt", "em", "figcaption", "figure", "h1", "h2", "h3", "h4", "h5", "h6", "hr", "i", "img", "kbd", "li",
	"ol", "p", "pre", "progress", "s", "small", "span", "strong", "sub", "summary", "sup", "table", "tbody", "td",
	"tfoot", "th", "thead", "tr", "u", "ul"}

// dropped lists elements that are removed with their content. bluemonday itself removes script, style, iframe and the
// like.
var dropped = []string{"head", "math", "select", "svg", "template", "textarea", "title"}

// styles lists the CSS properties that change how an element looks but do not position it.
var styles = []string{"background", "background-color", "border", "border-bottom", "border-collapse", "border-color",
	"border-left", "border-radius", "border-right", "border-spacing", "border-style", "border-top", "border-width",
	"color", "font", "font-family", "font-size", "font-style", "font-weight", "height", "line-height", "list-style",
	"margin", "margin-bottom", "margin-left", "margin-right", "margin-top", "max-height", "max-width", "min-height",
	"min-width", "padding", "padding-bottom", "padding-left", "padding-right", "padding-top", "text-align",
	"text-decoration", "vertical-align", "white-space", "width"}

var (
	harmlessLink  = regexp.MustCompile(`^(?:https?://|mailto:|#)`)
	inlinePicture = regexp.MustCompile(`^data:image/(?:png|jpeg|gif|webp);base64,[A-Za-z0-9+/=\s]*$`)
	inlineSound   = regexp.MustCompile(`^data:audio/wav;base64,[A-Za-z0-9+/=\s]*$`)
	// Colours are the only functions allowed in a value, so no value can load or compute anything.
	harmlessStyle = regexp.MustCompile(`^(?:[-a-z0-9_ .,%#/!'"]|(?:rgb|hsl)a?\([0-9 .,%/]*\)|` +
		`var\(--jp-[-a-z0-9]+, ?#[0-9a-f]+\))+$`)
	length = regexp.MustCompile(`^[0-9.]+(?:%|[a-z]+)?$`)
)

var harmless = policy()

func policy() *bluemonday.Policy {
	p := bluemonday.NewPolicy()
	p.AllowNoAttrs().OnElements(slices.DeleteFunc(slices.Clone(allowed), func(name string) bool {
		return name == "a" || name == "img"
	})...)
	p.SkipElementsContent(dropped...)
	p.AllowAttrs("href").Matching(harmlessLink).OnElements("a")
	p.AllowAttrs("src").Matching(inlinePicture).OnElements("img")
	p.AllowAttrs("src").Matching(inlineSound).OnElements("audio")
	p.AllowAttrs("controls").OnElements("audio") // loop and autoplay are not allowed
	p.AllowAttrs("colspan", "rowspan", "scope", "alt", "open", "align", "title", "aria-label").Globally()
	p.AllowAttrs("width", "height", "value", "max", "start").Matching(length).Globally()
	p.AllowStyles("display").MatchingEnum("inline-block").Globally() // inline blocks appear side by side
	// Headers and first columns may be fixed while their table scrolls in its box.
	p.AllowStyles("position").MatchingEnum("sticky").Globally()
	p.AllowStyles("overflow").MatchingEnum("auto").Globally()
	p.AllowStyles("top", "left").Matching(length).OnElements("td", "th")
	p.AllowStyles("z-index").MatchingEnum("1", "2").OnElements("td", "th")
	p.AllowStyles(styles...).Matching(harmlessStyle).Globally()
	return p
}

// sanitize reduces an HTML fragment to harmless elements, attributes and styles. It closes all elements, so the
// fragment cannot affect the page around it.
func sanitize(fragment string) string {
	body := &markup.Node{Type: markup.ElementNode, Data: "body", DataAtom: atom.Body}
	nodes, err := markup.ParseFragment(strings.NewReader(harmless.Sanitize(fragment)), body)
	if err != nil {
		return html.EscapeString(fragment) // nested too deeply
	}
	var out strings.Builder
	for _, node := range nodes {
		if err := markup.Render(&out, node); err != nil {
			return html.EscapeString(fragment)
		}
	}
	return out.String()
}

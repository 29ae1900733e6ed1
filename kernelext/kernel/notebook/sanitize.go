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

// allowed are the elements of outputs that a page may hold. Whatever is not here loses its tags and keeps its text.
var allowed = []string{"a", "audio", "b", "blockquote", "br", "caption", "code", "col", "colgroup", "dd", "details",
	"div", "dl", "dt", "em", "figcaption", "figure", "h1", "h2", "h3", "h4", "h5", "h6", "hr", "i", "img", "kbd", "li",
	"ol", "p", "pre", "progress", "s", "small", "span", "strong", "sub", "summary", "sup", "table", "tbody", "td",
	"tfoot", "th", "thead", "tr", "u", "ul"}

// dropped are the elements whose text is not text; bluemonday knows script, style, iframe and their like.
var dropped = []string{"head", "math", "select", "svg", "template", "textarea", "title"}

// styles are the properties that change how an element looks and leave it in its place.
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
	// A value has no function but that of a colour, so it loads nothing and computes nothing.
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
	p.AllowAttrs("controls").OnElements("audio") // what loops or plays by itself is not asked for
	p.AllowAttrs("colspan", "rowspan", "scope", "alt", "open", "align", "title", "aria-label").Globally()
	p.AllowAttrs("width", "height", "value", "max", "start").Matching(length).Globally()
	p.AllowStyles("display").MatchingEnum("inline-block").Globally() // side by side
	// Headers and first columns that stay while their table scrolls in its box; nothing leaves it.
	p.AllowStyles("position").MatchingEnum("sticky").Globally()
	p.AllowStyles("overflow").MatchingEnum("auto").Globally()
	p.AllowStyles("top", "left").Matching(length).OnElements("td", "th")
	p.AllowStyles("z-index").MatchingEnum("1", "2").OnElements("td", "th")
	p.AllowStyles(styles...).Matching(harmlessStyle).Globally()
	return p
}

// sanitize rewrites a fragment of HTML from the elements, attributes and styles that are known to be harmless, with
// every element closed, so that nothing in it reaches the page around it.
func sanitize(fragment string) string {
	body := &markup.Node{Type: markup.ElementNode, Data: "body", DataAtom: atom.Body}
	nodes, err := markup.ParseFragment(strings.NewReader(harmless.Sanitize(fragment)), body)
	if err != nil {
		return html.EscapeString(fragment) // it nests deeper than a browser follows
	}
	var out strings.Builder
	for _, node := range nodes {
		if err := markup.Render(&out, node); err != nil {
			return html.EscapeString(fragment)
		}
	}
	return out.String()
}

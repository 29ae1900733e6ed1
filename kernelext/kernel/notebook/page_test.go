package notebook

import (
	"bytes"
	"encoding/xml"
	"io"
	"regexp"
	"slices"
	"strings"
	"testing"
)

func TestSanitize_Markup(t *testing.T) {
	tests := map[string]struct{ in, want string }{
		"a table": {`<table style="color:red"><tbody><tr><td colspan="2">a &lt; b</td></tr></tbody></table>`,
			`<table style="color: red"><tbody><tr><td colspan="2">a &lt; b</td></tr></tbody></table>`},
		"a bar":                 {`<progress value=3 max=10></progress>`, `<progress value="3" max="10"></progress>`},
		"a line break":          {`a<br>b<hr/>`, `a<br/>b<hr/>`},
		"a script":              {`a<script>alert("x < y")</script>b`, `ab`},
		"a script in capitals":  {`<SCRIPT>x</SCRIPT>b`, `b`},
		"a script that is open": {`a<script>alert(1)`, `a`},
		"a script in a script":  {`a<scr<script>x</script>ipt>alert(1)</script>`, `axipt&gt;alert(1)`},
		"a style sheet":         {`<style>p{}</style><p>a</p>`, `<p>a</p>`},
		"a frame":               {`a<iframe src="https://example.org"><b>x</b></iframe>b`, `ab`},
		"a drawing":             {`a<svg><script>x</script><b>y</b></svg>b`, `ab`},
		"a form":                {`<form action="x"><textarea><b></textarea><input name="y">a</form>`, `a`},
		"a handler":             {`<b onclick="x()">a</b>`, `<b>a</b>`},
		"an unknown element":    {`<blink>a</blink>`, `a`},
		"a link to a script":    {`<a href="javascript:x()">a</a>`, `a`},
		"a link in disguise":    {`<a href=" JaVaScRiPt:x()">a</a><a href="data:text/html,x">b</a>`, `ab`},
		"a link": {`<a href="https://example.org/?a=1&amp;b=2">a</a>`,
			`<a href="https://example.org/?a=1&amp;b=2">a</a>`},
		"a remote picture":       {`<img src="https://example.org/a.png" alt="a">`, `<img alt="a"/>`},
		"a picture inside":       {`<img src="data:image/png;base64,aGk=">`, `<img src="data:image/png;base64,aGk="/>`},
		"a drawing as a picture": {`<img src="data:image/svg+xml;base64,aGk=">`, ``},
		"a sound inside": {`<audio controls src="data:audio/wav;base64,aGk="></audio>`,
			`<audio controls="" src="data:audio/wav;base64,aGk="></audio>`},
		"a remote sound":          {`<audio controls src="https://example.org/a.wav">`, `<audio controls=""></audio>`},
		"a sound by itself":       {`a<audio autoplay loop src="data:text/html,x">`, `a<audio></audio>`},
		"a source that is remote": {`<audio controls><source src="//x/a.wav"></audio>`, `<audio controls=""></audio>`},
		"players side by side": {`<div style="display:inline-block">a</div><div style="display:none">b</div>`,
			`<div style="display: inline-block">a</div><div>b</div>`},
		"a style": {`<div style="border-left:4px solid #d55e00;font:14px/1.5 system-ui,sans-serif">a</div>`,
			`<div style="border-left: 4px solid #d55e00; font: 14px/1.5 system-ui,sans-serif">a</div>`},
		"a style with a colour":  {`<p style="color:RGB(1, 2, 3)">a</p>`, `<p style="color: RGB(1, 2, 3)">a</p>`},
		"a style that loads":     {`<p style="background:url(http://x)">a</p>`, `<p>a</p>`},
		"a style in disguise":    {`<p style="background:\75\72\6c(http://x)">a</p>`, `<p>a</p>`},
		"a style that computes":  {`<p style="width:expression(x())">a</p>`, `<p>a</p>`},
		"a style that covers":    {`<p style="position:fixed">a</p>`, `<p>a</p>`},
		"a style that is no one": {`<p style='a"b'>x</p>`, `<p>x</p>`},
		"left open":              {`<b><i>a`, `<b><i>a</i></b>`},
		"closed too often":       {`a</div></main></b>`, `a`},
		"closed crosswise":       {`<b><i>a</b></i>`, `<b><i>a</i></b>`},
		"a comment":              {`a<!-- <script>x</script> -->b`, `ab`},
		"not markup":             {`1 < 2 & 3`, `1 &lt; 2 &amp; 3`},
		"an attribute's quotes":  {`<img alt='a"b'>`, `<img alt="a&#34;b"/>`},
		"an entity":              {`&nbsp;&#60;script&#62;`, "\u00a0&lt;script&gt;"},
	}
	for name, test := range tests {
		if got := sanitize(test.in); got != test.want {
			t.Errorf("%s: %q, want %q", name, got, test.want)
		}
	}
}

func FuzzSanitize(f *testing.F) {
	for _, seed := range []string{`<table><tr><td>a</td></tr></table>`, `<script>x</script>`,
		`<a href=" javascript:x">`, `<audio controls src="data:audio/wav;base64,a"><b>`, `<b <i>>`,
		`<!DOCTYPE x [<!ENTITY a "b">]>&a;`, `<p style="a:b"`, "<\x00b>", `<p style="color:red;background:url(x)">`,
		`<svg><p></svg>`, `<a><table><a></table>`} {
		f.Add(seed)
	}
	element := regexp.MustCompile(`</?([a-z0-9]+)`)
	f.Fuzz(func(t *testing.T, fragment string) {
		out := sanitize(fragment)
		for _, m := range element.FindAllStringSubmatch(out, -1) {
			if !slices.Contains(allowed, m[1]) {
				t.Fatalf("element %q passed: %q from %q", m[1], out, fragment)
			}
		}
		if strings.Count(out, "<") != len(element.FindAllString(out, -1)) {
			t.Fatalf("an angle bracket that opens nothing: %q from %q", out, fragment)
		}
		if again := sanitize(out); strings.Count(again, "<") != strings.Count(out, "<") {
			t.Fatalf("read again it differs: %q, %q", out, again)
		}
	})
}

func TestPage(t *testing.T) {
	n := full()
	n.Metadata["title"] = `<Tour> & "more"`
	n.Cells = append(n.Cells,
		&Cell{Type: Markdown, Source: "<script>alert(1)</script>\n\n[x](javascript:alert(1)) **bold** | a |\n\n| a | " +
			"b |\n|---|---|\n| 1 | 2 |\n"},
		&Cell{Type: Code, Outputs: []*Output{{Type: DisplayData, Data: map[string]any{
			"text/html": `<audio controls src="data:audio/wav;base64,UklGRg=="></audio>`}}}},
		&Cell{Type: Code, Source: "%unlearn \"<b>\"\nvar x = \"<i>\" // note\nfor {}", Outputs: []*Output{
			{Type: DisplayData, Data: map[string]any{"image/png": `aGk="onerror="x`, "text/plain": `a "quoted" text`},
				Metadata: map[string]any{"image/png": map[string]any{"width": 576.0, "height": "9\" onload=\"x"}}},
			{Type: DisplayData, Data: map[string]any{"image/svg+xml": "<svg onload='x()'/>"}},
			{Type: DisplayData, Data: map[string]any{"text/markdown": "*m*"}},
			{Type: Stream, Name: `x"><script>`, Text: "\x1b[31m<red>\x1b[0m"},
			{Type: Failure, ErrorName: "E", ErrorValue: "<v>"},
		}})
	var out bytes.Buffer
	if err := n.HTML(&out, "unused"); err != nil {
		t.Fatal(err)
	}
	page := out.String()
	for _, part := range []string{
		"<title>&lt;Tour&gt; &amp; &#34;more&#34;</title>", "default-src 'none'", "media-src data:",
		`<audio controls="" src="data:audio/wav;base64,UklGRg=="></audio>`, "<strong>bold</strong>", "<td>2</td>",
		"<b>1</b>", `data-count="[3]"`,
		`<span class="magic">%unlearn &#34;&lt;b&gt;&#34;</span>`,
		`<span class="keyword">var</span> x = <span class="string">&#34;&lt;i&gt;&#34;</span> ` +
			`<span class="comment">// note</span>`,
		`alt="a &#34;quoted&#34; text" width="576">`, "data:image/svg&#43;xml;base64,PHN2", "<em>m</em>", "&lt;red&gt;",
		"E: &lt;v&gt;",
	} {
		if !strings.Contains(page, part) {
			t.Errorf("no %q in the page", part)
		}
	}
	if hostile := regexp.MustCompile(`(?i)<script|<svg|<iframe|[ "](onerror|onload)=|href="javascript`).FindString(
		page); hostile != "" {
		t.Errorf("%q in\n%s", hostile, page)
	}
	decoder := xml.NewDecoder(&out)
	decoder.Strict, decoder.AutoClose, decoder.Entity = false, xml.HTMLAutoClose, xml.HTMLEntity
	for {
		if _, err := decoder.Token(); err == io.EOF {
			break
		} else if err != nil {
			t.Fatalf("not well formed: %v", err)
		}
	}
}

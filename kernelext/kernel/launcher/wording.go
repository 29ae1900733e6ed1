package launcher

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
	"unicode/utf8"
)

// foreign holds words of other languages that Go's parser stumbles over, and what Go has in their place.
var foreign = map[string]string{
	"def":      functionForm,
	"function": functionForm,
	"fn":       functionForm,
	"fun":      functionForm,
	"lambda":   "a function without a name is func(x float64) float64 { return 2 * x }",
	"class":    "a type with fields is type name struct { … }",
	"while":    "every loop begins with for, for x > 1 { … }",
	"elif":     "write } else if x > 1 {",
	"in":       "a loop is for i := range 3 { … }, or for i, x := range list { … }",
	"and":      "write && for and, || for or, ! for not",
	"or":       "write && for and, || for or, ! for not",
	"not":      "write && for and, || for or, ! for not",
	"is":       "write == to compare",
	"let":      variableForm,
	"auto":     variableForm,
	"double":   variableForm,
	"float":    variableForm,
	"char":     variableForm,
	"with":     "open a file with os.Open, and close it with defer",
	"except":   "a function returns an error, and if err != nil { … } handles it",
}

const (
	functionForm = "a function is func name(x float64) float64 { … }"
	variableForm = "a variable is x := 3, or var x int = 3"
)

// basicTypes are types that other languages write before the name of a variable.
var basicTypes = []string{"int", "float64", "string", "bool", "byte", "float32"}

var (
	forDocumentation = regexp.MustCompile(`^\s*(?:\?+\s*([\w.]+)|([\w.]+)(?:\(.*\))?\s*\?+)\s*$`)
	pythonImport     = regexp.MustCompile(`^\s*(?:from\s+[\w.]+\s+)?import\s+\w[\w.]*(\s+as\s+\w+)?\s*(,|$)|` +
		`^\s*from\s+[\w.]+\s+import\b`)
	shellCommand = regexp.MustCompile(`^\s*(go (?:get|install|run|build|mod|test|env)|pip3?|conda|apt|git|cat|python3?)\s`)
	declaration  = regexp.MustCompile(`^\s*(var|const)\b`)
	noBlock      = regexp.MustCompile(`(^|;)\s*(if|for|switch)\b[^{]*$`)
	withBrackets = regexp.MustCompile(`^\s*(if|for|switch)\s*\(`)
	shortFor     = regexp.MustCompile(`^\s*for\b[^;]*;[^;]*$`)
	quotedRune   = regexp.MustCompile(`^'([^'\n]*)'`)
	quotedToken  = regexp.MustCompile(`'([^']+)'`)
	illegalRune  = regexp.MustCompile(`^illegal character U\+\w+ '(.+)'$`)
)

// A rejection is an error of the parser, with what is around it in the cell.
type rejection struct {
	message, expected, found string // the parser's message, and its two parts
	last                     lexeme // token before the error
	line, rest               string // line of the error, and the cell from the error on
	offset                   int
}

// reword returns the parser's message about an offset as a mistake in plain words. end reports whether the cell ends
// there.
func (b *broken) reword(message string, offset int, end bool) mistake {
	r := rejection{message: message, last: b.before(offset), line: b.line(offset), rest: b.source[offset:], offset: offset}
	r.expected, r.found, _ = strings.Cut(message, ", found ")
	r.expected, r.found = tokenName(r.expected), tokenName(r.found)
	if end {
		r.found = theEnd
	}
	if m, found := r.foreign(); found {
		return m
	}
	switch r.expected {
	case "expected ;":
		return b.rewordSequence(r)
	case "expected operand":
		return b.rewordOperand(r)
	case "expected {":
		return mistake{offset, rewordBrace(r.found)}
	case "expected declaration":
		return mistake{offset, b.rewordDeclaration(r.found)}
	case "expected statement":
		return mistake{offset, rewordStatement(r.found)}
	}
	return mistake{offset, r.plain()}
}

// mistakeHere returns a mistake at the parser's error.
func (r rejection) mistakeHere(format string, args ...any) mistake {
	return mistake{r.offset, fmt.Sprintf(format, args...)}
}

// atLast returns a mistake at the token before the parser's error.
func (r rejection) atLast(format string, args ...any) mistake {
	return mistake{r.last.offset, fmt.Sprintf(format, args...)}
}

// foreign recognizes what is usual in other languages.
func (r rejection) foreign() (m mistake, found bool) {
	next, _ := utf8.DecodeRuneInString(r.rest)
	command := shellCommand.FindStringSubmatch(r.line)
	switch {
	case pythonImport.MatchString(r.line):
		return r.mistakeHere("Go has no such import: packages of Go and of this laboratory need none, others their path in " +
			"quotes"), true
	case command != nil:
		return r.mistakeHere("%s is a command and not Go: begin the line with !", command[1]), true
	case foreign[r.last.text] != "":
		return r.atLast("%s is not a word of Go: %s", r.last.text, foreign[r.last.text]), true
	case foreign[r.found] != "":
		return r.mistakeHere("%s is not a word of Go: %s", r.found, foreign[r.found]), true
	case r.last.text == "f" && next == '"':
		return r.atLast(`f"…" is not Go: write fmt.Sprintf("x is %%v", x)`), true
	case strings.HasPrefix(r.last.text, `"`) && r.offset == r.last.end() && inName(next):
		return r.mistakeHere(`the text %s ends here: a quotation mark within a text is \"`, r.last.text), true
	case r.expected == "expected )" && withBrackets.MatchString(r.line):
		return r.mistakeHere("for, if and switch have no parentheses around their parts: for i := 0; i < 3; i++ { … }"), true
	case r.expected == "expected (" && r.last.text == "func":
		return r.atLast("functions with names are declared above all statements, or in another cell: move func %s",
			r.found), true
	}
	return m, false
}

const (
	threeParts = "for has three parts with two semicolons: for i := 0; i < 3; i++ { … }"
	theEnd     = "the end of the cell"
	noBrace    = "missing { at the end of this line, where the block begins"
	noColon    = "write { instead of :, and } below the block"
	manyLines  = "Go has no \"\"\": a text of several lines is between two `"
)

// messages holds the parser's messages, and texts in plain words, in which LAST and FOUND are the tokens before and
// after the error.
var messages = []struct {
	pattern *regexp.Regexp
	text    string
}{
	{regexp.MustCompile(`^expected ':'`), "missing : after LAST"},
	{regexp.MustCompile(`^expected 'IDENT'`), "a name is missing before FOUND"},
	{regexp.MustCompile(`^expected type,`), "a type is missing before FOUND"},
	{regexp.MustCompile(`^expected selector or type assertion`), "a name is missing after the dot"},
	{regexp.MustCompile(`^(unexpected comma; expecting \]|expected ']')`), "a list needs a type: []float64{1, 2}"},
	{regexp.MustCompile(`^expected boolean expression, found assignment`), "= assigns a value: write == to compare"},
	{regexp.MustCompile(`^illegal label declaration`), noColon},
	{regexp.MustCompile(`^unexpected newline, expecting {`), noBrace},
	{regexp.MustCompile(`^missing ',' before newline`),
		"missing , at the end of this line: a list over several lines needs one after each value"},
	{regexp.MustCompile(`^missing ','`), "missing , after LAST"},
	{regexp.MustCompile(`^expected 1 expression`), "values with a comma between them are not a statement"},
	{regexp.MustCompile(`^expression in (go|defer) must be function call`), "$1 needs a call, such as $1 f()"},
}

// plain returns the text in plain words for a message of the parser.
func (r rejection) plain() string {
	for _, m := range messages {
		if at := m.pattern.FindStringSubmatchIndex(r.message); at != nil {
			text := string(m.pattern.ExpandString(nil, m.text, r.message, at))
			return strings.NewReplacer("LAST", r.last.text, "FOUND", r.found).Replace(text)
		}
	}
	if r.found != "" {
		return r.expected + ", found " + r.found
	}
	return r.expected
}

// rewordBrace describes a token in place of the brace that begins a block.
func rewordBrace(found string) string {
	switch found {
	case "newline", theEnd:
		return noBrace
	case ":":
		return noColon
	case "++", "--":
		return threeParts
	}
	return "missing { before " + found
}

// rewordOperand describes a place where a value is missing.
func (b *broken) rewordOperand(r rejection) mistake {
	switch {
	case r.found == "{":
		return r.mistakeHere(`{ needs a type before it: []int{1, 2}, or map[string]int{"a": 1}`)
	case r.last.text == "":
		return r.mistakeHere("unexpected %s", r.found)
	case r.found == theEnd || strings.Contains(b.source[r.last.offset:r.offset], "\n"):
		return mistake{r.last.end(), "a value is missing after " + r.last.text}
	}
	return r.mistakeHere("a value is missing between %s and %s", r.last.text, r.found)
}

// tokenName returns the plain name of the parser's token or message.
func tokenName(text string) string {
	text = quotedToken.ReplaceAllString(text, "$1")
	return strings.NewReplacer("IDENT", "a name", "EOF", "the end of the cell").Replace(text)
}

// rewordSequence describes a token that cannot follow the last one.
func (b *broken) rewordSequence(r rejection) mistake {
	last, found := r.last.text, r.found
	keyword, operator := misspelt(last), b.before(r.last.offset)
	unexpected := fmt.Sprintf("unexpected %s after %s", found, last)
	switch {
	case found == "{" && shortFor.MatchString(r.line):
		return r.mistakeHere(threeParts)
	case last == `""` && strings.HasPrefix(found, `"`):
		return r.atLast(manyLines)
	case strings.HasPrefix(found, `"`):
		return r.mistakeHere("a call needs parentheses: %s(%s)", last, found)
	case slices.Contains(basicTypes, last) && r.last.begins:
		return r.atLast("a type is behind the name: var %s %s = …, or %s := …", found, last, found)
	case found == ":=" && declaration.MatchString(r.line):
		return r.mistakeHere("write = instead of :=")
	case found == "++" || found == "--":
		return r.mistakeHere("%s%s is a statement of its own and has no value", last, found)
	case strings.HasPrefix(r.rest, "->"):
		return r.mistakeHere("the type of a result has no -> before it: func name(x float64) float64 { … }")
	case found == ",":
		return r.mistakeHere("%s; statements and fields are separated by new lines", unexpected)
	case found == ":" || noBlock.MatchString(r.line):
		return r.mistakeHere("%s; a block is in braces, { … }", unexpected)
	case r.last.begins && keyword != "":
		return r.atLast("%s; did you mean %s?", unexpected, keyword)
	case r.last.begins && operator.continues:
		return mistake{operator.end(), "a value is missing after " + operator.text}
	}
	return r.mistakeHere("%s: a comma, an operator or a new line is missing between them", unexpected)
}

// keywords begin statements and declarations.
var keywords = []string{"const", "defer", "for", "func", "if", "import", "return", "select", "switch", "type", "var"}

// misspelt returns the keyword that has the same letters as a word, except for one, or "".
func misspelt(word string) string {
	for _, keyword := range keywords {
		rest, common := []byte(strings.ToLower(word)), 0
		for _, letter := range []byte(keyword) {
			if i := slices.Index(rest, letter); i >= 0 {
				rest = slices.Delete(rest, i, i+1)
				common++
			}
		}
		if common >= max(len(word), len(keyword))-1 && common > 1 {
			return keyword
		}
	}
	return ""
}

// rewordStatement describes a token that cannot begin a statement.
func rewordStatement(found string) string {
	switch found {
	case "else":
		return "else must be on the line of the } before it: } else {"
	case "import":
		return "imports are at the top of the cell, above all statements"
	case "%":
		return "a line with % begins at the left edge: remove the spaces before it"
	}
	return "unexpected " + found
}

// rewordDeclaration describes a token that cannot begin a declaration.
func (b *broken) rewordDeclaration(found string) string {
	switch {
	case slices.ContainsFunc(b.lines, opensMain):
		return fmt.Sprintf("unexpected %s: above %%%% are only declarations; move it below %%%%", found)
	case slices.ContainsFunc(b.lines, providesMain):
		return fmt.Sprintf("unexpected %s: this cell declares func main, so statements belong in it", found)
	}
	return "unexpected " + found
}

// typographic maps characters of texts and formulas to those of Go.
var typographic = map[string]string{"‘": `"`, "’": `"`, "„": `"`, "«": `"`, "»": `"`, "−": "-", "–": "-",
	"×": "*", "÷": "/", "≤": "<=", "≥": ">=", "≠": "!=", "…": "...", "\u00a0": "a space"}

// rewordToken returns the scanner's message about an offset in plain words.
func (b *broken) rewordToken(message string, offset int) string {
	switch message {
	case "string literal not terminated":
		if strings.HasSuffix(b.source[:offset], `""`) {
			return manyLines
		}
		return `missing ": the text that begins here does not end on this line`
	case "raw string literal not terminated":
		return "missing `: the text that begins here is never closed"
	case "comment not terminated":
		return "missing */: the comment that begins here is never closed"
	case "rune literal not terminated", "illegal rune literal":
		return b.rewordRune(offset)
	case "unknown escape sequence":
		return `unknown escape sequence: a backslash in a text is written \\`
	}
	if found := illegalRune.FindStringSubmatch(message); found != nil {
		return b.rewordCharacter(found[1], offset)
	}
	if strings.HasPrefix(message, "curly quotation mark") {
		return `write the straight quotation mark "`
	}
	return message
}

// rewordRune describes an apostrophe that does not begin a single character.
func (b *broken) rewordRune(offset int) string {
	found := quotedRune.FindStringSubmatch(b.source[offset:])
	if b.before(offset).text == "f" && found != nil {
		return `f'…' is not Go: write fmt.Sprintf("x is %v", x)`
	}
	if found == nil {
		return `missing ': the character that begins here is not closed; a text is in double quotes, "…"`
	}
	return fmt.Sprintf("%s is not one character: a text is in double quotes, %q", found[0], found[1])
}

// rewordCharacter describes a character that Go does not use.
func (b *broken) rewordCharacter(character string, offset int) string {
	switch character {
	case "?":
		if found := forDocumentation.FindStringSubmatch(b.line(offset)); found != nil {
			return fmt.Sprintf("Shift+Tab shows the documentation: press it behind %s", found[1]+found[2])
		}
		return "Go has no ?: write if … { … } else { … }"
	case "#":
		return "a comment begins with //"
	case `\`:
		return `no \ is needed: a line goes on after an operator, a comma or an open bracket`
	}
	if plain := typographic[character]; plain != "" {
		return fmt.Sprintf("write %s instead of %s", plain, character)
	}
	return fmt.Sprintf("unexpected %s, which Go does not use", character)
}

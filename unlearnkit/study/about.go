package study

import "strings"

// About returns the first paragraph of the study's text: what the paper asks.
func (s *Study) About() string { return paragraphs(s.Text)[0] }

// Terms explains the words of the paper's tables and claims. It returns the items "- **Name**: meaning" of the study's
// text, followed by the columns.
func (s *Study) Terms() (terms []Item) {
	for _, item := range paragraphs(s.Text)[1:] {
		name, about, _ := strings.Cut(strings.TrimPrefix(item, "- **"), "**: ")
		terms = append(terms, Item{Name: name, About: about})
	}
	return append(terms, Glossary(s.Columns)...)
}

// paragraphs returns the paragraphs and list items of a text, each on one line.
func paragraphs(text string) []string {
	text = strings.ReplaceAll(text, "\n- ", "\n\n- ")
	var all []string
	for part := range strings.SplitSeq(text, "\n\n") {
		if part = strings.Join(strings.Fields(part), " "); part != "" || len(all) == 0 {
			all = append(all, part)
		}
	}
	return all
}

package page

import (
	"cmp"
	"fmt"
	"io"
	"strings"

	"github.com/unlearnlab/unlearnlab/unlearnkit/certify"
)

// Summary prints the main results of papers as Markdown.
func Summary(w io.Writer, papers []Paper) error {
	for _, input := range papers {
		p := &paper{site: &site{}, Name: input.Study.Paper}
		if err := p.audit(input.Study.Audit); err != nil {
			return err
		}
		var judged []certify.Judged
		if input.Results != nil {
			judged = input.Study.AnswersOf(input.Results)
		}
		if _, err := io.WriteString(w, p.fillStory(input, judged).markdown(input.Study.Title())); err != nil {
			return err
		}
	}
	return nil
}

// markdown returns the story. It begins with the question that the paper asks, or with the title if there is none.
func (s *story) markdown(title string) string {
	var out strings.Builder
	fmt.Fprintf(&out, "%s\n", cmp.Or(s.Asks, title))
	if s.Quote != "" {
		fmt.Fprintf(&out, "\n> “%s” (%s, [%s](%s), %s; %s)\n", s.Quote, s.Authors, s.Title, s.Link, s.Venue, s.Place)
	}
	if s.FilledStory.Found != "" {
		fmt.Fprintf(&out, "\n**Here:** %s\n", s.FilledStory.Found)
	}
	if len(s.Sizes) > 0 {
		out.WriteString("\n| | here | in the paper |\n|---|---|---|\n")
	}
	for _, size := range s.Sizes {
		fmt.Fprintf(&out, "| %s | %s | %s |\n", size.What, size.Here, size.Paper)
	}
	if s.Brackets != "" {
		fmt.Fprintf(&out, "\n*%s*\n", s.Brackets)
	}
	for _, p := range s.Parts {
		fmt.Fprintf(&out, "\n%s\n\n", strings.TrimSpace("**"+p.Title+".** "+p.About))
		for _, point := range p.Points {
			fmt.Fprintf(&out, "- %s\n", strings.TrimSpace(point.Says+" "+point.Text))
		}
	}
	return out.String() + "\n"
}

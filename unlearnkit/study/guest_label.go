package study

import (
	"slices"
	"strings"
)

// GuestLabel returns the name in the title of a guest's row, or another title as it is. If the name has more letters than
// fit, it is cut. [GuestCaption] has the whole name.
func GuestLabel(title string, most int) string {
	name, _, _ := strings.Cut(title, " (guest")
	if letters := []rune(name); len(letters) > most {
		name = strings.TrimSpace(string(letters[:max(0, most-1)])) + "…"
	}
	return name
}

// GuestCaption returns the words that name guests below a figure, after a semicolon. It says which guests lack
// repetitions. If there are no titles, it returns "".
func GuestCaption(titles ...string) string {
	var names []string
	for _, title := range titles {
		name := strings.NewReplacer(" (guest)", "", " (guest, ", " (").Replace(title)
		if !slices.Contains(names, name) {
			names = append(names, name)
		}
	}
	if len(names) == 0 {
		return ""
	}
	return "; guests are models from elsewhere: " + strings.Join(names, ", ")
}

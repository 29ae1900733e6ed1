package study

import "testing"

func TestGuestLabel(t *testing.T) {
	for _, test := range []struct {
		title string
		most  int
		want  string
	}{
		{"mine (guest)", 10, "mine"},
		{"mine (guest, 2 of 5 worlds)", 4, "mine"},
		{"Second try in PyTorch (guest)", 10, "Second tr…"},
		{"Second try in PyTorch (guest)", 8, "Second…"},
		{"mine (guest)", 0, "…"},
	} {
		if got := GuestLabel(test.title, test.most); got != test.want {
			t.Errorf("%s, %d letters: got %q, want %q", test.title, test.most, got, test.want)
		}
	}
}

func TestGuestCaption(t *testing.T) {
	want := "; guests are models from elsewhere: mine, yours (2 of 5 worlds)"
	if got := GuestCaption("mine (guest)", "yours (guest, 2 of 5 worlds)", "mine (guest)"); got != want {
		t.Errorf("got %q, want %q", got, want)
	}
	if got := GuestCaption(); got != "" {
		t.Errorf("without guests: got %q", got)
	}
}

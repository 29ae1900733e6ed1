package guest

import "testing"

func TestDiffer(t *testing.T) {
	type layer struct{ Width, Heads int }
	type config struct {
		Text, Vision layer
		Kernels      []int
	}
	original := config{layer{64, 4}, layer{32, 2}, []int{3, 3}}
	for _, test := range []struct {
		own  config
		want string
	}{
		{original, ""},
		{config{layer{64, 4}, layer{32, 2}, []int{3, 5}},
			"its configuration describes another model: Kernels is [3 5] and should be [3 3]"},
		{config{layer{128, 8}, layer{16, 1}, nil}, "its configuration describes another model: Text.Width is 128 and " +
			"should be 64, Text.Heads is 8 and should be 4, Vision.Width is 16 and should be 32 and 2 more"},
	} {
		got := ""
		if err := Differ(test.own, original); err != nil {
			got = err.Error()
		}
		if got != test.want {
			t.Errorf("got  %s\nwant %s", got, test.want)
		}
	}
}

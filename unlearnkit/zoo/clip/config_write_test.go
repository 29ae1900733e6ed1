package clip_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/unlearnlab/unlearnlab/unlearnkit/zoo/clip"
)

func TestConfig_RoundTrip(t *testing.T) {
	ended := clip.Small()
	ended.Text.EndOfText, ended.Text.Width, ended.Projection, ended.Vision.Activation = 1023, 80, 40, "quick_gelu"
	for name, config := range map[string]clip.Config{"small": clip.Small(), "ViT-B/16": clip.ViTB16(),
		"of its own": ended} {
		got, err := clip.ParseConfig(config.JSON())
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		if diff := cmp.Diff(config, got); diff != "" {
			t.Errorf("%s: mismatch (-config +got):\n%s", name, diff)
		}
	}
}

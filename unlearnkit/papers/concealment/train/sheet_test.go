package train

import (
	"image"
	"image/png"
	"os"
	"path/filepath"
	"testing"

	"github.com/unlearnlab/unlearnlab/unlearnkit/papers/concealment"
)

func TestStrip_Columns(t *testing.T) {
	s, spec := onScene(t), tinyAttack()
	attacked, err := s.attack(t, newLab(t), spec, s.other)
	if err != nil {
		t.Fatal(err)
	}
	for name, tiles := range map[string]image.Point{concealment.StripSheet: {len(spec.Psi), 2},
		concealment.OriginalSheet: {5, 2}, concealment.UnlearnedSheet: {5, 2}} {
		file, err := os.Open(filepath.Join(attacked.Dir, name))
		if err != nil {
			t.Fatal(err)
		}
		config, err := png.DecodeConfig(file)
		file.Close()
		if err != nil || config.Width != 33*tiles.X+1 || config.Height != 33*tiles.Y+1 {
			t.Errorf("%s is %d×%d, %v", name, config.Width, config.Height, err)
		}
	}
}

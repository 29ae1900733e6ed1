package train

import (
	"context"
	"fmt"

	"github.com/unlearnlab/unlearnlab/unlearnkit/papers/concealment"
	"github.com/unlearnlab/unlearnlab/unlearnkit/study"
	"github.com/unlearnlab/unlearnlab/unlearnkit/study/store"
)

// Second labels pictures that attacks have stored. They are the first pictures that each model draws alone, cut from
// the sheets.
func (l *Lab) Second(ctx context.Context, spec concealment.SecondSpec, in study.Inputs, w *store.Work,
	_ study.Progress) error {
	attacks := in.All(spec.Attacks)
	d, err := l.Device(w)
	if err != nil {
		return err
	}
	kept, tiles, err := concealment.StoredPictures(attacks)
	if err != nil {
		return err
	}
	var pictures []float32
	size := 0
	for i, tile := range tiles {
		if width := tile.Rect.Dx(); size == 0 {
			size = width
		} else if width != size {
			return fmt.Errorf("pictures of %.12s are %d across and others %d", attacks[kept[i].Attack].Key, width, size)
		}
		one := make([]float32, channels*size*size)
		planes(tile, one)
		pictures = append(pictures, one...)
	}
	return l.withJudge(d, in.Of(spec.Judge), size, func(j *judge) error {
		seen, err := j.see(ctx, pictures)
		if err != nil {
			return err
		}
		for i := range kept {
			kept[i].Labels = seen[i].labels()
		}
		return kept.WriteParquet(w.Path(concealment.SecondFile))
	})
}

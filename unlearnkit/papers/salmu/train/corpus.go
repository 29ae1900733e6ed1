package train

import (
	"fmt"
	"image"
	"sync"

	"github.com/unlearnlab/unlearnlab/unlearnkit/corpus/persona"
	"github.com/unlearnlab/unlearnlab/unlearnkit/papers/salmu"
	"github.com/unlearnlab/unlearnlab/unlearnkit/study/store"
)

// corpus provides the rows of a data set and their pictures.
type corpus interface {
	// split returns the rows of a split in a fixed order, or nil if there is no such split.
	split(name persona.Split) []persona.Row
	// kept returns the rows on which all models were trained.
	retainRows() []persona.Row
	// draw writes the picture of a row into pixels, [3, size, size], normalised as CLIP expects.
	draw(row persona.Row, size int, pixels []float32) error
	// classes returns the names of the classes that test general knowledge, and the templates of prompts for them.
	classes() (names, templates []string)
	// root returns the random seed for runs on the corpus.
	root() uint64
}

// corpus opens a corpus, or returns it from the cache. If the corpus is a download, the artifacts hold its pictures.
func (l *Lab) corpus(spec salmu.Corpus, pictures []*store.Artifact) (corpus, error) {
	return l.corpora.Of(spec, func() (corpus, error) {
		if spec.World == nil {
			return l.openPublished(spec, pictures)
		}
		return generate(*spec.World)
	})
}

func generate(spec persona.Spec) (corpus, error) {
	world, err := persona.Generate(spec)
	if err != nil {
		return nil, err
	}
	return newSmall(world), nil
}

// small is a corpus of generated data. It draws each picture once, because the tables of a run share pictures.
type small struct {
	world *persona.World
	mu    sync.Mutex
	drawn map[int][]float32 // pictures by the number of their recipe
}

func newSmall(world *persona.World) *small { return &small{world: world, drawn: map[int][]float32{}} }

func (s *small) split(name persona.Split) []persona.Row { return s.world.Split(name) }

func (s *small) retainRows() []persona.Row {
	return append(append([]persona.Row(nil), s.split(persona.RetainSynth)...), s.split(persona.RetainReal)...)
}

func (s *small) root() uint64 { return s.world.Spec.Seed }

func (s *small) classes() (names, templates []string) {
	return persona.ObjectNames(s.world.Spec.ObjectClasses), persona.ObjectPrompts()
}

// Means and standard deviations of CLIP's preprocessing, by channel.
var (
	channelMean      = [3]float32{0.48145466, 0.4578275, 0.40821073}
	channelDeviation = [3]float32{0.26862954, 0.26130258, 0.27577711}
)

func (s *small) draw(row persona.Row, size int, pixels []float32) error {
	if drawn := s.world.Spec.ImageSize; drawn != size {
		return fmt.Errorf("the model looks at %d pixels, the world is drawn at %d", size, drawn)
	}
	s.mu.Lock()
	known := s.drawn[row.Image]
	s.mu.Unlock()
	if known == nil {
		known = s.picture(row, size)
		s.mu.Lock()
		s.drawn[row.Image] = known
		s.mu.Unlock()
	}
	copy(pixels, known)
	return nil
}

func (s *small) picture(row persona.Row, size int) []float32 {
	picture := image.NewNRGBA(image.Rect(0, 0, size, size))
	s.world.Render(row, picture)
	area := size * size
	pixels := make([]float32, 3*area)
	for at := range area {
		for c := range 3 {
			pixels[c*area+at] = (float32(picture.Pix[4*at+c])/255 - channelMean[c]) / channelDeviation[c]
		}
	}
	return pixels
}

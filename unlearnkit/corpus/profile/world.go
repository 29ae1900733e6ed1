package profile

import (
	"github.com/unlearnlab/unlearnlab/unlearnkit/corpus/persona"
)

// World consists of private people to learn and forget, public people whom a base model may know, and a crowd for
// training a vision tower. No two people look alike, and no two profiles share personal attributes.
type World struct {
	Spec    Spec
	Private *Cast
	Public  *Cast
	Crowd   *Crowd
}

// Generate returns the world of a spec. It renders only the pictures that the filter needs; other pictures are rendered
// on demand.
func Generate(spec Spec) (*World, error) {
	if err := spec.check(); err != nil {
		return nil, err
	}
	w := &World{Spec: spec}
	var looks []persona.Sitter
	taken := register{}
	for _, cast := range []struct {
		name  string
		count int
		to    **Cast
		root  uint64
	}{{"public", spec.Public, &w.Public, spec.Shared}, {"private", spec.Identities, &w.Private, spec.Seed}} {
		c, err := newCast(spec, cast.root, cast.name, cast.count, looks)
		if err != nil {
			return nil, err
		}
		looks = append(looks, c.sitters...)
		if err := c.fill(taken); err != nil {
			return nil, err
		}
		*cast.to = c
	}
	var err error
	w.Crowd, err = gather(spec)
	return w, err
}

package salmu

import (
	"github.com/unlearnlab/unlearnlab/unlearnkit/study"
	"github.com/unlearnlab/unlearnlab/unlearnkit/study/store"
)

// OpenStore opens the store in a folder, with what ships of the study below it.
func OpenStore(folder string, options ...store.Option) (*store.Store, error) {
	return store.Open(folder, append(options, store.Above(Study.Shelves()...))...)
}

// Open reads the results of a preset from the store in a folder. It computes nothing: what is missing is made by
//
//	unlearnlab run salmu --preset PRESET
func Open(folder, preset string) (*Results, error) {
	r, err := study.Open(Study, folder, preset)
	if err != nil {
		return nil, err
	}
	return r.(*Results), nil
}

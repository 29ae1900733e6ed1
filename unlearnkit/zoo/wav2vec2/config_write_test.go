package wav2vec2_test

import (
	"reflect"
	"testing"

	"github.com/unlearnlab/unlearnlab/unlearnkit/zoo/wav2vec2"
)

func TestConfig_RoundTrip(t *testing.T) {
	labelled := wav2vec2.SmallLayer()
	labelled.NumLabels = 12
	for name, c := range map[string]wav2vec2.Config{"wav2vec2-base": wav2vec2.Base(),
		"hubert-base": wav2vec2.HubertBase(), "XLS-R": wav2vec2.XLSR300M(), "with a head": labelled} {
		read, err := wav2vec2.ParseConfig(c.JSON())
		if err != nil || !reflect.DeepEqual(read, c) {
			t.Errorf("%s: got %v\n%+v\n%+v, want reflect.DeepEqual(read, c) true", name, err, read, c)
		}
	}
}

//go:build cgo && linux && amd64 && !noxla

package device_test

import (
	"os"
	"testing"

	"github.com/unlearnlab/unlearnlab/internal/testkit/zootest"
	"github.com/unlearnlab/unlearnlab/unlearnkit/device"
)

// A step that overwrites the old weights and moments computes the same bits as one that does not.
func TestDonation_SameBits(t *testing.T) {
	if testing.Short() {
		t.Skip("-short: takes seconds")
	}
	donating, err := device.Open(plugin(t))
	if err != nil {
		t.Fatal(err)
	}
	sparing := device.OpenWithoutDonation(t)
	for _, m := range zootest.Tiny() {
		if os.Getenv("UNLEARNLAB_SLOW") == "" && m.Name != "perceptron" && m.Name != "resnet" {
			continue // compiling all takes minutes
		}
		t.Run(m.Name, func(t *testing.T) {
			if got, want := trained(t, donating, m), trained(t, sparing, m); got != want {
				t.Errorf("weights and moments have the digest %x, without donation %x", got, want)
			}
		})
	}
}

// trained returns the digest of a model and its moments after three steps.
func trained(t *testing.T, d *device.Device, m zootest.Model) [32]byte {
	t.Helper()
	trainer, err := zootest.NewTrainer(d, m)
	if err != nil {
		t.Fatal(err)
	}
	defer trainer.Close()
	if _, _, err := trainer.Train(t.Context(), 3); err != nil {
		t.Fatal(err)
	}
	digest, err := trainer.Digest()
	if err != nil {
		t.Fatal(err)
	}
	return digest
}

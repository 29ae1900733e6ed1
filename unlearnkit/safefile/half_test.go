package safefile

import (
	"math"
	"testing"

	"pgregory.net/rapid"
)

func TestFloat16_EveryNumber(t *testing.T) {
	for bits := range 1 << 16 {
		value := float16(uint16(bits))
		got := Float16(value)
		if value != value {
			if again := float16(got); again == again {
				t.Errorf("%#04x is no number, rounded it is %v", bits, again)
			}
		} else if got != uint16(bits) {
			t.Errorf("%#04x, which is %v, became %#04x", bits, value, got)
		}
	}
}

func TestFloat16_Nearest(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		value := math.Float32frombits(rapid.Uint32().Draw(t, "bits"))
		if value != value {
			return
		}
		bits := Float16(value)
		distance := func(bits uint16) float64 {
			other := float64(float16(bits))
			if math.IsInf(other, 0) {
				other = math.Copysign(65536, other) // the number after the largest would be 65536
			}
			return math.Abs(other - max(-65536, min(65536, float64(value))))
		}
		for _, neighbour := range []uint16{bits - 1, bits + 1} {
			if next := float16(neighbour); next != next || (neighbour^bits)&0x8000 != 0 {
				continue
			}
			nearer, further := distance(bits), distance(neighbour)
			if further < nearer || further == nearer && bits&1 == 1 {
				t.Fatalf("%v became %v, %v is as near or nearer", value, float16(bits), float16(neighbour))
			}
		}
	})
}

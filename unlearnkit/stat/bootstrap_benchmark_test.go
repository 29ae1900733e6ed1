package stat

import (
	"fmt"
	"testing"
)

func BenchmarkBootstrapBCa(b *testing.B) {
	for _, n := range []int{10, 1000, 100000} {
		x := seededNormals(1, n, 0)
		b.Run(fmt.Sprintf("n=%d", n), func(b *testing.B) {
			for b.Loop() {
				BootstrapMean(x)
			}
		})
	}
}

func BenchmarkBootstrapStudentised(b *testing.B) {
	x := seededNormals(1, 1000, 0)
	b.Run("n=1000", func(b *testing.B) {
		for b.Loop() {
			BootstrapMean(x, Studentised)
		}
	})
}

func BenchmarkBootstrapFunction(b *testing.B) {
	x := seededNormals(1, 1000, 0)
	b.Run("n=1000", func(b *testing.B) {
		for b.Loop() {
			Bootstrap(len(x), func(rows []int) float64 {
				sum := 0.
				for _, i := range rows {
					sum += x[i]
				}
				return sum / float64(len(rows))
			})
		}
	})
}

func BenchmarkBootstrapClusters(b *testing.B) {
	x := seededNormals(1, 10000, 0)
	identity := make(Clusters, len(x))
	for i := range identity {
		identity[i] = i / 10
	}
	b.Run("n=10000", func(b *testing.B) {
		for b.Loop() {
			BootstrapMean(x, identity)
		}
	})
}

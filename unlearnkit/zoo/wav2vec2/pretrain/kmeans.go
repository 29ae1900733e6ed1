package pretrain

import (
	"cmp"
	"fmt"
	"math"
	"math/rand/v2"
	"runtime"
	"slices"
	"sync"
)

// KMeans holds the centres of clusters of points.
type KMeans struct {
	Centres [][]float64
	Passes  int     // number of passes over the points until no point changed its cluster or the maximum was reached
	Inertia float64 // sum of squared distances between points and their centres
}

// Fit finds clusters of points with Lloyd's algorithm (1982). It begins with the given centres, and repeatedly moves
// each centre to the mean of its points, until no point changes its cluster or the maximum number of passes is reached.
// A centre that loses all its points moves to the point farthest from its own centre. The result does not depend on the
// number of processors.
func Fit(points [][]float32, first [][]float64, most int) (KMeans, error) {
	if err := checkPoints(points, len(first)); err != nil {
		return KMeans{}, err
	}
	for i, centre := range first {
		if len(centre) != len(points[0]) {
			return KMeans{}, fmt.Errorf("clusters: centre %d has %d numbers, the points have %d", i, len(centre),
				len(points[0]))
		}
	}
	if most < 1 {
		return KMeans{}, fmt.Errorf("clusters: %d passes are allowed, at least one is needed", most)
	}
	k := KMeans{}
	for _, centre := range first {
		k.Centres = append(k.Centres, slices.Clone(centre))
	}
	var before []int32
	for {
		clusters, distances := k.nearest(points)
		if k.Passes == most || slices.Equal(clusters, before) {
			k.Inertia = 0
			for _, distance := range distances {
				k.Inertia += distance
			}
			return k, nil
		}
		k.move(points, clusters, distances)
		before = clusters
		k.Passes++
	}
}

func checkPoints(points [][]float32, clusters int) error {
	if clusters < 1 || clusters > len(points) {
		return fmt.Errorf("clusters: %d clusters of %d points, there must be at least one and no more than points",
			clusters, len(points))
	}
	for i, point := range points {
		if len(point) != len(points[0]) {
			return fmt.Errorf("clusters: point %d has %d numbers, point 0 has %d", i, len(point), len(points[0]))
		}
		for _, x := range point {
			if value := float64(x); math.IsNaN(value) || math.IsInf(value, 0) {
				return fmt.Errorf("clusters: point %d has the number %g", i, value)
			}
		}
	}
	return nil
}

// FirstCentres draws centres from the points. The first is drawn uniformly, and the others with a probability
// proportional to the squared distance from the nearest centre (k-means++; Arthur and Vassilvitskii, 2007).
func FirstCentres(random *rand.Rand, points [][]float32, count int) ([][]float64, error) {
	if err := checkPoints(points, count); err != nil {
		return nil, err
	}
	var centres [][]float64
	distances := make([]float64, len(points))
	for i := range distances {
		distances[i] = math.Inf(1)
	}
	next := random.IntN(len(points))
	for {
		centre := make([]float64, len(points[next]))
		for i, x := range points[next] {
			centre[i] = float64(x)
		}
		centres = append(centres, centre)
		if len(centres) == count {
			return centres, nil
		}
		sum := 0.
		for i, point := range points {
			distances[i] = min(distances[i], squaredDistance(point, centre))
			sum += distances[i]
		}
		left := random.Float64() * sum
		next = 0
		for i, distance := range distances {
			if distance > 0 {
				next = i // the last point if rounding leaves a remainder
			}
			if left -= distance; left < 0 {
				break
			}
		}
	}
}

// Nearest returns the index of the nearest centre for each point. If several are equally near, it returns the first.
func (k KMeans) Nearest(points [][]float32) []int32 {
	clusters, _ := k.nearest(points)
	return clusters
}

func (k KMeans) nearest(points [][]float32) (clusters []int32, distances []float64) {
	clusters, distances = make([]int32, len(points)), make([]float64, len(points))
	parts := runtime.GOMAXPROCS(0)
	var all sync.WaitGroup
	for part := range parts {
		all.Go(func() {
			for i := len(points) * part / parts; i < len(points)*(part+1)/parts; i++ {
				distances[i] = math.Inf(1)
				for cluster, centre := range k.Centres {
					if distance := squaredDistance(points[i], centre); distance < distances[i] {
						clusters[i], distances[i] = int32(cluster), distance
					}
				}
			}
		})
	}
	all.Wait()
	return clusters, distances
}

func squaredDistance(point []float32, centre []float64) float64 {
	sum := 0.
	for i, x := range point {
		difference := float64(x) - centre[i]
		sum += float64(difference * difference)
	}
	return sum
}

// move moves the centres to the means of their points.
func (k KMeans) move(points [][]float32, clusters []int32, distances []float64) {
	counts := make([]int, len(k.Centres))
	for _, cluster := range clusters {
		counts[cluster]++
	}
	clusters = slices.Clone(clusters)
	var farthest []int
	for cluster, count := range counts {
		if count > 0 {
			continue
		}
		if farthest == nil {
			farthest = byDistance(distances)
		}
		place := slices.IndexFunc(farthest, func(i int) bool { return counts[clusters[i]] > 1 })
		counts[clusters[farthest[place]]]--
		clusters[farthest[place]], counts[cluster] = int32(cluster), 1
		farthest = farthest[place+1:]
	}
	for _, centre := range k.Centres {
		clear(centre)
	}
	for i, point := range points {
		centre := k.Centres[clusters[i]]
		for column, x := range point {
			centre[column] += float64(x)
		}
	}
	for cluster, centre := range k.Centres {
		for column := range centre {
			centre[column] /= float64(counts[cluster])
		}
	}
}

// byDistance returns the indices of the points, beginning with the farthest.
func byDistance(distances []float64) []int {
	order := make([]int, len(distances))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(distances[b], distances[a]) })
	return order
}

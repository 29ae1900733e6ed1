package preprocess

import (
	"fmt"
	"math"

	"gonum.org/v1/gonum/dsp/fourier"
)

// Settings of the cepstrum for HuBERT's first clusters: Kaldi's, the defaults of torchaudio.compliance.kaldi.mfcc.
const (
	cepstra        = 13
	melBins        = 23
	lowestMel      = 20. // in Hz
	preEmphasis    = 0.97
	lifter         = 22.
	smallestEnergy = 0x1p-23 // distance between float32 numbers at 1
)

// MFCCHop returns the number of samples from one row of [MFCC] to the next: 10 ms.
func MFCCHop(rate int) int { return rate / 100 }

// MFCC returns 39 numbers for every 10 ms of the samples: the cepstrum's first 13 coefficients on the mel scale of a
// window of 25 ms, their change and the change's change. Samples beyond the last whole window are dropped, as in Kaldi.
// The change is the slope over five rows, as in torchaudio.functional.compute_deltas.
func MFCC(samples []float32, rate int) ([][]float32, error) {
	if rate < 1000 || rate > 1<<20 {
		return nil, fmt.Errorf("cepstrum: a rate of %d samples a second, between 1000 and %d are known", rate, 1<<20)
	}
	window := rate / 40
	if len(samples) < window {
		return nil, fmt.Errorf("cepstrum: %d samples are fewer than one window of 25 ms, %d", len(samples), window)
	}
	static := newCepstrum(rate).rows(samples)
	changes := slopes(static)
	second := slopes(changes)
	rows := make([][]float32, len(static))
	for i := range rows {
		for _, part := range [][]float64{static[i], changes[i], second[i]} {
			for _, value := range part {
				rows[i] = append(rows[i], float32(value))
			}
		}
	}
	return rows, nil
}

// cepstrum holds the tables for a sample rate.
type cepstrum struct {
	size, hop int
	window    []float64
	transform *fourier.FFT
	mel       [][]float64 // weights by mel bin and transform bin
	cosine    [][]float64 // cosines by coefficient and mel bin, liftered
}

func newCepstrum(rate int) *cepstrum {
	size := rate / 40
	padded := 1
	for padded < size {
		padded *= 2
	}
	c := &cepstrum{size: size, hop: MFCCHop(rate), transform: fourier.NewFFT(padded)}
	for i := range size { // Povey's window: Hann's to the power of 0.85
		hann := 0.5 - 0.5*math.Cos(2*math.Pi*float64(i)/float64(size-1))
		c.window = append(c.window, math.Pow(hann, 0.85))
	}
	c.mel = melTriangles(rate, padded)
	for i := range cepstra {
		row := make([]float64, melBins)
		scale := math.Sqrt(2. / melBins)
		if i == 0 {
			scale = math.Sqrt(1. / melBins)
		}
		scale *= 1 + lifter/2*math.Sin(math.Pi*float64(i)/lifter)
		for bin := range row {
			row[bin] = scale * math.Cos(math.Pi/melBins*(float64(bin)+0.5)*float64(i))
		}
		c.cosine = append(c.cosine, row)
	}
	return c
}

// melTriangles returns the weights of the power at the transform's frequencies. Each bin is a triangle on the mel
// scale, from its left neighbour's centre to its right neighbour's.
func melTriangles(rate, padded int) [][]float64 {
	scale := func(hertz float64) float64 { return 1127 * math.Log(1+hertz/700) }
	lowest, highest := scale(lowestMel), scale(float64(rate)/2)
	step := (highest - lowest) / (melBins + 1)
	triangles := make([][]float64, melBins)
	for bin := range triangles {
		left := lowest + float64(bin)*step
		triangles[bin] = make([]float64, padded/2)
		for i := range triangles[bin] {
			at := scale(float64(i) * float64(rate) / float64(padded))
			triangles[bin][i] = max(0, min((at-left)/step, (left+2*step-at)/step))
		}
	}
	return triangles
}

func (c *cepstrum) rows(samples []float32) [][]float64 {
	rows := make([][]float64, 1+(len(samples)-c.size)/c.hop)
	frame := make([]float64, c.transform.Len())
	var spectrum []complex128
	for i := range rows {
		c.cut(frame, samples[i*c.hop:][:c.size])
		spectrum = c.transform.Coefficients(spectrum, frame)
		var energies [melBins]float64
		for bin, triangle := range c.mel {
			for at, weight := range triangle {
				a, b := real(spectrum[at]), imag(spectrum[at])
				energies[bin] += weight * (a*a + b*b)
			}
			energies[bin] = math.Log(max(energies[bin], smallestEnergy))
		}
		rows[i] = make([]float64, cepstra)
		for coefficient, cosine := range c.cosine {
			for bin, weight := range cosine {
				rows[i][coefficient] += weight * energies[bin]
			}
		}
	}
	return rows
}

// cut fills the frame with a window of the samples: mean removed, pre-emphasised and tapered.
func (c *cepstrum) cut(frame []float64, samples []float32) {
	mean := 0.
	for _, x := range samples {
		mean += float64(x) / float64(len(samples))
	}
	before := float64(samples[0]) - mean
	for i, x := range samples {
		now := float64(x) - mean
		frame[i] = (now - preEmphasis*before) * c.window[i]
		before = now
	}
}

// slopes returns the slope of each column at each row, over two rows on either side. The first and last rows repeat
// beyond the ends.
func slopes(rows [][]float64) [][]float64 {
	all := make([][]float64, len(rows))
	at := func(i int) []float64 { return rows[min(max(i, 0), len(rows)-1)] }
	for i := range rows {
		all[i] = make([]float64, len(rows[i]))
		for column := range all[i] {
			near := at(i + 1)[column] - at(i - 1)[column]
			far := at(i + 2)[column] - at(i - 2)[column]
			all[i][column] = (near + 2*far) / 10
		}
	}
	return all
}

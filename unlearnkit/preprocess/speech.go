package preprocess

import (
	"errors"
	"fmt"
	"math"
)

// SpeechRate is the sample rate of wav2vec 2.0, HuBERT and XLS-R.
const SpeechRate = 16000

// Mono returns the mean of the channels.
func Mono(channels [][]float32) ([]float32, error) {
	if len(channels) == 0 {
		return nil, errors.New("the sound has no channels")
	}
	mean := make([]float32, len(channels[0]))
	for _, channel := range channels {
		if len(channel) != len(mean) {
			return nil, fmt.Errorf("the sound's channels have %d and %d samples", len(mean), len(channel))
		}
	}
	for i := range mean {
		sum := 0.0
		for _, channel := range channels {
			sum += float64(channel[i])
		}
		mean[i] = float32(sum / float64(len(channels)))
	}
	return mean, nil
}

// FitLength returns exactly length samples: cut, or padded with zeros.
func FitLength(samples []float32, length int) []float32 {
	fitted := make([]float32, length)
	copy(fitted, samples)
	return fitted
}

// Standardize returns samples with the mean 0 and the variance 1 over the first valid samples,
//
//	(x − mean) / sqrt(variance + 1e-7),
//
// and zeros after them, as Wav2Vec2FeatureExtractor does. The extractors of wav2vec2-base and HuBERT-base do not
// distinguish padding: for them valid is the padded length.
func Standardize(samples []float32, valid int) []float32 {
	if valid < 0 || valid > len(samples) {
		panic(fmt.Sprintf("preprocess: %d valid samples of %d", valid, len(samples)))
	}
	mean, variance := 0.0, 0.0
	for _, x := range samples[:valid] {
		mean += float64(x) / float64(valid)
	}
	for _, x := range samples[:valid] {
		variance += (float64(x) - mean) * (float64(x) - mean) / float64(valid)
	}
	deviation := math.Sqrt(variance + 1e-7)
	standard := make([]float32, len(samples))
	for i, x := range samples[:valid] {
		standard[i] = float32((float64(x) - mean) / deviation)
	}
	return standard
}

// Speech is a speech model's feature extractor for samples at [SpeechRate].
type Speech struct {
	Length int  // samples of an utterance after cutting or padding; 0 keeps its length
	Masked bool // as in XLS-R, padding does not count for the mean and variance and remains zero
}

// Apply cuts or pads the samples and standardises them.
func (s Speech) Apply(samples []float32) []float32 {
	valid := len(samples)
	if s.Length > 0 {
		samples = FitLength(samples, s.Length)
		valid = min(valid, s.Length)
	}
	if !s.Masked {
		valid = len(samples)
	}
	return Standardize(samples, valid)
}

// Package sound turns recordings, whoever made them, into the samples that a speech model takes.
//
// [Decode] reads a WAV or FLAC file from anyone: its content says which it is, a damaged or absurd one is refused in
// one line, and memory stays bounded. [Clip.Mono] mixes the channels, resamples, and says in words what it changed, so
// that a person who brings a stereo recording is told what the model heard.
package sound

import (
	"errors"
	"fmt"
	"io"
	"math"
	"os"

	"github.com/unlearnlab/unlearnlab/unlearnkit/preprocess"
	"github.com/unlearnlab/unlearnlab/unlearnkit/safefile"
)

// The rates of recordings: outside of them a header is damaged rather than a recording unusual.
const (
	LowestRate  = 1_000
	HighestRate = 384_000
)

// What a file may take: a few kilobytes of FLAC, or a low rate, can stand for any number of samples.
const (
	mostSamples = 1 << 25 // of all channels together, in 128 MiB: half an hour at 16 kHz
	mostBytes   = 8*mostSamples + 1<<20
)

// Clip is a recording.
type Clip struct {
	Rate     int         // samples a second
	Channels [][]float32 // of equal length; between -1 and 1, which floats in a WAV file may exceed
}

// Decode reads the content of a WAV file (PCM of 8, 16, 24 or 32 bits, floats of 32 or 64) or of a FLAC file (4 to 24
// bits). The name only stands in errors.
func Decode(content []byte, name string) (Clip, error) {
	if len(content) == 0 {
		return Clip{}, fmt.Errorf("read %s: the file is empty", name)
	}
	audio, err := safefile.DecodeAudio(content, mostSamples)
	if err != nil {
		return Clip{}, fmt.Errorf("read %s: %w", name, err)
	}
	clip := Clip(*audio)
	if err := clip.check(); err != nil {
		return Clip{}, fmt.Errorf("read %s: %w", name, err)
	}
	return clip, nil
}

// Open reads a file as [Decode] does.
func Open(path string) (Clip, error) {
	file, err := os.Open(path)
	if err != nil {
		return Clip{}, fmt.Errorf("read %s: %w", path, safefile.WithoutPath(err))
	}
	defer file.Close()
	content, err := io.ReadAll(io.LimitReader(file, mostBytes+1))
	if err != nil {
		return Clip{}, fmt.Errorf("read %s: %w", path, safefile.WithoutPath(err))
	}
	if len(content) > mostBytes {
		return Clip{}, fmt.Errorf("read %s: more than %s bytes; cut it into shorter recordings", path,
			thousands(mostBytes))
	}
	return Decode(content, path)
}

// Samples is the length of the clip, in samples of one channel.
func (c Clip) Samples() int {
	if len(c.Channels) == 0 {
		return 0
	}
	return len(c.Channels[0])
}

// Seconds is the length of the clip.
func (c Clip) Seconds() float64 { return float64(c.Samples()) / float64(c.Rate) }

func (c Clip) check() error {
	if c.Samples() == 0 {
		return errors.New("it holds no sound; record it again, or remove it")
	}
	if c.Rate < LowestRate || c.Rate > HighestRate {
		return fmt.Errorf("%s samples a second; recordings have %s to %s", thousands(c.Rate), thousands(LowestRate),
			thousands(HighestRate))
	}
	for number, channel := range c.Channels {
		if len(channel) != c.Samples() {
			return fmt.Errorf("channel %d has %d samples, channel 0 has %d", number, len(channel), c.Samples())
		}
		for i, sample := range channel {
			if s := float64(sample); math.IsNaN(s) || math.IsInf(s, 0) {
				return fmt.Errorf("sample %d of channel %d is %v; write the file again", i, number, sample)
			}
		}
	}
	return nil
}

// Mono returns the mean of the channels at a rate, and what was converted for it in words, as in "44,100 Hz stereo to
// 8,000 Hz mono"; the words are empty where the clip is mono at that rate already. The samples are the caller's own.
func (c Clip) Mono(rate int) (samples []float32, converted string, err error) {
	if err := c.check(); err != nil {
		return nil, "", err
	}
	if rate < LowestRate || rate > HighestRate {
		return nil, "", fmt.Errorf("cannot convert to %s samples a second; recordings have %s to %s", thousands(rate),
			thousands(LowestRate), thousands(HighestRate))
	}
	if c.Samples() > mostSamples/rate*c.Rate {
		return nil, "", fmt.Errorf("%.0f seconds at %s samples a second are more than is taken at once; cut it into "+
			"shorter recordings", c.Seconds(), thousands(rate))
	}
	if samples, err = preprocess.Mono(c.Channels); err != nil {
		return nil, "", err
	}
	if c.Rate != rate {
		if samples, err = preprocess.Resample(samples, c.Rate, rate); err != nil {
			return nil, "", err
		}
	}
	if c.Rate != rate || len(c.Channels) > 1 {
		converted = fmt.Sprintf("%s Hz %s to %s Hz mono", thousands(c.Rate), layout(len(c.Channels)), thousands(rate))
	}
	return samples, converted, nil
}

func layout(channels int) string {
	switch channels {
	case 1:
		return "mono"
	case 2:
		return "stereo"
	}
	return fmt.Sprintf("with %d channels", channels)
}

// EncodeWAV writes the clip as a WAV file of 16 bits, which every player knows. What lies outside -1 to 1 is clipped.
func (c Clip) EncodeWAV(target io.Writer) error {
	audio := safefile.Audio(c)
	return safefile.EncodeWAV(target, &audio, safefile.PCM16)
}

// thousands writes a number with a comma before each three digits.
func thousands(n int) string {
	if n < 1000 {
		return fmt.Sprint(n)
	}
	return fmt.Sprintf("%s,%03d", thousands(n/1000), n%1000)
}

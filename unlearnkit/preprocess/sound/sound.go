// Package sound converts recordings from any source to the samples that a speech model takes.
//
// [Decode] reads an untrusted WAV or FLAC file, recognized by its content. A damaged or absurd file is a one-line
// error, and memory is limited. [Clip.Mono] mixes the channels, resamples, and describes the changes in words, so that
// users know what the model heard.
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

// Limits of the sample rate. Outside of them the header is probably damaged.
const (
	LowestRate  = 1_000
	HighestRate = 384_000
)

// Limits of a file, because a few kilobytes of FLAC, or a low rate, can represent any number of samples.
const (
	mostSamples = 1 << 25 // limit over all channels, 128 MiB: half an hour at 16 kHz
	mostBytes   = 8*mostSamples + 1<<20
)

// Clip is a recording.
type Clip struct {
	Rate     int         // samples per second
	Channels [][]float32 // samples of each channel, all of equal length; from -1 to 1, but floats may exceed that
}

// Decode reads the content of a WAV file (PCM of 8, 16, 24 or 32 bits, floats of 32 or 64) or of a FLAC file (4 to 24
// bits). name is for errors.
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

// Samples returns the length of the clip, in samples of one channel.
func (c Clip) Samples() int {
	if len(c.Channels) == 0 {
		return 0
	}
	return len(c.Channels[0])
}

// Seconds returns the length of the clip in seconds.
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

// Mono returns the mean of the channels at a rate. converted describes the conversion, as in "44,100 Hz stereo to 8,000
// Hz mono"; it is empty if the clip already is mono at that rate. The caller owns the samples.
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

// EncodeWAV writes the clip as a WAV file of 16 bits, which every player supports. Values outside -1 to 1 are clipped.
func (c Clip) EncodeWAV(target io.Writer) error {
	audio := safefile.Audio(c)
	return safefile.EncodeWAV(target, &audio, safefile.PCM16)
}

// thousands formats a number with commas between thousands.
func thousands(n int) string {
	if n < 1000 {
		return fmt.Sprint(n)
	}
	return fmt.Sprintf("%s,%03d", thousands(n/1000), n%1000)
}

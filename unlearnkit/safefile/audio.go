package safefile

import (
	"bytes"
	"errors"
	"fmt"
)

// maxAudioValues limits the samples of all channels together: 2.3 hours at 16 kHz in 512 MiB.
const maxAudioValues = 1 << 27

// maxAudioBytes limits an audio file: maxAudioValues as float64.
const maxAudioBytes = 8*maxAudioValues + 1<<20

// Audio is a recording. Its samples are from -1 to 1, except that a file of floats may exceed this.
type Audio struct {
	Rate     int         // samples per second
	Channels [][]float32 // samples of each channel, all of equal length
}

// Samples returns the number of samples of one channel.
func (a *Audio) Samples() int {
	if len(a.Channels) == 0 {
		return 0
	}
	return len(a.Channels[0])
}

// ReadAudio reads a WAV file of PCM with 8 to 32 bits or floats, or a FLAC file with up to 24 bits, depending on its
// content. Integers are divided by 2^(bits-1), so that no sample exceeds 1.
func ReadAudio(path string) (*Audio, error) { return parseFile(path, maxAudioBytes, parseAudio) }

// DecodeAudio parses a file's content like [ReadAudio]. most limits the samples of all channels together, because a
// small FLAC file can hold many.
func DecodeAudio(content []byte, most int) (*Audio, error) {
	return parseAudioWithin(content, min(most, maxAudioValues))
}

func parseAudio(content []byte) (*Audio, error) { return parseAudioWithin(content, maxAudioValues) }

func parseAudioWithin(content []byte, most int) (*Audio, error) {
	switch {
	case bytes.HasPrefix(content, []byte("RIFF")):
		return parseWAV(content, most)
	case bytes.HasPrefix(content, []byte("fLaC")):
		return parseFLAC(content, most)
	case bytes.HasPrefix(content, []byte("RIFX")), bytes.HasPrefix(content, []byte("RF64")):
		return nil, fmt.Errorf("the WAV variant %s is not read; write it as RIFF", content[:4])
	case bytes.HasPrefix(content, []byte("ID3")):
		return nil, errors.New("it begins with an ID3 tag, as MP3 does; write it as WAV or FLAC")
	}
	return nil, errors.New("neither a WAV nor a FLAC file")
}

// newAudio allocates samples. The caller has checked that the file holds them.
func newAudio(rate, channels, samples int) *Audio {
	audio := &Audio{Rate: rate, Channels: make([][]float32, channels)}
	for c := range audio.Channels {
		audio.Channels[c] = make([]float32, samples)
	}
	return audio
}

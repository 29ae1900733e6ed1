package safefile

import (
	"bytes"
	"errors"
	"fmt"
)

// maxAudioValues bounds the samples of all channels together: 2.3 hours at 16 kHz in 512 MiB.
const maxAudioValues = 1 << 27

// maxAudioBytes bounds a file of sound: as many float64.
const maxAudioBytes = 8*maxAudioValues + 1<<20

// Audio is sound as numbers between -1 and 1.
type Audio struct {
	Rate     int         // samples a second
	Channels [][]float32 // of equal length
}

// Samples returns the number of samples of one channel.
func (a *Audio) Samples() int {
	if len(a.Channels) == 0 {
		return 0
	}
	return len(a.Channels[0])
}

// ReadAudio reads a WAV file of PCM with 8 to 32 bits or floats, or a FLAC file with up to 24 bits; its content says
// which. Integers are divided by 2^(bits-1), so that no sample exceeds 1.
func ReadAudio(path string) (*Audio, error) { return parseFile(path, maxAudioBytes, parseAudio) }

// DecodeAudio is [ReadAudio] for a file's content. FLAC makes much of little: most bounds the samples of all channels
// together.
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

// newAudio makes room for samples that the caller has found to be in the file.
func newAudio(rate, channels, samples int) *Audio {
	audio := &Audio{Rate: rate, Channels: make([][]float32, channels)}
	for c := range audio.Channels {
		audio.Channels[c] = make([]float32, samples)
	}
	return audio
}

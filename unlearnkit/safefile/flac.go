package safefile

import (
	"bytes"
	"crypto/md5"
	"errors"
	"fmt"
	"hash"
	"io"
	"log"
	"strings"

	"github.com/mewkiz/flac"
	"github.com/mewkiz/flac/frame"
)

// parseFLAC decodes a FLAC file. The library panics on some damaged files; here that is one more error.
func parseFLAC(content []byte) (audio *Audio, err error) {
	defer func() {
		if problem := recover(); problem != nil {
			audio, err = nil, fmt.Errorf("damaged FLAC file: %s", oneLine(fmt.Sprint(problem)))
		}
	}()
	stream, err := flac.New(bytes.NewReader(content))
	if err != nil {
		return nil, fmt.Errorf("not a whole FLAC file: %s", oneLine(err.Error()))
	}
	info := stream.Info
	switch bits := info.BitsPerSample; {
	case bits < 4 || bits > 24:
		return nil, fmt.Errorf("samples of %d bits are not read; 4 to 24 are", bits)
	case info.NSamples > maxAudioValues/uint64(info.NChannels):
		return nil, fmt.Errorf("%d samples of %d channels, at most %d are read", info.NSamples, info.NChannels,
			maxAudioValues)
	}
	quietFLAC()
	decoding := flacDecoding{stream: stream, audio: newAudio(int(info.SampleRate), int(info.NChannels), 0),
		checksum: md5.New()}
	for {
		more, err := decoding.next()
		if err != nil {
			return nil, fmt.Errorf("after sample %d: %w", decoding.audio.Samples(), err)
		}
		if !more {
			return decoding.audio, decoding.finish()
		}
	}
}

// flacDecoding is what has been decoded of a stream.
type flacDecoding struct {
	stream   *flac.Stream
	audio    *Audio
	raw      []byte // one frame as the checksum wants it
	checksum hash.Hash
}

// next decodes one frame; false at the end of the stream.
func (d *flacDecoding) next() (bool, error) {
	block, err := d.stream.Next()
	if err == io.EOF {
		return false, nil
	}
	if err != nil {
		return false, damagedFLAC(err)
	}
	info := d.stream.Info
	// A frame may leave the number of bits to the stream's header; the library decodes it as zero then.
	if block.BitsPerSample == 0 {
		block.BitsPerSample = info.BitsPerSample
	}
	switch {
	case block.BitsPerSample != info.BitsPerSample || block.Channels.Count() != int(info.NChannels):
		return false, fmt.Errorf("a frame has %d bits and %d channels, the stream %d and %d", block.BitsPerSample,
			block.Channels.Count(), info.BitsPerSample, info.NChannels)
	case block.BlockSize == 0:
		return false, errors.New("a frame of 65536 samples, which is more than FLAC allows")
	case d.audio.Samples()+int(block.BlockSize) > maxAudioValues/int(info.NChannels):
		return false, fmt.Errorf("more than %d samples", maxAudioValues)
	case info.NSamples > 0 && uint64(d.audio.Samples())+uint64(block.BlockSize) > info.NSamples:
		return false, fmt.Errorf("more samples than the %d that the header claims", info.NSamples)
	}
	if err := block.Parse(); err != nil {
		return false, damagedFLAC(err)
	}
	return true, d.append(block)
}

func damagedFLAC(err error) error { return fmt.Errorf("damaged data: %s", oneLine(err.Error())) }

// append converts the samples of a frame and adds them to the checksum, which is over little-endian integers of whole
// bytes.
func (d *flacDecoding) append(block *frame.Frame) error {
	bits := int(d.stream.Info.BitsPerSample)
	scale, width, samples := float32(int(1)<<(bits-1)), (bits+7)/8, len(block.Subframes[0].Samples)
	d.raw = d.raw[:0]
	for i := range samples {
		for _, sub := range block.Subframes {
			for shift := range width {
				d.raw = append(d.raw, byte(sub.Samples[i]>>(8*shift)))
			}
		}
	}
	for c, sub := range block.Subframes {
		for _, sample := range sub.Samples {
			d.audio.Channels[c] = append(d.audio.Channels[c], float32(sample)/scale)
		}
	}
	_, err := d.checksum.Write(d.raw)
	return err
}

// finish compares what has been decoded with what the stream's header says of the whole.
func (d *flacDecoding) finish() error {
	info := d.stream.Info
	if info.NSamples > 0 && uint64(d.audio.Samples()) != info.NSamples {
		return fmt.Errorf("it ends after %d samples, its header claims %d", d.audio.Samples(), info.NSamples)
	}
	// A writer that knew no checksum leaves it zero.
	if info.MD5sum != [md5.Size]byte{} && !bytes.Equal(d.checksum.Sum(nil), info.MD5sum[:]) {
		return errors.New("damaged data: the samples do not have the checksum of the header")
	}
	return nil
}

// quietFLAC keeps the library's requests for test files, one a frame at some rates, out of the program's log; all else
// passes.
func quietFLAC() {
	if _, quiet := log.Writer().(withoutFLACRequests); !quiet {
		log.SetOutput(withoutFLACRequests{log.Writer()})
	}
}

type withoutFLACRequests struct{ io.Writer }

func (w withoutFLACRequests) Write(line []byte) (int, error) {
	if strings.Contains(string(line), "flac library test cases do not yet include") {
		return len(line), nil
	}
	return w.Writer.Write(line)
}

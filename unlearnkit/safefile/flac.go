package safefile

import (
	"bytes"
	"crypto/md5"
	"errors"
	"fmt"
	"hash"
)

// flacStream is the header of a FLAC stream, RFC 9639, section 8.2.
type flacStream struct {
	rate, channels, bits int
	samples              int64 // number of samples; 0 if unknown
	checksum             [md5.Size]byte
}

var errNotFLAC = errors.New("not a whole FLAC file")

// readFLACStream reads the header and returns the frames after it.
func readFLACStream(content []byte) (s flacStream, frames []byte, err error) {
	const header, length = 4, 34
	rest := content[len("fLaC"):]
	for first := true; ; first = false {
		if len(rest) < header {
			return s, nil, errNotFLAC
		}
		last, kind := rest[0]&0x80 != 0, rest[0]&0x7f
		size := int(rest[1])<<16 | int(rest[2])<<8 | int(rest[3])
		if rest = rest[header:]; len(rest) < size || first && (kind != 0 || size != length) {
			return s, nil, errNotFLAC
		}
		if first {
			r := flacBits{content: rest[:length], at: 10 * 8} // skip the sizes of blocks and frames
			s = flacStream{rate: int(r.unsigned(20)), channels: int(r.unsigned(3)) + 1, bits: int(r.unsigned(5)) + 1,
				samples: r.unsigned(36)}
			copy(s.checksum[:], rest[length-md5.Size:])
		}
		if rest = rest[size:]; last {
			return s, rest, nil
		}
	}
}

func parseFLAC(content []byte, most int) (*Audio, error) {
	stream, frames, err := readFLACStream(content)
	if err != nil {
		return nil, err
	}
	switch {
	case stream.rate == 0:
		return nil, errors.New("0 samples a second")
	case stream.bits < 4 || stream.bits > 24:
		return nil, fmt.Errorf("samples of %d bits are not read; 4 to 24 are", stream.bits)
	case stream.samples > int64(most/stream.channels):
		return nil, fmt.Errorf("%d samples of %d channels, at most %d are read", stream.samples, stream.channels,
			most)
	}
	d := flacDecoder{stream: stream, most: most, bits: flacBits{content: frames}, checksum: md5.New(),
		audio: newAudio(stream.rate, stream.channels, 0)}
	for d.bits.at < 8*len(frames) {
		if err := d.next(); err != nil {
			return nil, fmt.Errorf("after sample %d: %w", d.audio.Samples(), err)
		}
	}
	return d.audio, d.finish()
}

// flacDecoder is the state of decoding a stream.
type flacDecoder struct {
	stream   flacStream
	most     int // limit of samples, all channels together
	bits     flacBits
	audio    *Audio
	channels [8][]int32 // channels of the current frame
	raw      []byte     // current frame, encoded for the checksum
	checksum hash.Hash
}

// next decodes one frame.
func (d *flacDecoder) next() error {
	start := d.bits.at / 8
	f, err := d.bits.readHeader(d.stream.bits)
	if err != nil {
		return err
	}
	claimed, before := d.stream.samples, d.audio.Samples()
	switch {
	case f.bits != d.stream.bits || f.channels != d.stream.channels:
		return fmt.Errorf("a frame has %d bits and %d channels, the stream %d and %d", f.bits, f.channels,
			d.stream.bits, d.stream.channels)
	case f.size > 65535:
		return errors.New("a frame of 65536 samples, which is more than FLAC allows")
	case before+f.size > d.most/f.channels:
		return fmt.Errorf("more than %d samples", d.most)
	case claimed > 0 && int64(before+f.size) > claimed:
		return fmt.Errorf("more samples than the %d that the header claims", claimed)
	}
	for c := range f.channels {
		if cap(d.channels[c]) < f.size {
			d.channels[c] = make([]int32, f.size)
		}
		d.channels[c] = d.channels[c][:f.size]
	}
	channels := d.channels[:f.channels]
	if err := d.bits.readFrame(f, start, channels); err != nil {
		return err
	}
	return d.add(channels)
}

// add converts the samples of a frame and adds them to the checksum, which hashes little-endian integers of whole
// bytes.
func (d *flacDecoder) add(channels [][]int32) error {
	scale, width := float32(int(1)<<(d.stream.bits-1)), (d.stream.bits+7)/8
	d.raw = d.raw[:0]
	for i := range channels[0] {
		for _, samples := range channels {
			for shift := range width {
				d.raw = append(d.raw, byte(samples[i]>>(8*shift)))
			}
		}
	}
	for c, samples := range channels {
		for _, sample := range samples {
			d.audio.Channels[c] = append(d.audio.Channels[c], float32(sample)/scale)
		}
	}
	_, err := d.checksum.Write(d.raw)
	return err
}

// finish compares the decoded samples with the stream's header.
func (d *flacDecoder) finish() error {
	if claimed := d.stream.samples; claimed > 0 && int64(d.audio.Samples()) != claimed {
		return fmt.Errorf("it ends after %d samples, its header claims %d", d.audio.Samples(), claimed)
	}
	// A writer without a checksum leaves it zero.
	if d.stream.checksum != [md5.Size]byte{} && !bytes.Equal(d.checksum.Sum(nil), d.stream.checksum[:]) {
		return errors.New("damaged data: the samples do not have the checksum of the header")
	}
	return nil
}

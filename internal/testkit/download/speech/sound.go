package speechdownload

import (
	"bytes"
	"crypto/md5"
	"encoding/binary"
	"math"
	"testing"

	"github.com/unlearnlab/unlearnlab/unlearnkit/preprocess/sound"
)

// WAV returns the content of a 16-bit WAV file.
func WAV(t testing.TB, c sound.Clip) []byte {
	t.Helper()
	var content bytes.Buffer
	if err := c.EncodeWAV(&content); err != nil {
		t.Fatal(err)
	}
	return content.Bytes()
}

// flac returns the content of a FLAC file with 16 bits that stores the samples verbatim, RFC 9639, section 9.2.2.
func flac(c sound.Clip) []byte {
	const block = 4096 // samples per frame
	var pcm, frames []byte
	for first := 0; first < c.Samples(); first += block {
		samples := min(block, c.Samples()-first)
		// Fixed block size, stored in the two bytes below; the stream's rate; 16 bits; the frame's index.
		header := []byte{0xff, 0xf8, 0x70, byte(len(c.Channels)-1)<<4 | 0x08, byte(first / block)}
		header = binary.BigEndian.AppendUint16(header, uint16(samples-1))
		frame := append(header, byte(remainder(header, 8, 0x07)))
		for _, channel := range c.Channels {
			frame = append(frame, 0x02)
			for _, x := range channel[first : first+samples] {
				frame = binary.BigEndian.AppendUint16(frame, uint16(bits16(x)))
			}
		}
		frames = append(frames, binary.BigEndian.AppendUint16(frame, remainder(frame, 16, 0x8005))...)
	}
	for i := range c.Samples() {
		for _, channel := range c.Channels {
			pcm = binary.LittleEndian.AppendUint16(pcm, uint16(bits16(channel[i])))
		}
	}
	content := append([]byte("fLaC\x80\x00\x00\x22"), 0x10, 0, 0x10, 0, 0, 0, 0, 0, 0, 0)
	content = binary.BigEndian.AppendUint64(content, uint64(c.Rate)<<44|uint64(len(c.Channels)-1)<<41|15<<36|
		uint64(c.Samples()))
	checksum := md5.Sum(pcm)
	return append(append(content, checksum[:]...), frames...)
}

func bits16(x float32) int16 {
	return int16(max(math.MinInt16, min(math.MaxInt16, math.RoundToEven(float64(x)*(1<<15)))))
}

// remainder computes a cyclic redundancy check with the given number of bits.
func remainder(content []byte, bits int, polynomial uint16) (r uint16) {
	top := uint16(1) << (bits - 1)
	for _, b := range content {
		r ^= uint16(b) << (bits - 8)
		for range 8 {
			carry := r&top != 0
			if r <<= 1; carry {
				r ^= polynomial
			}
		}
	}
	return r & (top<<1 - 1)
}

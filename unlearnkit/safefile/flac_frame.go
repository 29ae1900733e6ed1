package safefile

import (
	"encoding/binary"
	"errors"
	"fmt"
	"math/bits"
)

var (
	errFLACShort  = errors.New("damaged data: it ends within a frame")
	errFLACHeader = errors.New("damaged data: no frame begins here")
)

// Encodings of two dependent channels, RFC 9639, section 9.1.3.
const (
	leftSide = 8 + iota
	sideRight
	midSide
)

// A flacFrame is the header of a frame: the number and the encoding of its samples.
type flacFrame struct {
	size     int
	channels int
	pairing  int // leftSide, sideRight, midSide, or any other number
	bits     int
}

// readHeader reads the header of a frame, RFC 9639, section 9.1. It ignores the sample rate, which is in the stream's
// header.
func (r *flacBits) readHeader(streamBits int) (flacFrame, error) {
	start := r.at / 8
	if r.unsigned(15) != 0b111111111111100 {
		return flacFrame{}, errFLACHeader
	}
	r.skip(1) // whether block sizes vary, which is not needed
	size, rate := r.unsigned(4), r.unsigned(4)
	f := flacFrame{channels: int(r.unsigned(4)), bits: streamBits}
	if f.pairing = f.channels; f.channels >= leftSide {
		f.channels = 2
	} else {
		f.channels++
	}
	width := r.unsigned(3)
	if reserved := r.unsigned(1); reserved != 0 || f.pairing > midSide || width == 3 || width == 7 || rate == 15 {
		return flacFrame{}, errFLACHeader
	}
	if width != 0 {
		f.bits = []int{0, 8, 12, 0, 16, 20, 24}[width]
	}
	r.skip(8 * numberLength(byte(r.unsigned(8)))) // the frame's number
	switch {
	case size == 0:
		return flacFrame{}, errFLACHeader
	case size == 1:
		f.size = 192
	case size <= 5:
		f.size = 576 << (size - 2)
	case size <= 7:
		f.size = int(r.unsigned(8*int(size-5))) + 1
	default:
		f.size = 256 << (size - 8)
	}
	r.skip([]int{12: 8, 13: 16, 14: 16, 15: 0}[rate])
	end := r.at / 8
	if sum := r.unsigned(8); r.short {
		return flacFrame{}, errFLACShort
	} else if byte(sum) != crc8(r.content[start:end]) {
		return flacFrame{}, errors.New("damaged data: the header of a frame does not have its checksum")
	}
	return f, nil
}

// numberLength returns how many bytes follow the first byte of a number coded as in UTF-8.
func numberLength(first byte) int {
	if ones := bits.LeadingZeros8(^first); ones > 1 {
		return ones - 1
	}
	return 0
}

// readFrame decodes the samples of a frame after its header. The frame begins at byte start.
func (r *flacBits) readFrame(f flacFrame, start int, channels [][]int32) error {
	for c := range f.channels {
		width := f.bits
		if f.pairing == sideRight && c == 0 || (f.pairing == leftSide || f.pairing == midSide) && c == 1 {
			width++ // a difference of channels needs one more bit
		}
		if err := r.readSubframe(channels[c], width); r.short {
			return errFLACShort
		} else if err != nil {
			return err
		}
	}
	r.align()
	end := r.at / 8
	if r.skip(16); r.short {
		return errFLACShort
	}
	if binary.BigEndian.Uint16(r.content[end:]) != crc16(r.content[start:end]) {
		return fmt.Errorf("damaged data: a frame does not have its checksum")
	}
	f.unpair(channels)
	return nil
}

// unpair converts the written channels to left and right.
func (f flacFrame) unpair(channels [][]int32) {
	switch f.pairing {
	case leftSide:
		for i, left := range channels[0] {
			channels[1][i] = left - channels[1][i]
		}
	case sideRight:
		for i, right := range channels[1] {
			channels[0][i] += right
		}
	case midSide:
		for i, side := range channels[1] {
			sum := channels[0][i]<<1 | side&1
			channels[0][i], channels[1][i] = (sum+side)>>1, (sum-side)>>1
		}
	}
}

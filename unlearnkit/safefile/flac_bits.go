package safefile

import (
	"encoding/binary"
	"math/bits"
)

// flacBits reads numbers of any width, most significant bit first. Beyond the end all bits are zero and short is set.
type flacBits struct {
	content []byte
	at      int // bits read
	short   bool
}

// window returns at least 57 of the next bits, left-aligned, and the number of bits that are not padding.
func (r *flacBits) window() (word uint64, width int) {
	rest := r.content[min(r.at/8, len(r.content)):]
	if len(rest) < 8 {
		var last [8]byte
		copy(last[:], rest)
		rest = last[:]
	}
	return binary.BigEndian.Uint64(rest) << (r.at % 8), 64 - r.at%8
}

func (r *flacBits) skip(n int) {
	r.at += n
	if r.at > 8*len(r.content) {
		r.at, r.short = 8*len(r.content), true
	}
}

// unsigned reads a number of n bits, at most 57.
func (r *flacBits) unsigned(n int) int64 {
	word, _ := r.window()
	r.skip(n)
	return int64(word >> (64 - n))
}

// signed reads a number of n bits, at most 57, in two's complement. With n = 0 it returns 0.
func (r *flacBits) signed(n int) int64 {
	word, _ := r.window()
	r.skip(n)
	return int64(word) >> (63 - n) >> 1
}

// unary counts the zeros before the next 1.
func (r *flacBits) unary() int64 {
	for count := 0; ; {
		word, width := r.window()
		if zeros := bits.LeadingZeros64(word); zeros < width {
			r.skip(zeros + 1)
			return int64(count + zeros)
		}
		count += width
		if r.skip(width); r.short {
			return 0
		}
	}
}

// align moves to the next whole byte.
func (r *flacBits) align() { r.at = (r.at + 7) / 8 * 8 }

// The checksums of a frame's header and of a frame, RFC 9639, sections 9.1.8 and 9.3.
var (
	crc8Table  = crcTable(8, 0x07)
	crc16Table = crcTable(16, 0x8005)
)

func crc8(content []byte) (sum byte) {
	for _, b := range content {
		sum = byte(crc8Table[sum^b])
	}
	return sum
}

func crc16(content []byte) (sum uint16) {
	for _, b := range content {
		sum = sum<<8 ^ crc16Table[byte(sum>>8)^b]
	}
	return sum
}

// crcTable returns the remainder of each byte divided by a polynomial of the given degree.
func crcTable(degree int, polynomial uint16) (table [256]uint16) {
	for b := range table {
		sum := uint16(b) << (degree - 8)
		for range 8 {
			carry := sum>>(degree-1)&1 == 1
			if sum <<= 1; carry {
				sum ^= polynomial
			}
		}
		table[b] = sum & (1<<degree - 1)
	}
	return table
}

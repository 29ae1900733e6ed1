package wire

import (
	"bufio"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
)

// Limits on what a peer may send. An output of maxPacket bytes would freeze any front end, and no kernel needs maxParts
// parts.
const (
	maxPacket = 256 << 20
	maxParts  = 4096
)

// Bits of a frame's first byte.
const (
	flagMore    = 1 << 0 // another frame of the same message follows
	flagLong    = 1 << 1 // the size has eight bytes
	flagCommand = 1 << 2 // a protocol command, not a message
	flagsKnown  = flagMore | flagLong | flagCommand
)

// ErrFraming reports that a stream is not ZMTP 3 or exceeds the limits. All framing errors of this package wrap it.
var ErrFraming = errors.New("not ZMTP 3 within the limits")

// A Packet is a whole message or a command in a ZMTP stream.
type Packet struct {
	Raw     []byte   // bytes as read
	Command bool     // whether the packet is a command, such as READY, PING or SUBSCRIBE
	Parts   [][]byte // bodies of the frames; they share memory with Raw
}

// A reader splits a ZMTP stream into packets. The zero value is not usable; see newReader.
type reader struct {
	source *bufio.Reader
}

// newReader returns a reader for the stream after the greeting.
func newReader(r io.Reader) *reader { return &reader{bufio.NewReaderSize(r, 64<<10)} }

// Read returns raw bytes after the last packet, for a proxy that has given up parsing the stream.
func (r *reader) Read(p []byte) (int, error) { return r.source.Read(p) }

// Next reads one packet. If it fails, the packet's Raw holds the bytes consumed so far, so that no bytes of the stream
// are lost.
func (r *reader) Next() (Packet, error) {
	var p Packet
	var bounds [][2]int // offsets rather than slices, because Raw moves as it grows
	for {
		flags, start, err := r.frame(&p)
		if err != nil {
			if err == io.EOF && len(p.Raw) > 0 {
				err = io.ErrUnexpectedEOF
			}
			return p, err
		}
		command := flags&flagCommand != 0
		bounds = append(bounds, [2]int{start, len(p.Raw)})
		switch {
		case command && (flags&flagMore != 0 || len(bounds) > 1):
			return p, fmt.Errorf("%w: a command inside a message", ErrFraming)
		case len(bounds) > maxParts:
			return p, fmt.Errorf("%w: a message of more than %d parts", ErrFraming, maxParts)
		case flags&flagMore != 0:
			continue
		}
		p.Command = command
		for _, b := range bounds {
			p.Parts = append(p.Parts, p.Raw[b[0]:b[1]:b[1]])
		}
		return p, nil
	}
}

// frame appends one frame to p.Raw and returns where its body starts.
func (r *reader) frame(p *Packet) (flags byte, start int, err error) {
	if flags, err = r.source.ReadByte(); err != nil {
		return 0, 0, err
	}
	p.Raw = append(p.Raw, flags)
	if flags&^flagsKnown != 0 {
		return 0, 0, fmt.Errorf("%w: frame with flags %#02x", ErrFraming, flags)
	}
	width := 1
	if flags&flagLong != 0 {
		width = 8
	}
	if err := r.grow(p, width); err != nil {
		return 0, 0, err
	}
	var size [8]byte
	copy(size[8-width:], p.Raw[len(p.Raw)-width:])
	n := binary.BigEndian.Uint64(size[:])
	if n > maxPacket-min(maxPacket, uint64(len(p.Raw))) {
		return 0, 0, fmt.Errorf("%w: frame of %d bytes", ErrFraming, n)
	}
	start = len(p.Raw)
	return flags, start, r.grow(p, int(n))
}

// grow appends n bytes from the stream to p.Raw as they arrive, so that a claimed size alone allocates little.
func (r *reader) grow(p *Packet, n int) error {
	const step = 1 << 20
	for n > 0 {
		old, piece := len(p.Raw), min(n, step)
		p.Raw = append(p.Raw, make([]byte, piece)...)
		read, err := io.ReadFull(r.source, p.Raw[old:])
		p.Raw = p.Raw[:old+read]
		if err != nil {
			if err == io.EOF {
				err = io.ErrUnexpectedEOF
			}
			return err
		}
		n -= piece
	}
	return nil
}

// Encode returns the bytes of one message with the given parts.
func Encode(parts ...[]byte) []byte {
	size := 0
	for _, part := range parts {
		size += len(part) + 9
	}
	b := make([]byte, 0, size)
	for i, part := range parts {
		var flags byte
		if i < len(parts)-1 {
			flags = flagMore
		}
		b = appendFrame(b, flags, part)
	}
	return b
}

func appendFrame(b []byte, flags byte, body []byte) []byte {
	if len(body) > 255 {
		b = append(b, flags|flagLong)
		b = binary.BigEndian.AppendUint64(b, uint64(len(body)))
	} else {
		b = append(b, flags, byte(len(body)))
	}
	return append(b, body...)
}

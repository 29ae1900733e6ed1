package wire

import (
	"bytes"
	"errors"
	"io"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/google/go-cmp/cmp"
)

func TestPacket_RoundTrip(t *testing.T) {
	long := bytes.Repeat([]byte("x"), 70_000)
	tests := map[string][][]byte{
		"one part":                  {[]byte("a")},
		"empty parts":               {{}, []byte("b"), {}},
		"at the short limit":        {long[:255]},
		"beyond the short limit":    {long[:256]},
		"long, short, long":         {long, []byte("c"), long[:300]},
		"bytes that look like ends": {{0}, {1}, {2, 4}},
	}
	for name, parts := range tests {
		t.Run(name, func(t *testing.T) {
			raw := Encode(parts...)
			for _, source := range []io.Reader{bytes.NewReader(raw), iotest.OneByteReader(bytes.NewReader(raw)),
				iotest.DataErrReader(bytes.NewReader(raw))} {
				reader := newReader(source)
				p, err := reader.Next()
				if err != nil {
					t.Fatal(err)
				}
				if !bytes.Equal(p.Raw, raw) || p.Command {
					t.Errorf("raw bytes differ or taken for a command")
				}
				if diff := cmp.Diff(parts, p.Parts); diff != "" {
					t.Error(diff)
				}
				if _, err := reader.Next(); err != io.EOF {
					t.Errorf("after the only message: %v, want io.EOF", err)
				}
			}
		})
	}
}

func TestPacket_LongSizes(t *testing.T) {
	raw := []byte{flagLong, 0, 0, 0, 0, 0, 0, 0, 1, 'a'}
	p, err := newReader(bytes.NewReader(raw)).Next()
	if err != nil || !bytes.Equal(p.Raw, raw) || string(p.Parts[0]) != "a" {
		t.Errorf("got %v, %v", p, err)
	}
}

func TestPacket_Commands(t *testing.T) {
	stream := append(ready("DEALER", "me"), Encode([]byte("message"))...)
	reader := newReader(bytes.NewReader(stream))
	p, err := reader.Next()
	if err != nil || !p.Command {
		t.Fatalf("first packet %v, %v: want a command", p, err)
	}
	if name, data, ok := parseCommand(p.Parts[0]); !ok || name != "READY" || !bytes.Contains(data, []byte("DEALER")) {
		t.Errorf("command %q %q %v", name, data, ok)
	}
	if p, err := reader.Next(); err != nil || p.Command || string(p.Parts[0]) != "message" {
		t.Errorf("second packet %v, %v", p, err)
	}
}

// Streams that are not valid ZMTP are rejected, and none of their bytes are lost.
func TestPacket_NotZMTP(t *testing.T) {
	tests := map[string][]byte{
		"reserved flag":            {0x80, 1, 'a'},
		"a frame beyond the limit": {flagLong, 0, 0, 0, 1, 0, 0, 0, 0, 'a'},
		"a size that wraps":        {flagLong, 255, 255, 255, 255, 255, 255, 255, 255, 'a'},
		"a command within":         {flagMore, 1, 'a', flagCommand, 1, 'b'},
		"a command that continues": {flagMore | flagCommand, 1, 'a', 0, 1, 'b'},
		"parts without end":        bytes.Repeat([]byte{flagMore, 0}, maxParts+1),
		"a browser":                []byte("GET / HTTP/1.1\r\nHost: localhost\r\n\r\n"),
	}
	for name, stream := range tests {
		t.Run(name, func(t *testing.T) {
			reader := newReader(bytes.NewReader(stream))
			p, err := reader.Next()
			if !errors.Is(err, ErrFraming) {
				t.Fatalf("error %v, want ErrFraming", err)
			}
			rest, err := io.ReadAll(reader)
			if err != nil || !bytes.Equal(append(p.Raw, rest...), stream) {
				t.Errorf("consumed %q and left %q, %v", p.Raw, rest, err)
			}
		})
	}
}

func TestPacket_Truncated(t *testing.T) {
	raw := Encode([]byte("first"), []byte(strings.Repeat("second", 100)))
	for cut := 1; cut < len(raw); cut++ {
		p, err := newReader(bytes.NewReader(raw[:cut])).Next()
		if err != io.ErrUnexpectedEOF || !bytes.Equal(p.Raw, raw[:cut]) {
			t.Fatalf("cut at %d: %d bytes kept, error %v", cut, len(p.Raw), err)
		}
	}
}

// A claimed size does not allocate memory.
func TestPacket_ClaimedSize(t *testing.T) {
	if testing.Short() {
		t.Skip("-short: takes seconds")
	}
	claim := []byte{flagLong, 0, 0, 0, 0, 0x0f, 0, 0, 0, 'a'} // 240 MiB
	used := testing.Benchmark(func(b *testing.B) {
		for b.Loop() {
			newReader(bytes.NewReader(claim)).Next()
		}
	}).AllocedBytesPerOp()
	if used > 4<<20 {
		t.Errorf("a frame that claims 240 MiB and has one byte made us allocate %d bytes", used)
	}
}

// FuzzReader checks that the reader fails only with its documented errors, and that it loses no bytes.
func FuzzReader(f *testing.F) {
	f.Add(Encode([]byte("a"), []byte("b")))
	f.Add(append(ready("SUB", ""), Encode(bytes.Repeat([]byte("x"), 300))...))
	f.Add([]byte{flagLong, 0, 0, 0, 0, 0, 1, 0, 0, 'a'})
	f.Add([]byte{flagMore, 1, 'a', flagCommand, 1, 'b'})
	f.Fuzz(func(t *testing.T, stream []byte) {
		reader := newReader(bytes.NewReader(stream))
		var seen []byte
		for {
			p, err := reader.Next()
			seen = append(seen, p.Raw...)
			if err == nil {
				if again, err := newReader(bytes.NewReader(p.Raw)).Next(); err != nil ||
					!cmp.Equal(again.Parts, p.Parts) {
					t.Fatalf("packet %q reads differently again: %v", p.Raw, err)
				}
				continue
			}
			if err != io.EOF && err != io.ErrUnexpectedEOF && !errors.Is(err, ErrFraming) {
				t.Fatalf("error %v", err)
			}
			rest, _ := io.ReadAll(reader)
			if !bytes.Equal(append(seen, rest...), stream) {
				t.Fatal("bytes were lost")
			}
			return
		}
	})
}

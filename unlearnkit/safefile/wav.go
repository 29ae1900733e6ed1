package safefile

import (
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"math"
	"strings"
)

// Encoding is the storage of a sample in WriteWAV.
type Encoding int

// PCM16 rounds to 16 bits and clips values outside -1 to 1; Float keeps every bit.
const (
	PCM16 Encoding = iota
	Float
)

// Values of WAV's field wFormatTag.
const (
	wavPCM        = 1
	wavFloat      = 3
	wavExtensible = 0xfffe
)

// wavOthers names unsupported encodings in errors.
var wavOthers = map[uint16]string{2: "Microsoft ADPCM", 6: "A-law", 7: "mu-law", 0x11: "IMA ADPCM", 0x31: "GSM 6.10",
	0x55: "MP3"}

// wavGUID follows the code of the encoding in WAVE_FORMAT_EXTENSIBLE.
const wavGUID = "\x00\x00\x00\x00\x10\x00\x80\x00\x00\xaa\x00\x38\x9b\x71"

// wavFormat is the content of the fmt chunk.
type wavFormat struct {
	encoding       uint16
	channels, rate int
	bytes          int // bytes per sample
}

func parseWAV(content []byte, most int) (*Audio, error) {
	if len(content) < 12 || string(content[8:12]) != "WAVE" {
		return nil, errors.New("a RIFF file, but not a WAV file")
	}
	var format *wavFormat
	for rest := content[12:]; len(rest) >= 8; {
		name, size := string(rest[:4]), int64(binary.LittleEndian.Uint32(rest[4:]))
		if rest = rest[8:]; size > int64(len(rest)) {
			return nil, fmt.Errorf("the chunk %.8q claims %s, %s follow", name, byteCount(size), byteCount(len(rest)))
		}
		switch name {
		case "fmt ":
			parsed, err := parseWAVFormat(rest[:size])
			if err != nil {
				return nil, err
			}
			format = &parsed
		case "data":
			if format == nil {
				return nil, errors.New("its samples come before the fmt chunk that describes them")
			}
			return format.samples(rest[:size], most)
		}
		// Chunks begin at even offsets; some writers forget to pad the last one.
		rest = rest[min(size+size%2, int64(len(rest))):]
	}
	return nil, errors.New("it has no data chunk")
}

func parseWAVFormat(chunk []byte) (wavFormat, error) {
	if len(chunk) < 16 {
		return wavFormat{}, fmt.Errorf("the fmt chunk has %d bytes, at least 16 are needed", len(chunk))
	}
	little := binary.LittleEndian
	format := wavFormat{encoding: little.Uint16(chunk), channels: int(little.Uint16(chunk[2:])),
		rate: int(little.Uint32(chunk[4:]))}
	if format.encoding == wavExtensible {
		if len(chunk) < 40 || string(chunk[26:40]) != wavGUID {
			return wavFormat{}, errors.New("the extensible fmt chunk names no encoding that is read")
		}
		format.encoding = little.Uint16(chunk[24:])
	}
	align, bits := int(little.Uint16(chunk[12:])), int(little.Uint16(chunk[14:]))
	format.bytes = bits / 8
	switch {
	case format.encoding == wavPCM && (bits == 8 || bits == 16 || bits == 24 || bits == 32):
	case format.encoding == wavFloat && (bits == 32 || bits == 64):
	case format.encoding == wavPCM || format.encoding == wavFloat:
		return wavFormat{}, fmt.Errorf("samples of %d bits are not read; PCM of 8, 16, 24 and 32 and floats of 32 "+
			"and 64 are", bits)
	default:
		return wavFormat{}, fmt.Errorf("the encoding %#x%s is not read; PCM and floats are", format.encoding,
			inBrackets(wavOthers[format.encoding]))
	}
	if format.channels == 0 || format.rate == 0 || format.rate > math.MaxInt32 {
		return wavFormat{}, fmt.Errorf("%d channels at %d samples a second", format.channels, format.rate)
	}
	if align != format.channels*format.bytes {
		return wavFormat{}, fmt.Errorf("%d channels of %d bits need %d bytes, the fmt chunk says %d", format.channels,
			bits, format.channels*format.bytes, align)
	}
	return format, nil
}

func inBrackets(word string) string {
	if word == "" {
		return ""
	}
	return " (" + word + ")"
}

// samples separates and converts the interleaved samples of a data chunk.
func (f wavFormat) samples(data []byte, most int) (*Audio, error) {
	frame := f.channels * f.bytes
	switch {
	case len(data)%frame != 0:
		return nil, fmt.Errorf("%s of data are not whole samples of %d channels", byteCount(len(data)), f.channels)
	case len(data)/f.bytes > most:
		return nil, fmt.Errorf("%d samples, at most %d are read", len(data)/f.bytes, most)
	}
	audio, sample := newAudio(f.rate, f.channels, len(data)/frame), f.sample()
	for c, channel := range audio.Channels {
		for i := range channel {
			channel[i] = sample(data[i*frame+c*f.bytes:])
		}
	}
	return audio, nil
}

// sample returns the function that converts one sample. Eight bits are unsigned, all others signed.
func (f wavFormat) sample() func([]byte) float32 {
	little := binary.LittleEndian
	switch {
	case f.encoding == wavFloat && f.bytes == 4:
		return func(b []byte) float32 { return math.Float32frombits(little.Uint32(b)) }
	case f.encoding == wavFloat:
		return func(b []byte) float32 { return float32(math.Float64frombits(little.Uint64(b))) }
	case f.bytes == 1:
		return func(b []byte) float32 { return float32(int(b[0])-128) / (1 << 7) }
	case f.bytes == 2:
		return func(b []byte) float32 { return float32(int16(little.Uint16(b))) / (1 << 15) }
	case f.bytes == 3:
		return func(b []byte) float32 {
			return float32(int32(uint32(b[0])<<8|uint32(b[1])<<16|uint32(b[2])<<24)>>8) / (1 << 23)
		}
	}
	return func(b []byte) float32 { return float32(int32(little.Uint32(b))) / (1 << 31) }
}

// WriteWAV writes a WAV file. PCM16 multiplies by 2¹⁵, as reading divides, and rounds to even.
func WriteWAV(path string, audio *Audio, encoding Encoding) error {
	if err := checkAudio(audio, encoding); err != nil {
		return fmt.Errorf("write %s: %w", path, err)
	}
	return WriteFile(path, func(target io.Writer) error { return writeWAV(target, audio, encoding) })
}

// EncodeWAV writes like [WriteWAV] to any target. It returns an error before the first byte if no reader could read the
// audio.
func EncodeWAV(target io.Writer, audio *Audio, encoding Encoding) error {
	if err := checkAudio(audio, encoding); err != nil {
		return err
	}
	return writeWAV(target, audio, encoding)
}

func writeWAV(target io.Writer, audio *Audio, encoding Encoding) error {
	if _, err := io.WriteString(target, wavHeader(audio, encoding)); err != nil {
		return err
	}
	frame := make([]byte, 0, len(audio.Channels)*encoding.bytes())
	for i := range audio.Samples() {
		frame = frame[:0]
		for _, channel := range audio.Channels {
			frame = encoding.encode(frame, channel[i])
		}
		if _, err := target.Write(frame); err != nil {
			return err
		}
	}
	return nil
}

func (e Encoding) bytes() int {
	if e == Float {
		return 4
	}
	return 2
}

func (e Encoding) encode(frame []byte, sample float32) []byte {
	if e == Float {
		return binary.LittleEndian.AppendUint32(frame, math.Float32bits(sample))
	}
	rounded := math.RoundToEven(float64(sample) * (1 << 15))
	return binary.LittleEndian.AppendUint16(frame, uint16(int16(min(max(rounded, math.MinInt16), math.MaxInt16))))
}

func checkAudio(audio *Audio, encoding Encoding) error {
	switch {
	case len(audio.Channels) == 0 || len(audio.Channels) > math.MaxUint16/4:
		return fmt.Errorf("%d channels", len(audio.Channels))
	case audio.Rate <= 0 || audio.Rate > math.MaxInt32/4:
		return fmt.Errorf("%d samples a second", audio.Rate)
	case audio.Samples() > maxAudioValues/len(audio.Channels):
		return fmt.Errorf("%d samples of %d channels, readers take at most %d", audio.Samples(), len(audio.Channels),
			maxAudioValues)
	}
	for c, channel := range audio.Channels {
		if len(channel) != audio.Samples() {
			return fmt.Errorf("channel %d has %d samples, channel 0 has %d", c, len(channel), audio.Samples())
		}
		for i, sample := range channel {
			if encoding == PCM16 && sample != sample {
				return fmt.Errorf("sample %d of channel %d is NaN, which 16 bits cannot hold", i, c)
			}
		}
	}
	return nil
}

// wavHeader returns everything before the samples.
func wavHeader(audio *Audio, encoding Encoding) string {
	little := binary.LittleEndian
	chunk := func(name string, content []byte) string {
		return name + string(little.AppendUint32(nil, uint32(len(content)))) + string(content)
	}
	code, frame := uint16(wavPCM), len(audio.Channels)*encoding.bytes()
	if encoding == Float {
		code = wavFloat
	}
	format := little.AppendUint16(nil, code)
	format = little.AppendUint16(format, uint16(len(audio.Channels)))
	format = little.AppendUint32(format, uint32(audio.Rate))
	format = little.AppendUint32(format, uint32(audio.Rate*frame))
	format = little.AppendUint16(format, uint16(frame))
	format = little.AppendUint16(format, uint16(8*encoding.bytes()))
	chunks := chunk("fmt ", format)
	if encoding == Float {
		// Encodings other than PCM require the length of an extension and a fact chunk.
		chunks = chunk("fmt ", append(format, 0, 0)) + chunk("fact", little.AppendUint32(nil, uint32(audio.Samples())))
	}
	data := audio.Samples() * frame
	head := strings.Builder{}
	head.WriteString("RIFF")
	head.Write(little.AppendUint32(nil, uint32(len("WAVE")+len(chunks)+len("data")+4+data)))
	head.WriteString("WAVE" + chunks + "data")
	head.Write(little.AppendUint32(nil, uint32(data)))
	return head.String()
}

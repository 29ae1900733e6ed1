package safefile

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"pgregory.net/rapid"
)

func ExampleReadAudio() {
	audio, err := ReadAudio("testdata/speech.flac")
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(audio.Rate, len(audio.Channels), audio.Samples(), audio.Channels[0][:3])
	_, err = ReadAudio("testdata/mulaw.wav")
	fmt.Println(err)
	// Output:
	// 16000 1 5315 [-0.0039978027 0.058380127 0.12387085]
	// read testdata/mulaw.wav: the encoding 0x7 (mu-law) is not read; PCM and floats are
}

func TestAudio_EqualsLibsndfile(t *testing.T) {
	wants, err := OpenNpz("testdata/audio.npz")
	if err != nil {
		t.Fatal(err)
	}
	rates := map[string]int{
		"u8.wav": 8000, "list.wav": 8000, "pcm16.wav": 16000, "pcm24.wav": 44100, "pcm32.wav": 22050,
		"float.wav": 16000, "double.wav": 48000, "extensible.wav": 48000,
		"extensible_float.wav": 48000, "scipy.wav": 11025, "speech.flac": 16000, "stereo24.flac": 24000,
		"correlated.flac": 44100, "eight.flac": 7919,
		"empty.wav": 16000,
	}
	if len(wants.Names()) != len(rates) {
		t.Errorf("got %q, want length %v", wants.Names(), len(rates))
	}
	for _, name := range wants.Names() {
		audio, err := ReadAudio(filepath.Join("testdata", name))
		if err != nil {
			t.Error(err)
			continue
		}
		shape, _ := wants.Tensor(name)
		if audio.Rate != rates[name] || !slices.Equal(shape.Shape, []int{len(audio.Channels), audio.Samples()}) {
			t.Errorf("%s: %d samples a second, %d of %d channels; want %d, %v", name, audio.Rate, audio.Samples(),
				len(audio.Channels), rates[name], shape.Shape)
			continue
		}
		want := float32s(t, wants, name)
		if diff := cmp.Diff(want, slices.Concat(audio.Channels...), cmpopts.EquateEmpty()); diff != "" {
			t.Errorf("%s: mismatch (-want +got):\n%s", name, diff)
		}
	}
}

func TestAudio_RoundTrip(t *testing.T) {
	path := filepath.Join(t.TempDir(), "x.wav")
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(0, 9).Draw(t, "samples")
		// 16 bits hold exactly the multiples of 2⁻¹⁵.
		channel := rapid.SliceOfN(rapid.Map(rapid.Int16(), func(x int16) float32 {
			return float32(x) / (1 << 15)
		}), n, n)
		audio := &Audio{rapid.IntRange(1, 1<<20).Draw(t, "rate"), rapid.SliceOfN(channel, 1, 3).Draw(t, "channels")}
		for _, encoding := range []Encoding{PCM16, Float} {
			if err := WriteWAV(path, audio, encoding); err != nil {
				t.Fatal(err)
			}
			again, err := ReadAudio(path)
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(audio, again); diff != "" {
				t.Fatalf("mismatch (-audio +again):\n%s", diff)
			}
		}
	})
}

// Samples of 16 bits are clipped, and rounded to even.
func TestWriteAudio_Rounding(t *testing.T) {
	path := filepath.Join(t.TempDir(), "x.wav")
	samples := []float32{2, -2, 1, -1, .5 / (1 << 15), 1.5 / (1 << 15), float32(math.Inf(1))}
	if err := WriteWAV(path, &Audio{8000, [][]float32{samples}}, PCM16); err != nil {
		t.Fatal(err)
	}
	content, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	has := make([]int16, len(samples))
	if _, err := binary.Decode(content[44:], binary.LittleEndian, has); err != nil {
		t.Fatal(err)
	}
	if want := []int16{32767, -32768, 32767, -32768, 0, 2, 32767}; !slices.Equal(has, want) {
		t.Errorf("%v, want %v", has, want)
	}
}

func TestWriteAudio_Refused(t *testing.T) {
	nan := float32(math.NaN())
	tests := []struct {
		audio *Audio
		says  string
	}{
		{&Audio{8000, nil}, "0 channels"},
		{&Audio{0, [][]float32{{1}}}, "0 samples a second"},
		{&Audio{8000, [][]float32{{1, 2}, {1}}}, "channel 1 has 1 samples, channel 0 has 2"},
		{&Audio{8000, [][]float32{{0}, {nan}}}, "sample 0 of channel 1 is NaN"},
	}
	for _, test := range tests {
		path := filepath.Join(t.TempDir(), "x.wav")
		checkRefusal(t, test.says, WriteWAV(path, test.audio, PCM16), "write "+path+": ", test.says)
	}
}

// wavOf joins chunks of a WAV file, each given as name, size and content. The size need not match the content.
func wavOf(chunks ...any) string {
	content := "RIFF\xff\xff\xff\xffWAVE"
	for i := 0; i < len(chunks); i += 3 {
		content += chunks[i].(string) + string(binary.LittleEndian.AppendUint32(nil, uint32(chunks[i+1].(int)))) +
			chunks[i+2].(string)
	}
	return content
}

// wavFmt returns a fmt chunk.
func wavFmt(code, channels uint16, rate uint32, align, bits uint16) string {
	little := binary.LittleEndian
	start := little.AppendUint32(little.AppendUint16(little.AppendUint16(nil, code), channels), rate)
	return string(little.AppendUint16(little.AppendUint16(little.AppendUint32(start, 0), align), bits))
}

func audioAttacks(t testing.TB) []attack {
	speech, err := os.ReadFile("testdata/speech.flac")
	if err != nil {
		t.Fatal(err)
	}
	stereo, mono := wavFmt(1, 2, 8000, 4, 16), wavFmt(1, 1, 8000, 2, 16)
	changed := func(at int, with string) string { return string(speech[:at]) + with + string(speech[at+len(with):]) }
	return []attack{
		{"magic", "hello", "neither a WAV nor a FLAC file"},
		{"RIFX", "RIFX\x00\x00\x00\x00WAVE", "the WAV variant RIFX is not read; write it as RIFF"},
		{"MP3", "ID3\x04\x00", "it begins with an ID3 tag"},
		{"AVI", "RIFF\x00\x00\x00\x00AVI ", "a RIFF file, but not a WAV file"},
		{"no chunks", wavOf(), "it has no data chunk"},
		{"4 GB", wavOf("fmt ", 16, mono, "data", 0xffffffff, "abcd"),
			`the chunk "data" claims 4.0 GiB, 4 bytes follow`},
		{"4 GB elsewhere", wavOf("LIST", 0xfffffffe, "abcd"), `the chunk "LIST" claims 4.0 GiB, 4 bytes follow`},
		{"data first", wavOf("data", 4, "abcd", "fmt ", 16, mono), "its samples come before the fmt chunk"},
		{"short fmt", wavOf("fmt ", 4, "abcd"), "the fmt chunk has 4 bytes"},
		{"no channels", wavOf("fmt ", 16, wavFmt(1, 0, 8000, 0, 16)), "0 channels at 8000 samples a second"},
		{"no rate", wavOf("fmt ", 16, wavFmt(1, 1, 0, 2, 16)), "1 channels at 0 samples a second"},
		{"12 bits", wavOf("fmt ", 16, wavFmt(1, 1, 8000, 2, 12)), "samples of 12 bits are not read"},
		{"0 bits", wavOf("fmt ", 16, wavFmt(1, 1, 8000, 0, 0)), "samples of 0 bits are not read"},
		{"half floats", wavOf("fmt ", 16, wavFmt(3, 1, 8000, 2, 16)), "samples of 16 bits are not read"},
		{"strange", wavOf("fmt ", 16, wavFmt(0x1234, 1, 8000, 2, 16)), "the encoding 0x1234 is not read"},
		{"align", wavOf("fmt ", 16, wavFmt(1, 2, 8000, 2, 16)),
			"2 channels of 16 bits need 4 bytes, the fmt chunk says 2"},
		{"align overflow", wavOf("fmt ", 16, wavFmt(1, 0x8000, 8000, 0, 16)), "need 65536 bytes, the fmt chunk says 0"},
		{"extensible", wavOf("fmt ", 16, wavFmt(0xfffe, 1, 8000, 2, 16)), "the extensible fmt chunk names no encoding"},
		{"half a frame", wavOf("fmt ", 16, stereo, "data", 6, "abcdef"),
			"6 bytes of data are not whole samples of 2 channels"},
		{"cut FLAC", string(speech[:len(speech)-100]), "damaged data: it ends within a frame"},
		{"cut between frames", string(speech[:42]), "not a whole FLAC file"},
		{"FLAC without data", "fLaC", "not a whole FLAC file"},
		{"FLAC garbage", "fLaC\x80\x00\x00\x22" + strings.Repeat("\xff\xf8", 60), "samples of 32 bits are not read"},
		{"FLAC claim", changed(21, "\xff\xff\xff\xff\xff"), "samples of 1 channels, at most 134217728 are read"},
		{"FLAC short claim", changed(22, "\x00\x00\x00\x01"), "more samples than the 1 that the header claims"},
		{"FLAC long claim", changed(22, "\x00\x00\xff\xff"), "it ends after 5315 samples, its header claims 65535"},
		{"FLAC checksum", changed(26, "\x01"), "the samples do not have the checksum of the header"},
		{"FLAC frame", changed(len(speech)-9, "\x55"), "damaged data: "},
	}
}

func TestAudio_Attacks(t *testing.T) {
	path := filepath.Join(t.TempDir(), "x")
	for _, attack := range audioAttacks(t) {
		if err := os.WriteFile(path, []byte(attack.content), 0o644); err != nil {
			t.Fatal(err)
		}
		_, err := ReadAudio(path)
		checkRefusal(t, attack.name, err, "read "+path+": ", attack.says)
		// nolint:errcheck // refused, as just seen
		allocated := bytesAllocated(func() { parseAudio([]byte(attack.content)) })
		if limit := uint64(32<<10 + 200*len(attack.content)); allocated > limit {
			t.Errorf("%s: %d bytes allocated for %d", attack.name, allocated, len(attack.content))
		}
	}
	_, err := ReadAudio("testdata/big.wav")
	checkRefusal(t, "big.wav", err, "read testdata/big.wav: ", "RIFX")
}

func TestAudio_DamagedBytes(t *testing.T) {
	for _, file := range []string{"testdata/correlated.flac", "testdata/extensible.wav"} {
		whole, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		for i := range whole {
			damaged := bytes.Clone(whole)
			damaged[i] ^= 0x55
			if _, err := parseAudio(damaged); err != nil && strings.Contains(err.Error(), "\n") {
				t.Errorf("%s, byte %d: more than one line: %s", file, i, err)
			}
			if _, err := parseAudio(whole[:i]); err == nil {
				t.Errorf("%s: the first %d bytes were read", file, i)
			}
		}
	}
}

// Each file encodes its samples in a different way. The decoder compares the samples with the MD5 in the header, so a
// file that is read without an error was decoded correctly.
func TestFLAC_Encodings(t *testing.T) {
	files, err := filepath.Glob("testdata/flac/*.flac")
	if err != nil || len(files) != 10 {
		t.Fatalf("got %v, %v, want 10 files", files, err)
	}
	for _, file := range files {
		content, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		if bytes.Equal(content[26:42], make([]byte, 16)) {
			t.Errorf("%s has no checksum", file)
		}
		audio, err := parseAudio(content)
		if err != nil {
			t.Errorf("%s: %v", file, err)
		} else if audio.Rate != 24000 || audio.Samples() < 200 {
			t.Errorf("%s: %d samples at %d a second", file, audio.Samples(), audio.Rate)
		}
	}
}

// crc returns the checksum of FLAC's frames, of 8 or 16 bits.
func crc(content []byte, bits int, polynomial uint32) uint32 {
	sum := uint32(0)
	for _, b := range content {
		sum ^= uint32(b) << (bits - 8)
		for range 8 {
			sum <<= 1
			if sum>>bits != 0 {
				sum ^= 1<<bits | polynomial
			}
		}
	}
	return sum
}

func TestFLAC_StreamBits(t *testing.T) {
	info := "\x00\x10\x00\x10" + strings.Repeat("\x00", 6) + // blocks of 16 samples
		// 16,000 a second, 1 channel, 16 bits, 16 samples, no checksum
		"\x03\xe8\x00\xf0\x00\x00\x00\x10" + strings.Repeat("\x00", 16)
	header := []byte("\xff\xf8\x60\x00\x00\x0f") // a block of 16; bits, rate and number as the stream has them
	header = append(header, byte(crc(header, 8, 7)))
	block := append(header, 0x00, 0xcf, 0xc7) // a constant, -12345
	block = binary.BigEndian.AppendUint16(block, uint16(crc(block, 16, 0x8005)))
	audio, err := parseAudio([]byte("fLaC\x80\x00\x00\x22" + info + string(block)))
	if err != nil {
		t.Fatal(err)
	}
	if want := slices.Repeat([]float32{-12345. / 32768}, 16); audio.Rate != 16000 ||
		!slices.Equal(audio.Channels[0], want) {
		t.Errorf("got %v, %v, want audio.Rate 16000, [0] %v", audio.Rate, audio.Channels, want)
	}
}

func FuzzWAV(f *testing.F) {
	addFixtures(f, ".wav")
	fuzzAudio(f)
}

func FuzzFLAC(f *testing.F) {
	addFixtures(f, ".flac")
	fuzzAudio(f)
}

func fuzzAudio(f *testing.F) {
	for _, attack := range audioAttacks(f) {
		f.Add([]byte(attack.content))
	}
	f.Fuzz(func(t *testing.T, content []byte) {
		audio, err := parseAudio(content)
		if err != nil {
			if strings.Contains(err.Error(), "\n") {
				t.Errorf("an error of several lines: %q", err)
			}
			return
		}
		for _, channel := range audio.Channels {
			if len(channel) != audio.Samples() {
				t.Errorf("%d samples beside %d", len(channel), audio.Samples())
			}
		}
	})
}

package sound

import (
	"bytes"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/unlearnlab/unlearnlab/unlearnkit/safefile"
)

const recordings = "../../safefile/testdata/"

func ExampleDecode() {
	content, err := os.ReadFile("../../safefile/testdata/extensible.wav")
	if err != nil {
		fmt.Println(err)
		return
	}
	clip, err := Decode(content, "greeting.wav")
	if err != nil {
		fmt.Println(err)
		return
	}
	samples, converted, err := clip.Mono(8000)
	fmt.Println(clip.Rate, len(clip.Channels), clip.Samples(), len(samples), converted, err)
	_, err = Decode([]byte("ID3 and so on"), "song.mp3")
	fmt.Println(err)
	// Output:
	// 48000 2 51 9 48,000 Hz stereo to 8,000 Hz mono <nil>
	// read song.mp3: it begins with an ID3 tag, as MP3 does; write it as WAV or FLAC
}

func TestMono_Note(t *testing.T) {
	one, two := make([]float32, 100), make([]float32, 100)
	for i := range one {
		one[i], two[i] = float32(i)/100, -float32(i)/200
	}
	tests := []struct {
		clip Clip
		rate int
		says string
		long int
	}{
		{Clip{8000, [][]float32{one}}, 8000, "", 100},
		{Clip{8000, [][]float32{one, two}}, 8000, "8,000 Hz stereo to 8,000 Hz mono", 100},
		{Clip{44100, [][]float32{one, two}}, 8000, "44,100 Hz stereo to 8,000 Hz mono", 19},
		{Clip{8000, [][]float32{one}}, 16000, "8,000 Hz mono to 16,000 Hz mono", 200},
		{Clip{8000, [][]float32{one, two, one}}, 8000, "8,000 Hz with 3 channels to 8,000 Hz mono", 100},
	}
	for _, test := range tests {
		samples, says, err := test.clip.Mono(test.rate)
		if err != nil || says != test.says || len(samples) != test.long {
			t.Errorf("%q, %d samples, %v; want %q, %d", says, len(samples), err, test.says, test.long)
		}
	}
}

func TestMono_LeavesClip(t *testing.T) {
	clip := Clip{8000, [][]float32{{.1, .2, .3}}}
	samples, _, err := clip.Mono(8000)
	if err != nil {
		t.Fatal(err)
	}
	samples[0] = 1
	if clip.Channels[0][0] != .1 {
		t.Error("the samples are those of the clip")
	}
}

// A tone keeps its pitch and its loudness, whatever the rates.
func TestMono_Tone(t *testing.T) {
	for _, from := range []int{8000, 11025, 16000, 22050, 44100, 48000} {
		tone := make([]float32, from)
		for i := range tone {
			tone[i] = float32(.5 * math.Sin(2*math.Pi*440*float64(i)/float64(from)))
		}
		samples, _, err := Clip{from, [][]float32{tone}}.Mono(8000)
		if err != nil {
			t.Fatal(err)
		}
		for i := 400; i < len(samples)-400; i++ {
			want := .5 * math.Sin(2*math.Pi*440*float64(i)/8000)
			if difference := math.Abs(float64(samples[i]) - want); difference > 2e-3 {
				t.Fatalf("from %d: sample %d is off by %g", from, i, difference)
			}
		}
	}
}

func TestEncode_RoundTrip(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(1, 9).Draw(t, "samples")
		channel := rapid.SliceOfN(rapid.Map(rapid.Int16(), func(x int16) float32 {
			return float32(x) / (1 << 15)
		}), n, n)
		clip := Clip{rapid.IntRange(LowestRate, HighestRate).Draw(t, "rate"),
			rapid.SliceOfN(channel, 1, 3).Draw(t, "channels")}
		var file bytes.Buffer
		if err := clip.EncodeWAV(&file); err != nil {
			t.Fatal(err)
		}
		again, err := Decode(file.Bytes(), "x")
		if err != nil {
			t.Fatal(err)
		}
		if again.Rate != clip.Rate || !slices.EqualFunc(again.Channels, clip.Channels, slices.Equal) {
			t.Fatalf("%v became %v", clip, again)
		}
	})
}

// wav returns the content of a WAV file of floats.
func wav(t testing.TB, rate int, samples ...float32) []byte {
	var file bytes.Buffer
	audio := safefile.Audio{Rate: rate, Channels: [][]float32{samples}}
	if err := safefile.EncodeWAV(&file, &audio, safefile.Float); err != nil {
		t.Fatal(err)
	}
	return file.Bytes()
}

func TestDecode_Refused(t *testing.T) {
	speech, err := os.ReadFile(recordings + "speech.flac")
	if err != nil {
		t.Fatal(err)
	}
	whole := wav(t, 8000, .1, .2)
	tests := []struct {
		content []byte
		says    string
	}{
		{nil, "the file is empty"},
		{[]byte("hello"), "neither a WAV nor a FLAC file"},
		{wav(t, 8000), "it holds no sound; record it again, or remove it"},
		{wav(t, 7, 1), "7 samples a second; recordings have 1,000 to 384,000"},
		{wav(t, 400_000_000, 1), "400,000,000 samples a second; recordings have 1,000 to 384,000"},
		{wav(t, 8000, 0, float32(math.NaN())), "sample 1 of channel 0 is NaN; write the file again"},
		{wav(t, 8000, float32(math.Inf(1))), "sample 0 of channel 0 is +Inf; write the file again"},
		{whole[:len(whole)-1], `the chunk "data" claims 8 bytes, 7 bytes follow`},
		{whole[:20], `the chunk "fmt " claims 18 bytes, 0 bytes follow`},
		{speech[:len(speech)/2], "it ends within a frame"},
	}
	for _, test := range tests {
		_, err := Decode(test.content, "clip.wav")
		if err == nil || !strings.HasPrefix(err.Error(), "read clip.wav: ") ||
			!strings.Contains(err.Error(), test.says) || strings.Contains(err.Error(), "\n") {
			t.Errorf("%v, want %q", err, test.says)
		}
	}
	if _, err := Open(filepath.Join(t.TempDir(), "none.wav")); err == nil || strings.Contains(err.Error(), "\n") {
		t.Errorf("a file that is not there: %v", err)
	}
	if _, err := Open(recordings + "empty.wav"); err == nil || !strings.Contains(err.Error(), "holds no sound") {
		t.Errorf("a file without samples: %v", err)
	}
}

func TestMono_BadClip(t *testing.T) {
	tests := []struct {
		clip Clip
		rate int
		says string
	}{
		{Clip{}, 8000, "it holds no sound"},
		{Clip{8000, [][]float32{{1}, {1, 2}}}, 8000, "channel 1 has 2 samples, channel 0 has 1"},
		{Clip{8000, [][]float32{{1}}}, 0, "cannot convert to 0 samples a second"},
		{Clip{1000, [][]float32{make([]float32, 1<<20)}}, HighestRate,
			"1049 seconds at 384,000 samples a second are more than is taken at once"},
	}
	for _, test := range tests {
		if _, _, err := test.clip.Mono(test.rate); err == nil || !strings.Contains(err.Error(), test.says) {
			t.Errorf("%v, want %q", err, test.says)
		}
	}
}

func TestDecode_Formats(t *testing.T) {
	for _, name := range []string{"u8.wav", "pcm16.wav", "pcm24.wav", "pcm32.wav", "float.wav", "extensible.wav",
		"speech.flac", "stereo24.flac", "eight.flac"} {
		clip, err := Open(recordings + name)
		if err != nil {
			t.Error(err)
			continue
		}
		if _, _, err := clip.Mono(8000); err != nil || clip.Seconds() <= 0 {
			t.Errorf("%s: %g seconds, %v", name, clip.Seconds(), err)
		}
	}
}

func FuzzDecode(f *testing.F) {
	for _, pattern := range []string{"*.wav", "*.flac", "flac/*.flac"} {
		files, err := filepath.Glob(recordings + pattern)
		if err != nil || len(files) == 0 {
			f.Fatalf("got %v, %v, want length other than 0 of files", pattern, err)
		}
		for _, file := range files {
			content, err := os.ReadFile(file)
			if err != nil {
				f.Fatal(err)
			}
			f.Add(content)
		}
	}
	f.Fuzz(func(t *testing.T, content []byte) {
		clip, err := Decode(content, "x")
		if err != nil {
			if strings.Contains(err.Error(), "\n") {
				t.Errorf("an error of several lines: %q", err)
			}
			return
		}
		samples, _, err := clip.Mono(8000)
		if err != nil && strings.Contains(err.Error(), "\n") || err == nil && len(samples) == 0 {
			t.Errorf("%d samples, %v", len(samples), err)
		}
	})
}

// Seven kilobytes of FLAC hold half an hour of silence. Decoding is bounded, whether or not the header has the length.
func TestDecode_LongSilence(t *testing.T) {
	claimed, err := os.ReadFile("testdata/silence.flac")
	if err != nil {
		t.Fatal(err)
	}
	open := bytes.Clone(claimed)
	copy(open[22:26], "\x00\x00\x00\x00")
	for says, content := range map[string][]byte{
		"34000000 samples of 1 channels, at most 33554432 are read": claimed, "more than 33554432 samples": open} {
		if _, err := Decode(content, "x"); err == nil || !strings.Contains(err.Error(), says) {
			t.Errorf("%v, want %q", err, says)
		}
	}
}

// Memory is allocated for the content, not for what the header claims.
func TestDecode_Memory(t *testing.T) {
	claims := append(wav(t, 8000, .5)[:54], "\xff\xff\xff\x7f\x00"...)
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	if _, err := Decode(claims, "x"); err == nil {
		t.Error("it was read")
	}
	runtime.ReadMemStats(&after)
	if allocated := after.TotalAlloc - before.TotalAlloc; allocated > 1<<16 {
		t.Errorf("%d bytes allocated", allocated)
	}
}

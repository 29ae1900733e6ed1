package kernelext

import (
	"bytes"
	"encoding/base64"
	"errors"
	"fmt"
	"html"
	"math"
	"strconv"
	"strings"
	"sync/atomic"

	"github.com/janpfeifer/gonb/gonbui"

	"github.com/unlearnlab/unlearnlab/unlearnkit/safefile"
)

// Sound is a sound with the caption of its player.
type Sound struct {
	Caption string
	Samples []float32 // from -1 to 1; values beyond are clipped and reported
	Rate    int       // samples per second
}

// Range of sampling rates that Chromium plays, found by trying WAV files.
const (
	lowestRate  = 3_000
	highestRate = 768_000
)

// mostSound limits the sounds in one display, because every copy and version of the notebook contains them. Base64 adds
// a third.
const (
	mostSound   = 4_000_000 // bytes: two minutes at 16 kHz
	sampleBytes = 2
)

var soundsWritten atomic.Int64

// Audio shows a player for samples from -1 to 1 below its captions. The notebook contains the sound as a 16-bit WAV
// file. Outside a notebook, Audio prints the sound's length, and writes the WAV file if [FiguresVariable] names a
// folder.
func Audio(samples []float32, rate int, captions ...string) {
	Sounds(Sound{strings.Join(captions, "\n"), samples, rate})
}

// Sounds shows players side by side, each below its caption, as many on a line as fit.
func Sounds(sounds ...Sound) {
	files, err := wavs(sounds)
	if err != nil {
		fail(fmt.Errorf("sound: %w", err))
		return
	}
	var page, text strings.Builder
	for i, s := range sounds {
		length := s.length()
		if !gonbui.IsNotebook {
			where, err := writeCopy("sound", fmt.Sprintf("sound-%d.wav", soundsWritten.Add(1)), files[i])
			if err != nil {
				fail(err)
				return
			}
			length += where
		}
		page.WriteString(s.player(files[i]))
		if caption := strings.Join(strings.Fields(s.Caption), " "); caption != "" {
			text.WriteString(caption + ": ")
		}
		text.WriteString(length + "\n")
	}
	display{html: page.String(), text: strings.TrimSuffix(text.String(), "\n")}.show()
}

// soundsOf returns the channels of a recording as sounds.
func soundsOf(a *safefile.Audio) []Sound {
	var all []Sound
	for i, samples := range a.Channels {
		s := Sound{Samples: samples, Rate: a.Rate}
		if len(a.Channels) > 1 {
			s.Caption = fmt.Sprintf("channel %d", i+1)
		}
		all = append(all, s)
	}
	return all
}

// wavs encodes each sound as a WAV file. If a sound cannot be played, the error names it.
func wavs(sounds []Sound) ([][]byte, error) {
	if len(sounds) == 0 {
		return nil, errors.New("there is nothing to play; give samples")
	}
	total, seconds := 0, 0.
	for i, s := range sounds {
		if err := s.check(); err != nil {
			return nil, fmt.Errorf("%s%w", s.name(i, len(sounds)), err)
		}
		total += sampleBytes * len(s.Samples)
		seconds += s.seconds()
	}
	if total > mostSound {
		return nil, fmt.Errorf("%s s take %s bytes, but a display holds at most %s; show a part, or fewer samples "+
			"per second", thousands(int(math.Round(seconds))), thousands(total), thousands(mostSound))
	}
	files := make([][]byte, len(sounds))
	for i, s := range sounds {
		var file bytes.Buffer
		audio := safefile.Audio{Rate: s.Rate, Channels: [][]float32{s.Samples}}
		if err := safefile.EncodeWAV(&file, &audio, safefile.PCM16); err != nil {
			return nil, fmt.Errorf("%s%w", s.name(i, len(sounds)), err)
		}
		files[i] = file.Bytes()
	}
	return files, nil
}

// name returns a prefix for errors that identifies one of several sounds.
func (s Sound) name(index, count int) string {
	switch {
	case s.Caption != "":
		return fmt.Sprintf("%q: ", s.Caption)
	case count > 1:
		return fmt.Sprintf("number %d: ", index+1)
	}
	return ""
}

func (s Sound) check() error {
	if len(s.Samples) == 0 {
		return errors.New("it has no samples; there is nothing to play")
	}
	if s.Rate < lowestRate || s.Rate > highestRate {
		return fmt.Errorf("%s samples per second; browsers play %s to %s", thousands(s.Rate), thousands(lowestRate),
			thousands(highestRate))
	}
	for i, sample := range s.Samples {
		if x := float64(sample); math.IsNaN(x) || math.IsInf(x, 0) {
			return fmt.Errorf("sample %s is %v; samples must be between -1 and 1", thousands(i), sample)
		}
	}
	return nil
}

func (s Sound) seconds() float64 { return float64(len(s.Samples)) / float64(s.Rate) }

// length describes the sound's length and how many samples are clipped.
func (s Sound) length() string {
	decimals := 1
	if s.seconds() < 1 {
		decimals = 3
	}
	text := fmt.Sprintf("sound, %.*f s at %s Hz", decimals, s.seconds(), thousands(s.Rate))
	clipped := 0
	for _, sample := range s.Samples {
		if sample < -1 || sample > 1 {
			clipped++
		}
	}
	if clipped > 0 {
		text += fmt.Sprintf(", %s of %s samples clipped", thousands(clipped), thousands(len(s.Samples)))
	}
	return text
}

// player returns the HTML that plays a sound. Front ends do not run scripts from untrusted notebooks, but they accept
// an audio element.
func (s Sound) player(file []byte) string {
	const style = "display:inline-block;margin:4px 16px 4px 0;font:14px/1.5 system-ui,sans-serif;text-align:left"
	caption := ""
	if s.Caption != "" {
		caption = strings.ReplaceAll(html.EscapeString(s.Caption), "\n", "<br>") + "<br>"
	}
	return fmt.Sprintf(`<div style="%s">%s<audio controls src="data:audio/wav;base64,%s"></audio><br><small>%s</small>`+
		"</div>\n", style, caption, base64.StdEncoding.EncodeToString(file), html.EscapeString(s.length()))
}

// thousands formats a number with commas between groups of three digits.
func thousands(n int) string {
	if n < 1000 {
		return strconv.Itoa(n)
	}
	return fmt.Sprintf("%s,%03d", thousands(n/1000), n%1000)
}

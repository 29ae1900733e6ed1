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

// Sound is a clip with the words that stand over its player.
type Sound struct {
	Caption string
	Samples []float32 // between -1 and 1; what lies outside is clipped, and said
	Rate    int       // samples a second
}

// The rates that Chromium's players take lie between these, as a trial with WAV files has shown.
const (
	lowestRate  = 3_000
	highestRate = 768_000
)

// mostSound bounds what one display holds: all copies and versions of a notebook hold it too, and a third more for
// being text.
const (
	mostSound   = 4_000_000 // bytes: two minutes at 16 kHz
	sampleBytes = 2
)

var soundsWritten atomic.Int64

// Audio shows a player with a sound, samples between -1 and 1, under its captions. The sound is in the notebook, as WAV
// of 16 bits. Outside a notebook it prints the sound's length, and writes the WAV file when [FiguresVariable] names a
// folder.
func Audio(samples []float32, rate int, captions ...string) {
	Sounds(Sound{strings.Join(captions, "\n"), samples, rate})
}

// Sounds shows players side by side, each under its caption, as many in a line as have room.
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
			where, err := writeShown("sound", fmt.Sprintf("sound-%d.wav", soundsWritten.Add(1)), files[i])
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

// soundsOf are the channels of a recording, as it was read from a file.
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

// wavs writes each sound as a WAV file, or says which of them cannot be played.
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
		return nil, fmt.Errorf("%s s take %s bytes, a display holds at most %s; show a part, or fewer samples a second",
			thousands(int(math.Round(seconds))), thousands(total), thousands(mostSound))
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

// name tells one of several sounds from the others.
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
		return fmt.Errorf("%s samples a second; browsers play %s to %s", thousands(s.Rate), thousands(lowestRate),
			thousands(highestRate))
	}
	for i, sample := range s.Samples {
		if x := float64(sample); math.IsNaN(x) || math.IsInf(x, 0) {
			return fmt.Errorf("sample %s is %v; samples lie between -1 and 1", thousands(i), sample)
		}
	}
	return nil
}

func (s Sound) seconds() float64 { return float64(len(s.Samples)) / float64(s.Rate) }

// length says how long the sound is, and how much of it is not as it was.
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

// player is a sound on a page. Front ends let nothing run that others have written, and an audio element passes: it is
// the browser that plays.
func (s Sound) player(file []byte) string {
	const style = "display:inline-block;margin:4px 16px 4px 0;font:14px/1.5 system-ui,sans-serif;text-align:left"
	caption := ""
	if s.Caption != "" {
		caption = strings.ReplaceAll(html.EscapeString(s.Caption), "\n", "<br>") + "<br>"
	}
	return fmt.Sprintf(`<div style="%s">%s<audio controls src="data:audio/wav;base64,%s"></audio><br><small>%s</small>`+
		"</div>\n", style, caption, base64.StdEncoding.EncodeToString(file), html.EscapeString(s.length()))
}

// thousands writes a number with a comma before each three digits.
func thousands(n int) string {
	if n < 1000 {
		return strconv.Itoa(n)
	}
	return fmt.Sprintf("%s,%03d", thousands(n/1000), n%1000)
}

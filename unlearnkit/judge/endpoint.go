package judge

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"net/http"
	"net/url"
	"strings"
	"time"
)

// Endpoint is a language model that answers POST requests at BASE/chat/completions. It may be used by several
// goroutines.
//
// A request that takes too long, whose connection breaks, that is answered 408, 429 or 5xx, or by what is no
// completion, is sent again after a pause. The pauses double, with a tenth more or less by chance, so that requests
// that failed together do not come back together; where the answer says how long to wait (Retry-After), that counts
// instead. Other answers, such as that of a wrong key, end it at once.
type Endpoint struct {
	Base  string // such as https://api.openai.com/v1
	Model string
	Key   string        // sent as a bearer's token; none if empty. It stands in no error
	Limit time.Duration // of a request; 2 minutes if 0
	Tries int           // requests at most; 6 if 0, which wait for half a minute in all
	Pause time.Duration // before the second request; 1 second if 0
}

// longestPause is how long is waited at most, whatever an answer says.
const longestPause = 10 * time.Minute

// CheckBase says what is wrong with the address of an endpoint, or nothing.
func CheckBase(base string) error {
	address, err := url.Parse(base)
	if err != nil || address.Scheme != "http" && address.Scheme != "https" || address.Host == "" {
		return fmt.Errorf("%.80q is no address of an endpoint; give one such as https://api.openai.com/v1", base)
	}
	return nil
}

// address is where requests go. People also give the whole of it.
func (e *Endpoint) address() string {
	const path = "/chat/completions"
	return strings.TrimSuffix(strings.TrimRight(e.Base, "/"), path) + path
}

// Complete asks a question with temperature 0. An answer may be empty.
func (e *Endpoint) Complete(ctx context.Context, system, user string) (string, error) {
	if err := CheckBase(e.Base); err != nil {
		return "", err
	}
	tries, pause := e.Tries, e.Pause
	if tries <= 0 {
		tries = 6
	}
	if pause <= 0 {
		pause = time.Second
	}
	for try := 1; ; try++ {
		answer, err := e.request(ctx, system, user)
		var passing *passingError
		switch {
		case err == nil:
			return answer, nil
		case ctx.Err() != nil:
			return "", context.Cause(ctx)
		case !errors.As(err, &passing):
			return "", err
		case try == tries:
			return "", fmt.Errorf("%w; given up after %d requests", err, tries)
		}
		wait := time.Duration(float64(pause) * (.9 + .2*rand.Float64())) // when it is sent is not part of any result
		if passing.wait > 0 {
			wait = passing.wait
		}
		if wait > longestPause {
			return "", fmt.Errorf("%w; it asks to wait for %s: run again then, what was answered is kept", err,
				wait.Round(time.Second))
		}
		if err := sleep(ctx, wait); err != nil {
			return "", err
		}
		pause = min(2*pause, longestPause)
	}
}

func sleep(ctx context.Context, pause time.Duration) error {
	timer := time.NewTimer(pause)
	defer timer.Stop()
	select {
	case <-timer.C:
		return nil
	case <-ctx.Done():
		return context.Cause(ctx)
	}
}

// passingError is one that another request may not meet.
type passingError struct {
	error
	wait time.Duration // as the answer asks for; 0 where it does not
}

func (e *passingError) Unwrap() error { return e.error }

// client follows no address to another host with what was asked: a redirected endpoint is a mistake to be told.
var client = &http.Client{CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }}

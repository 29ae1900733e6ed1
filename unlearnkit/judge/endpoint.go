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

// Endpoint is a language model that answers POST requests at BASE/chat/completions. Several goroutines may use it.
//
// A request is repeated after a pause if it times out, if its connection breaks, if its status is 408, 429 or 5xx, or
// if its answer is not a completion. The pause doubles each time. It varies randomly by up to a tenth, so that requests
// that failed at the same time are not repeated at the same time. A Retry-After header replaces the pause. Other
// errors, such as a wrong key, are returned immediately.
type Endpoint struct {
	Base  string // address of the API, such as https://api.openai.com/v1
	Model string
	Key   string        // sent as a bearer token unless empty; never part of an error
	Limit time.Duration // time limit of a request; 0 means 2 minutes
	Tries int           // maximum number of requests; 0 means 6, with pauses of half a minute in total
	Pause time.Duration // pause before the second request; 0 means 1 second
}

// longestPause is the maximum pause, even if a server asks for a longer one.
const longestPause = 10 * time.Minute

// CheckBase returns an error if base is not a valid address of an endpoint.
func CheckBase(base string) error {
	address, err := url.Parse(base)
	if err != nil || address.Scheme != "http" && address.Scheme != "https" || address.Host == "" {
		return fmt.Errorf("%.80q is no address of an endpoint; give one such as https://api.openai.com/v1", base)
	}
	return nil
}

// address returns the URL for requests. Base may already contain the path.
func (e *Endpoint) address() string {
	const path = "/chat/completions"
	return strings.TrimSuffix(strings.TrimRight(e.Base, "/"), path) + path
}

// Complete asks the model at temperature 0 and returns its answer, which may be empty.
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
		wait := time.Duration(float64(pause) * (.9 + .2*rand.Float64())) // random: no result depends on the pause
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

// passingError is an error after which the request can be repeated.
type passingError struct {
	error
	wait time.Duration // pause that the server asks for; 0 for none
}

func (e *passingError) Unwrap() error { return e.error }

// client returns redirects as errors instead of following them, because a redirect could send the prompt to another
// host.
var client = &http.Client{CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }}

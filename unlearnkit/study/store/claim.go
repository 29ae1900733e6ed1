package store

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"strconv"
	"strings"
	"time"
)

// A machine renews its claim every claimBeat. A claim that was not renewed for claimLife belongs to a machine that
// died. Each machine measures the age of another machine's claim by its own clock, from the moment at which it first
// saw the claim. These are variables, so that tests are fast.
var (
	claimBeat = 20 * time.Second
	claimLife = 60 * time.Second
)

// claimPause is the pause between attempts to claim an artifact that another machine is making.
const claimPause = time.Second

// A claim keeps other machines from making an artifact. It only saves work: if two machines make an artifact all the
// same, the first manifest counts.
type claim struct {
	objects *shared
	key     Key
	number  int // the first claim has 0; each machine that takes over from a dead one adds 1
	stop    context.CancelFunc
	ended   chan struct{}
}

// sighting is another machine's claim and the time at which this machine first saw it.
type sighting struct {
	Object
	first time.Time
}

func (c *claim) name(number int) string { return fmt.Sprintf("claims/%s.%04d", c.key, number) }

// claim claims an artifact. If another machine is making it, it returns [ErrBusy]. The claim with the highest number
// counts. Claims are never replaced, so that only one of two machines can take over from a dead one.
func (r *shared) claim(ctx context.Context, key Key) (*claim, error) {
	if err := r.tryOnce(ctx); err != nil {
		return nil, err
	}
	others, err := r.List(ctx, "claims/"+string(key)+".")
	if err != nil {
		r.forget()
		return nil, err
	}
	c := &claim{objects: r, key: key, ended: make(chan struct{})}
	if len(others) > 0 {
		last := others[len(others)-1]
		if !r.isDead(key, last) {
			return nil, fmt.Errorf("%w: %s", ErrBusy, key.short())
		}
		number, err := strconv.Atoi(last.Name[strings.LastIndex(last.Name, ".")+1:])
		if err != nil {
			return nil, fmt.Errorf("%s/%s is not a claim of a store", r.Name(), last.Name)
		}
		c.number = number + 1
	}
	err = r.WriteNew(ctx, c.name(c.number), []byte(holder()))
	if errors.Is(err, fs.ErrExist) {
		return nil, fmt.Errorf("%w: %s", ErrBusy, key.short())
	}
	if err != nil {
		return nil, err
	}
	var renewing context.Context
	renewing, c.stop = context.WithCancel(context.WithoutCancel(ctx))
	go c.renew(renewing)
	return c, nil
}

// holder describes this process, for people who look at a claim.
func holder() string {
	host, _ := os.Hostname()
	return fmt.Sprintf("%s, process %d\n", host, os.Getpid())
}

// isDead reports whether a claim was not renewed for claimLife.
func (r *shared) isDead(key Key, last Object) bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	known, seen := r.seen[key]
	if !seen || known.Name != last.Name || !known.Modified.Equal(last.Modified) {
		r.seen[key] = sighting{last, time.Now()}
		return false
	}
	return time.Since(known.first) > claimLife
}

// forget drops the sightings of other machines' claims, which nobody can renew while the server does not answer.
func (r *shared) forget() {
	r.mu.Lock()
	defer r.mu.Unlock()
	clear(r.seen)
}

// renew rewrites the claim repeatedly, so that its time changes.
func (c *claim) renew(ctx context.Context) {
	defer close(c.ended)
	for {
		select {
		case <-ctx.Done():
			return
		case <-time.After(claimBeat):
		}
		// A server that does not answer now may answer at the next beat.
		c.objects.Write(ctx, c.name(c.number), strings.NewReader(holder())) //nolint:errcheck // see above
	}
}

// release gives the claim up, and removes the claims of dead machines before it.
func (c *claim) release() {
	if c == nil {
		return
	}
	c.stop()
	<-c.ended
	for n := range c.number + 1 {
		// A claim that stays delays others by claimLife at most.
		c.objects.Delete(context.Background(), c.name(n)) //nolint:errcheck // see above
	}
}

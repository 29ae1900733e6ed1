//go:build cgo && linux && amd64 && !noxla

package device

/*
#include <malloc.h>

// XLA on a CPU allocates what a step needs at each step anew. Given back to the kernel and fetched again page by page, large pieces take a fifth of the time of a step: so the C library keeps them. It
// must know before the first thread gets a heap of its own, which is always given back.
__attribute__((constructor)) static void keep_memory(void) {
#ifdef __GLIBC__
	mallopt(M_ARENA_MAX, 1);
	mallopt(M_MMAP_MAX, 0);
	mallopt(M_TRIM_THRESHOLD, -1);
	mallopt(M_TOP_PAD, 64 << 20);
#endif
}
*/
import "C"

//go:build cgo && linux && amd64 && !noxla

package device

/*
#include <malloc.h>
#include "xla_blocks.h"

// XLA on a CPU allocates new memory at each step. Returning large blocks to the kernel and fetching them again
// page by page would take a fifth of a step's time, so the C library keeps them. (With one heap for all threads it
// would keep the largest more reliably, but then the threads of small models wait for each other: the small CLIP's step
// takes 1.5 times as long.) The C library must be configured before the first thread gets a heap.
__attribute__((constructor)) static void keep_memory(void) {
#ifdef __GLIBC__
	mallopt(M_MMAP_MAX, 0);
	mallopt(M_TRIM_THRESHOLD, -1);
	mallopt(M_TOP_PAD, 64 << 20);
#endif
}
*/
import "C"

import "unsafe"

// keepBlocksOf makes the C library keep the large blocks that a CPU plugin frees.
func keepBlocksOf(path string) {
	name := C.CString(path)
	defer C.free(unsafe.Pointer(name))
	C.keep_blocks_of(name)
}

//go:build cgo && linux && amd64 && !noxla

package device

/*
#include <malloc.h>
#include "xla_blocks.h"

// XLA on a CPU allocates what a step needs at each step anew. Giving large pieces back to the kernel and fetching them
// again page by page takes a fifth of the time of a step, so the C library keeps them. (With one heap for all threads
// it would keep the largest more surely, but then small models wait for each other's threads: the small CLIP's step
// takes half as long again.) The C library must know before the first thread gets a heap.
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

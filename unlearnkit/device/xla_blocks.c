//go:build cgo && linux && amd64 && !noxla

// The C library maps new memory for each allocation that is larger than a thread's heap (64 MiB), and XLA on a CPU
// allocates one such block at each step. Fetching it page by page and clearing it takes a quarter of the time of a small
// UNet's step. This file therefore replaces the two functions of the C library with which XLA's plugin allocates and
// frees blocks: it keeps large blocks that the plugin frees for the next step. All other memory comes from the C library
// as before.

#define _GNU_SOURCE
#include "xla_blocks.h"

#ifdef __GLIBC__

#include <dlfcn.h>
#include <errno.h>
#include <pthread.h>
#include <stdint.h>
#include <string.h>
#include <sys/mman.h>

extern void *__libc_memalign(size_t alignment, size_t size);
extern void __libc_free(void *at);

#define LARGE ((size_t)32 << 20)      // the smallest block that is kept
#define MOST_KEPT ((size_t)1 << 30)   // total size of the unused blocks that are kept
#define HUGE_PAGE ((size_t)2 << 20)   // blocks begin at multiples of it, other memory rarely does
#define MOST_BLOCKS 256
#define MOST_PLUGINS 16 // blocks of further plugins are not kept

struct block {
	char *at; // NULL if the entry is free
	size_t size;
	unsigned long freed; // when it was freed, from 1; 0 while in use
};

static struct block blocks[MOST_BLOCKS];
static unsigned long now;
static const char *plugins[MOST_PLUGINS]; // paths of XLA's plugin; the loader reports the first path of a library
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

// find_plugin returns the entry of a path in plugins, or the first free one, or NULL if there is no entry left.
static const char **find_plugin(const char *path) {
	for (const char **p = plugins; p < plugins + MOST_PLUGINS; p++) {
		if (!*p || !strcmp(*p, path))
			return p;
	}
	return NULL;
}

void keep_blocks_of(const char *path) {
	pthread_mutex_lock(&lock);
	const char **place = find_plugin(path);
	if (place && !*place)
		*place = strdup(path);
	pthread_mutex_unlock(&lock);
}

// of_plugin reports whether the code at the address belongs to the plugin.
static int of_plugin(void *code) {
	Dl_info info;
	if (!dladdr(code, &info) || !info.dli_fname)
		return 0;
	const char **place = find_plugin(info.dli_fname);
	return place && *place;
}

// map_block returns a new block at a multiple of a huge page, or NULL if the kernel has no memory.
static char *map_block(size_t size) {
	char *at = mmap(NULL, size + HUGE_PAGE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	if (at == MAP_FAILED)
		return NULL;
	size_t before = -(uintptr_t)at % HUGE_PAGE;
	if (before > 0)
		munmap(at, before);
	munmap(at + before + size, HUGE_PAGE - before);
	madvise(at + before, size, MADV_HUGEPAGE);
	return at + before;
}

// take_block returns a kept block that is at most slightly larger than size, or a new one.
static char *take_block(size_t size) {
	struct block *best = NULL, *none = NULL;
	for (struct block *b = blocks; b < blocks + MOST_BLOCKS; b++) {
		if (!b->at)
			none = b;
		else if (b->freed && b->size >= size && b->size - size <= size / 4 &&
			 (!best || b->size < best->size))
			best = b;
	}
	if (best) {
		best->freed = 0;
		return best->at;
	}
	char *at = none ? map_block(size) : NULL;
	if (at)
		*none = (struct block){at, size, 0};
	return at;
}

// free_oldest returns the blocks that were freed first to the kernel, until at most MOST_KEPT remain.
static void free_oldest(void) {
	for (;;) {
		size_t kept = 0;
		struct block *oldest = NULL;
		for (struct block *b = blocks; b < blocks + MOST_BLOCKS; b++) {
			if (!b->at || !b->freed)
				continue;
			kept += b->size;
			if (!oldest || b->freed < oldest->freed)
				oldest = b;
		}
		if (kept <= MOST_KEPT)
			return;
		munmap(oldest->at, oldest->size);
		oldest->at = NULL;
	}
}

// give_back keeps the block at the address and reports whether there was one.
static int give_back(char *at) {
	for (struct block *b = blocks; b < blocks + MOST_BLOCKS; b++) {
		if (b->at == at && !b->freed) {
			b->freed = ++now;
			free_oldest();
			return 1;
		}
	}
	return 0;
}

int posix_memalign(void **out, size_t alignment, size_t size) {
	if (alignment == 0 || alignment % sizeof(void *) || alignment & (alignment - 1))
		return EINVAL;
	if (size >= LARGE && size < SIZE_MAX - 2 * HUGE_PAGE && alignment <= HUGE_PAGE &&
	    of_plugin(__builtin_return_address(0))) {
		pthread_mutex_lock(&lock);
		char *at = take_block((size + HUGE_PAGE - 1) & -HUGE_PAGE);
		pthread_mutex_unlock(&lock);
		if (at) {
			*out = at;
			return 0;
		}
	}
	int before = errno;
	void *at = __libc_memalign(alignment, size);
	errno = before;
	if (!at)
		return ENOMEM;
	*out = at;
	return 0;
}

void free(void *at) {
	if ((uintptr_t)at % HUGE_PAGE == 0 && at) {
		pthread_mutex_lock(&lock);
		int ours = give_back(at);
		pthread_mutex_unlock(&lock);
		if (ours)
			return;
	}
	__libc_free(at);
}

#else

void keep_blocks_of(const char *path) {}

#endif

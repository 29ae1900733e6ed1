//go:build cgo && linux && amd64 && !noxla

// The C library maps memory anew for each allocation larger than a heap of a thread (64 MiB), and XLA on a CPU asks for
// one such block at each step: fetching it page by page and clearing it takes a quarter of the time of a small UNet's
// step. The two functions of the C library through which XLA's plugin asks for a block and gives it back are therefore
// replaced: a large block of the plugin that is given back is kept for the next step. All other memory comes from the C
// library as before.

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
#define MOST_KEPT ((size_t)1 << 30)   // of all blocks together that nobody uses
#define HUGE_PAGE ((size_t)2 << 20)   // blocks begin at multiples of it, other memory seldom does
#define MOST_BLOCKS 256
#define MOST_PLUGINS 16 // of further ones no blocks are kept

struct block {
	char *at; // NULL where there is none
	size_t size;
	unsigned long given_back; // a time that counts from 1; 0 of a block in use
};

static struct block blocks[MOST_BLOCKS];
static unsigned long now;
static const char *plugins[MOST_PLUGINS]; // paths of XLA's plugin: the loader names a library by the first it had
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

// named is the place of a path among those of the plugin, or the first free one; NULL where there is neither.
static const char **named(const char *path) {
	for (const char **p = plugins; p < plugins + MOST_PLUGINS; p++) {
		if (!*p || !strcmp(*p, path))
			return p;
	}
	return NULL;
}

void keep_blocks_of(const char *path) {
	pthread_mutex_lock(&lock);
	const char **place = named(path);
	if (place && !*place)
		*place = strdup(path);
	pthread_mutex_unlock(&lock);
}

// of_plugin reports whether code at the address is the plugin's.
static int of_plugin(void *code) {
	Dl_info info;
	if (!dladdr(code, &info) || !info.dli_fname)
		return 0;
	const char **place = named(info.dli_fname);
	return place && *place;
}

// map is a new block at a multiple of a huge page, NULL where the kernel has no memory.
static char *map(size_t size) {
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

// take is a kept block that is little larger than what is asked for, or a new one.
static char *take(size_t size) {
	struct block *best = NULL, *none = NULL;
	for (struct block *b = blocks; b < blocks + MOST_BLOCKS; b++) {
		if (!b->at)
			none = b;
		else if (b->given_back && b->size >= size && b->size - size <= size / 4 &&
			 (!best || b->size < best->size))
			best = b;
	}
	if (best) {
		best->given_back = 0;
		return best->at;
	}
	char *at = none ? map(size) : NULL;
	if (at)
		*none = (struct block){at, size, 0};
	return at;
}

// forget_old gives the kernel the blocks back that nobody has used for longest, until the rest are not too much.
static void forget_old(void) {
	for (;;) {
		size_t kept = 0;
		struct block *oldest = NULL;
		for (struct block *b = blocks; b < blocks + MOST_BLOCKS; b++) {
			if (!b->at || !b->given_back)
				continue;
			kept += b->size;
			if (!oldest || b->given_back < oldest->given_back)
				oldest = b;
		}
		if (kept <= MOST_KEPT)
			return;
		munmap(oldest->at, oldest->size);
		oldest->at = NULL;
	}
}

// give_back reports whether a block began there.
static int give_back(char *at) {
	for (struct block *b = blocks; b < blocks + MOST_BLOCKS; b++) {
		if (b->at == at && !b->given_back) {
			b->given_back = ++now;
			forget_old();
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
		char *at = take((size + HUGE_PAGE - 1) & -HUGE_PAGE);
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

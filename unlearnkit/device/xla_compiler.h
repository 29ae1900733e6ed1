#include <stddef.h>
#include <stdint.h>

typedef struct compiler compiler;

// sizes are in bytes; peak is the largest use of memory.
typedef struct {
	int64_t arguments, outputs, aliased, temporary, peak;
} sizes;

// open_compiler loads a PJRT plugin and describes a GPU to it. It returns NULL, or an error for the caller to free.
char *open_compiler(const char *plugin, const char *target, compiler **opened);

// compile compiles a StableHLO program. It returns NULL, or an error for the caller to free.
char *compile(const compiler *c, char *program, size_t size, const char *options, size_t options_size, sizes *result);

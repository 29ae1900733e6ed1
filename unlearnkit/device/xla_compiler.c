//go:build cgo && linux && amd64 && !noxla

// A PJRT plugin compiles for a GPU that the machine does not have if it gets a description of the GPU, a topology.
// go-xla has no function for topologies. This file calls the plugin through PJRT's C interface. The interface's
// structures only ever grow at their ends, so this file declares the beginning of each that it uses, as in openxla/xla's
// pjrt_c_api.h.

#define _GNU_SOURCE
#include "xla_compiler.h"

#include <dlfcn.h>
#include <stdlib.h>
#include <string.h>

#define HEAD size_t struct_size; void *extension
#define MAKE(type, name, ...) type name = {.struct_size = sizeof(type), __VA_ARGS__}

// Places in the table of functions.
enum { ERROR_DESTROY = 0, ERROR_MESSAGE = 1, PLUGIN_INITIALIZE = 3, EXECUTABLE_DESTROY = 40, TOPOLOGY_CREATE = 82,
	COMPILE = 89, MEMORY_STATS = 96 };

typedef struct {
	HEAD;
	struct { HEAD; int major, minor; } version;
	void *(*functions[97])(void *arguments);
} api;

typedef struct { HEAD; void *error; const char *message; size_t size; } error_arguments;
typedef struct { HEAD; } initialize_arguments;
typedef struct { HEAD; const char *name; size_t name_size; int type; const char *value; size_t size; } named_value;
typedef struct {
	HEAD;
	const char *name;
	size_t name_size;
	const named_value *options;
	size_t count;
	void *topology;
} topology_arguments;
typedef struct { HEAD; char *code; size_t size; const char *format; size_t format_size; } program_text;
typedef struct {
	HEAD;
	void *topology;
	const program_text *program;
	const char *options;
	size_t options_size;
	void *client, *executable;
} compile_arguments;
typedef struct { HEAD; void *executable; } destroy_arguments;
typedef struct {
	HEAD;
	void *executable;
	int64_t code, arguments, outputs, aliased, temporary;
	int64_t on_host[5];
	int64_t peak;
} memory_arguments;

struct compiler {
	const api *api;
	void *topology;
};

// message frees an error and returns its text, NULL for none.
static char *message(const api *a, void *error) {
	if (!error) return NULL;
	MAKE(error_arguments, m, .error = error);
	a->functions[ERROR_MESSAGE](&m);
	char *text = strndup(m.message, m.size);
	struct { HEAD; void *error; } d = {.struct_size = sizeof d, .error = error};
	a->functions[ERROR_DESTROY](&d);
	return text;
}

char *open_compiler(const char *plugin, const char *target, compiler **opened) {
	void *library = dlopen(plugin, RTLD_NOW | RTLD_LOCAL);
	if (!library) return strdup(dlerror());
	const api *(*get)(void) = (const api *(*)(void))dlsym(library, "GetPjrtApi");
	if (!get) return strdup("it has no function GetPjrtApi");
	const api *a = get();
	if (a->version.major != 0 || a->struct_size < sizeof(api)) return strdup("its version of PJRT is unknown");
	MAKE(initialize_arguments, start);
	char *problem = message(a, a->functions[PLUGIN_INITIALIZE](&start));
	if (problem) return problem;
	named_value options[] = {
		{.struct_size = sizeof(named_value), .name = "target_config", .name_size = strlen("target_config"),
			.value = target, .size = strlen(target)},
		{.struct_size = sizeof(named_value), .name = "topology", .name_size = strlen("topology"), .value = "1x1x1",
			.size = strlen("1x1x1")},
	};
	MAKE(topology_arguments, t, .name = "", .options = options, .count = 2);
	problem = message(a, a->functions[TOPOLOGY_CREATE](&t));
	if (problem) return problem;
	*opened = malloc(sizeof(compiler));
	**opened = (compiler){a, t.topology};
	return NULL;
}

char *compile(const compiler *c, char *program, size_t size, const char *options, size_t options_size, sizes *result) {
	const api *a = c->api;
	MAKE(program_text, text, .code = program, .size = size, .format = "mlir", .format_size = strlen("mlir"));
	MAKE(compile_arguments, job, .topology = c->topology, .program = &text, .options = options,
		.options_size = options_size);
	char *problem = message(a, a->functions[COMPILE](&job));
	if (problem) return problem;
	MAKE(memory_arguments, m, .executable = job.executable);
	problem = message(a, a->functions[MEMORY_STATS](&m));
	MAKE(destroy_arguments, d, .executable = job.executable);
	free(message(a, a->functions[EXECUTABLE_DESTROY](&d)));
	*result = (sizes){m.arguments, m.outputs, m.aliased, m.temporary, m.peak};
	return problem;
}

#include <stdlib.h>

// keep_blocks_of makes the C library keep the large blocks that the plugin at the path frees.
void keep_blocks_of(const char *path);

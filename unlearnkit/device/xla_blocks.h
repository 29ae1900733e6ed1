#include <stdlib.h>

// keep_blocks_of names the plugin whose large blocks are kept.
void keep_blocks_of(const char *path);

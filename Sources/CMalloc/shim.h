#ifndef CMALLOC_SHIM_H
#define CMALLOC_SHIM_H

// Swift's Glibc module leaves this header out.
#include <malloc.h>

#endif

#ifndef CBUILD_H
#define CBUILD_H

// The commit that the program was built from; empty where the builder has not said it.
const char *qoe_build_commit(void);

#endif

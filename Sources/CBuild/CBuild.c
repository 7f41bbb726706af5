#include "CBuild.h"

#define TEXT_OF(name) #name
#define TEXT(name) TEXT_OF(name)

const char *qoe_build_commit(void) {
#ifdef QOE_COMMIT
    return TEXT(QOE_COMMIT);
#else
    return "";
#endif
}

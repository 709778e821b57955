#ifndef COPENAPI_H
#define COPENAPI_H

#include <stddef.h>

/// docs/openapi.yaml, byte for byte, as it was when the program was built; `length` is set to its bytes.
const unsigned char *_Nonnull vestibule_openapi_document(size_t *_Nonnull length);

#endif

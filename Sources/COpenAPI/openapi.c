#include "COpenAPI.h"

#pragma clang diagnostic ignored "-Wc23-extensions"

static const unsigned char document[] = {
#embed "../../docs/openapi.yaml"
};

const unsigned char *_Nonnull vestibule_openapi_document(size_t *_Nonnull length) {
    *length = sizeof document;
    return document;
}

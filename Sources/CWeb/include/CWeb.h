#ifndef CWEB_H
#define CWEB_H

#include <stddef.h>

/// A file of Sources/Web, byte for byte, as it was when the program was built.
struct vestibule_web_file {
    /// Its path below Sources/Web.
    const char *_Nonnull path;
    /// Its bytes and a zero behind them.
    const unsigned char *_Nonnull text;
};

/// All of them; `count` is set to how many there are.
const struct vestibule_web_file *_Nonnull vestibule_web_files(size_t *_Nonnull count);

/// A picture of Sources/Web, byte for byte.
struct vestibule_web_image {
    /// Its path below Sources/Web.
    const char *_Nonnull path;
    const unsigned char *_Nonnull bytes;
    size_t length;
};

/// All pictures; `count` is set to how many there are.
const struct vestibule_web_image *_Nonnull vestibule_web_images(size_t *_Nonnull count);

#endif

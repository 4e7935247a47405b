// Whether the address sanitizer is compiled in, which stands in for malloc and pthread_create itself.
#pragma once

#if defined(__SANITIZE_ADDRESS__)
#define CHORD_SANITIZED
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
#define CHORD_SANITIZED
#endif
#endif

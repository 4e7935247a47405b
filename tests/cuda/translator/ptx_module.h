// What translated PTX and the stand-in driver know of each other: the tables of a module, a thread of the GPU, and what
// the driver does for it. Read by both compilers, as C and as C++.
#pragma once

#include <stdint.h>

// What an instruction of the table of sites does.
enum { PTX_LOAD, PTX_STORE, PTX_ATOMIC, PTX_OTHER };
// Shared addresses begin there, so that address 0 is a fault.
enum { SHARED_FIRST = 1024 };
// The generic address of shared address 0. No pointer of a process looks like that.
#define SHARED_WINDOW 0x00f0000000000000ull
static inline int ptx_is_shared(uint64_t address) { return (address ^ SHARED_WINDOW) >> 32 == 0; }

struct PtxThread;

// An instruction that messages and counts name.
struct PtxSite {
  const char* text;
  int kind, bytes;
};

// Its basic blocks and sites end where those of the next function begin.
struct PtxFunction {
  const char* name;
  int first_block, first_site;
};

struct PtxVariable {
  const char* name;
  uint64_t bytes;
  const unsigned char* value;
};

struct PtxEntry {
  const char* name;
  void (*run)(struct PtxThread*, const unsigned char* const* parameters);
  int parameters;
  const int* sizes;
  int waits;  // some thread may have to wait for another
  uint32_t static_shared;
  const uint32_t* shared_at;       // of each shared variable of the module
  const int* functions;            // those it can reach; -1 ends
  uint32_t max_threads, block[3];  // .maxntid and .reqntid, 0: any
};

struct PtxModule {
  int target, classes, blocks, sites, variables;
  const char* const* class_names;
  const unsigned short* block_classes;  // [block * classes + class]: instructions
  const struct PtxSite* site;
  const struct PtxFunction* function;
  const struct PtxVariable* variable;
  const struct PtxEntry* entry;  // a null name ends
};

// What a warp did, for each of its lanes: how often each basic block, and at which addresses each site.
struct PtxCounts {
  uint32_t* blocks;      // [block * 32 + lane]
  uint32_t* visits;      // [site * 32 + lane]
  uint32_t* capacity;    // [site]
  uint64_t** addresses;  // [site][visit * 32 + lane]
  void (*grow)(struct PtxCounts*, int site);
};

// What the driver does for a thread.
struct PtxHost {
  // An address that is not plainly good: its bytes, or a fault.
  unsigned char* (*slow)(struct PtxThread*, uint64_t address, int bytes, int kind, int site);
  void (*watch)(struct PtxThread*, uint64_t address, int bytes, int kind, int site);
  void (*barrier)(struct PtxThread*, uint32_t number, uint32_t threads, int site);
  // The lanes of a mask exchange a value each; returns who came.
  uint32_t (*meet)(struct PtxThread*, uint32_t mask, uint64_t value, uint64_t* all, int site);
  // The thread ends, or (with a reason) the launch; does not return.
  void (*stop)(struct PtxThread*, const char* why, int site);
};

struct PtxThread {
  uint32_t tid[3], ntid[3], ctaid[3], nctaid[3], linear, lane;
  uint64_t base, size, delta;   // device addresses [base, base + size) live at + delta in this process
  const unsigned char* shadow;  // of every 8 bytes, how many (the first ones) are allocated
  unsigned char* shared;
  uint32_t shared_size, dynamic_shared;
  const uint32_t* shared_at;
  const uint64_t* variables;       // device addresses of the module's variables
  uint64_t stack_low, stack_high;  // local memory is the C stack
  uint32_t path;                   // a hash of the calls that led here
  uint32_t seed;                   // of what a GPU may do one way or the other
  const struct PtxHost* host;
  struct PtxCounts* counts;
  void* block;  // the driver's own
};

#include "fibres.hpp"

#include <sys/mman.h>

#include "memory.hpp"

#ifndef __x86_64__
#error "fibres are written for x86-64: add the switch of your processor here"
#endif

// Saves what a call must preserve on the old stack and takes it from the new one. A new fibre finds its function and
// argument in r12 and r13.
extern "C" void chord_standin_switch(void** from, void* to);
extern "C" void chord_standin_begin();
asm(R"(
.text
.hidden chord_standin_switch
.globl chord_standin_switch
.type chord_standin_switch,@function
chord_standin_switch:
  pushq %rbp
  pushq %rbx
  pushq %r12
  pushq %r13
  pushq %r14
  pushq %r15
  movq %rsp, (%rdi)
  movq %rsi, %rsp
  popq %r15
  popq %r14
  popq %r13
  popq %r12
  popq %rbx
  popq %rbp
  ret
.size chord_standin_switch,.-chord_standin_switch
.hidden chord_standin_begin
.globl chord_standin_begin
.type chord_standin_begin,@function
chord_standin_begin:
  movq %r13, %rdi
  call *%r12
  ud2
.size chord_standin_begin,.-chord_standin_begin
)");

namespace chord::standin {
namespace {

constexpr std::uint64_t guard = 4096;

/// What chord_standin_switch takes from a stack, lowest address first.
struct Saved {
  void *r15, *r14, *r13, *r12, *rbx, *rbp, *return_address;
};

}  // namespace

Fibres::~Fibres() {
  for (char* stack : stacks_) munmap(stack, guard + stack_bytes);
}

void Fibres::prepare(std::uint32_t fibre, Start start, void* argument) {
  while (stacks_.size() <= fibre) {
    auto* stack = static_cast<char*>(reserve(guard + stack_bytes));
    mprotect(stack, guard, PROT_NONE);
    stacks_.push_back(stack);
    contexts_.push_back(nullptr);
  }
  // Each begins elsewhere, or all would share the same few sets of the cache.
  char* top = stacks_[fibre] + guard + stack_bytes - fibre * 576 % 8192;
  auto* saved = reinterpret_cast<Saved*>(top) - 1;
  *saved = Saved{};
  saved->r12 = reinterpret_cast<void*>(start);
  saved->r13 = argument;
  saved->return_address = reinterpret_cast<void*>(chord_standin_begin);
  contexts_[fibre] = saved;
}

void Fibres::resume(std::uint32_t fibre) {
  current_ = fibre;
  chord_standin_switch(&home_, contexts_[fibre]);
}

void Fibres::pause() { chord_standin_switch(&contexts_[current_], home_); }

std::uint64_t Fibres::stack_low(std::uint32_t fibre) const {
  return reinterpret_cast<std::uint64_t>(stacks_[fibre]) + guard;
}

}  // namespace chord::standin

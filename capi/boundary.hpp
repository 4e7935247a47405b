// The boundary of the library: no exception leaves it, every failure becomes a status and a message.
#pragma once

#include <chord/chord.h>
#include <cxxabi.h>

#include <algorithm>
#include <cstring>
#include <iterator>
#include <new>
#include <string>
#include <string_view>
#include <system_error>

#include "capi/call.hpp"
#include "common/error.hpp"

namespace chord::capi {

/// Keeps "function: message" for chord_last_error and returns the status.
chord_status report(Status status, const char* function, const char* message) noexcept;

/// Runs the body of an API function. Only one thing passes: the end of the thread (pthread_exit, or a cancellation) in
/// a callback, which unwinds the stack and aborts the process where somebody stops it.
template <class Body>
chord_status guarded(const char* function, Body body) {
  const Call call;
  try {
    body();
    return CHORD_SUCCESS;
#ifdef __GLIBCXX__
  } catch (abi::__forced_unwind&) {
    throw;
#endif
  } catch (const Error& error) {
    return report(error.status(), function, error.what());
  } catch (const std::bad_alloc&) {
    return report(Status::out_of_memory, function, "out of memory");
  } catch (const std::length_error&) {
    return report(Status::too_large, function, "a size beyond what can be addressed");
  } catch (const std::system_error& error) {
    // Where no thread can be started, which is a matter of resources as memory is.
    const bool scarce = error.code() == std::errc::resource_unavailable_try_again;
    return report(scarce ? Status::out_of_memory : Status::internal, function, error.what());
  } catch (const std::exception& error) {
    return report(Status::internal, function, error.what());
  } catch (...) {
    return report(Status::internal, function, "an unknown exception");
  }
}

/// Throws unless an out-parameter or a required pointer is there.
template <class T>
T* required(T* pointer, const char* name) {
  if (!pointer) fail(Status::invalid_argument, name, " is NULL");
  return pointer;
}

inline bool flag(std::int32_t value, const char* name) {
  if (value != 0 && value != 1) fail(Status::invalid_argument, name, " is ", value, "; expected 0 or 1");
  return value == 1;
}

/// An element of something that can be listed by index.
template <class List>
const auto& item(const List& list, std::int32_t index) {
  if (index < 0 || std::size_t(index) >= std::size(list))
    fail(Status::invalid_argument, "index is ", index, "; expected 0 to ", std::size(list) - 1);
  return list[std::size_t(index)];
}

template <class List>
void count_items(const List& list, std::int32_t* count) {
  *required(count, "count") = std::int32_t(std::size(list));
}

/// The size of a struct in the first version of the header that had it. A struct that grows is specialised here.
template <class Info>
inline constexpr std::size_t first_size = sizeof(Info);

/// Throws unless a caller's struct, which may be of an older or newer version of the header, can be understood.
template <class Info>
void check_struct(const Info* caller, const char* name) {
  constexpr std::size_t largest = 1 << 16;  // no version will be; a larger size was never set
  required(caller, name);
  const std::size_t size = caller->struct_size;
  if (size < first_size<Info> || size > largest)
    fail(Status::invalid_argument, name, "->struct_size is ", size, "; expected sizeof the struct, ", sizeof(Info));
  const char* bytes = reinterpret_cast<const char*>(caller);
  for (std::size_t i = sizeof(Info); i < size; ++i)
    if (bytes[i] != 0)
      fail(Status::unsupported, name, " has members that this library does not know; set them to zero");
}

/// Fills a caller's struct.
template <class Info>
void fill_info(Info* caller, Info value, const char* name) {
  check_struct(caller, name);
  value.struct_size = caller->struct_size;
  std::memcpy(static_cast<void*>(caller), &value, std::min(caller->struct_size, sizeof(Info)));
}

/// A caller's struct, members it does not know being zero; NULL means all of them.
template <class Options>
Options read_struct(const Options* caller, const char* name) {
  Options value{};
  if (!caller) return value;
  check_struct(caller, name);
  std::memcpy(static_cast<void*>(&value), caller, std::min(caller->struct_size, sizeof(Options)));
  return value;
}

/// How much of a UTF-8 text fits into so many bytes, no character being cut in two.
inline std::size_t fitting_text(std::string_view text, std::size_t bytes) {
  if (text.size() <= bytes) return text.size();
  while (bytes > 0 && (static_cast<unsigned char>(text[bytes]) & 0xC0) == 0x80) --bytes;
  return bytes;
}

template <std::size_t Size>
void copy_text(char (&target)[Size], const std::string& text) {
  const std::size_t length = fitting_text(text, Size - 1);
  std::memcpy(target, text.data(), length);
  target[length] = '\0';
}

}  // namespace chord::capi

#include "device/cuda/staging.hpp"

#include <algorithm>
#include <cstring>
#include <utility>

namespace chord::cuda {
namespace {

// Long enough to hide what a copy costs to begin, short enough for the halves of a batch to overlap.
constexpr std::size_t upload_bytes = std::size_t(4) << 20;
// Results that a step leaves behind are small; anything longer goes through two of these in turn.
constexpr std::size_t download_bytes = std::size_t(1) << 20;

}  // namespace

PinnedBuffer::PinnedBuffer(Gpu& gpu, std::size_t bytes) : gpu_(gpu) {
  void* memory = nullptr;
  gpu.check(driver().cuMemHostAlloc(&memory, bytes, 0), "pinning host memory");
  data_ = static_cast<char*>(memory);
  const Result result = driver().cuEventCreate(&event_, event_without_times);
  if (result != success) driver().cuMemFreeHost(data_);
  gpu.check(result, "creating an event");
}

PinnedBuffer::~PinnedBuffer() {
  driver().cuEventDestroy_v2(event_);
  driver().cuMemFreeHost(data_);
}

void PinnedBuffer::record(Stream* stream) { gpu_.check(driver().cuEventRecord(event_, stream), "recording an event"); }
void PinnedBuffer::wait() { gpu_.check(driver().cuEventSynchronize(event_), "waiting for an event"); }

void Uploads::add(Stream* stream, void* to, const void* from, std::size_t bytes) {
  for (std::size_t done = 0; done < bytes; done += upload_bytes) {
    const std::size_t piece = std::min(upload_bytes, bytes - done);
    auto& buffer = buffers_[next_++ % buffers_.size()];
    if (buffer)
      buffer->wait();
    else
      buffer = std::make_unique<PinnedBuffer>(gpu_, upload_bytes);
    std::memcpy(buffer->data(), static_cast<const char*>(from) + done, piece);
    gpu_.check(driver().cuMemcpyAsync(address_of(to) + done, address_of(buffer->data()), piece, stream),
               "copying to the device");
    buffer->record(stream);
  }
}

std::unique_ptr<PinnedBuffer> Downloads::take_buffer() {
  if (unused_.empty()) return std::make_unique<PinnedBuffer>(gpu_, download_bytes);
  auto buffer = std::move(unused_.back());
  unused_.pop_back();
  return buffer;
}

void Downloads::add(Stream* stream, void* to, const void* from, std::size_t bytes) {
  const std::lock_guard lock(adding_);
  if (bytes > download_bytes)
    return copy_in_pieces(stream, static_cast<char*>(to), static_cast<const char*>(from), bytes);
  auto buffer = take_buffer();
  pending_.reserve(pending_.size() + 1);  // a copy that was begun must be among them, and no other
  gpu_.check(driver().cuMemcpyAsync(address_of(buffer->data()), address_of(from), bytes, stream),
             "copying to the host");
  pending_.push_back({std::move(buffer), to, bytes});
}

// While the host takes one piece out of its buffer, the GPU copies the next.
void Downloads::copy_in_pieces(Stream* stream, char* to, const char* from, std::size_t bytes) {
  Pending pieces[2];
  for (Pending& each : pieces) each = {take_buffer(), nullptr, 0};
  const auto empty = [](Pending& piece) {
    if (piece.bytes == 0) return;
    piece.buffer->wait();
    std::memcpy(piece.to, piece.buffer->data(), piece.bytes);
    piece.bytes = 0;
  };
  int turn = 0;
  for (std::size_t done = 0; done < bytes; done += download_bytes, turn ^= 1) {
    Pending& piece = pieces[turn];
    empty(piece);
    const std::size_t length = std::min(download_bytes, bytes - done);
    gpu_.check(driver().cuMemcpyAsync(address_of(piece.buffer->data()), address_of(from + done), length, stream),
               "copying to the host");
    piece.buffer->record(stream);
    piece.to = to + done;
    piece.bytes = length;
  }
  for (const int each : {turn, turn ^ 1}) empty(pieces[each]);
  for (Pending& each : pieces) unused_.push_back(std::move(each.buffer));
}

void Downloads::finish(Stream* stream) {
  const std::lock_guard finishing(finishing_);
  std::vector<Pending> pending;
  {
    const std::lock_guard lock(adding_);
    pending.swap(pending_);
  }
  gpu_.check(driver().cuStreamSynchronize(stream), "running kernels");
  for (const Pending& each : pending) std::memcpy(each.to, each.buffer->data(), each.bytes);
  const std::lock_guard lock(adding_);
  for (Pending& each : pending) unused_.push_back(std::move(each.buffer));
}

}  // namespace chord::cuda

// Pinned host memory between the user's and the GPU's: from it the GPU copies by itself while the host goes on, and
// neither side waits for the other more than it must.
#pragma once

#include <array>
#include <cstddef>
#include <memory>
#include <mutex>
#include <vector>

#include "device/cuda/device.hpp"

namespace chord::cuda {

/// Pinned memory and the event after which it may be used again.
class PinnedBuffer {
 public:
  PinnedBuffer(Gpu& gpu, std::size_t bytes);
  ~PinnedBuffer();
  PinnedBuffer(const PinnedBuffer&) = delete;
  PinnedBuffer& operator=(const PinnedBuffer&) = delete;

  char* data() const { return data_; }
  void record(Stream* stream);  ///< what the stream has been given so far uses the buffer
  void wait();

 private:
  Gpu& gpu_;
  char* data_ = nullptr;
  Event* event_ = nullptr;
};

/// Copies to the device. Two buffers take turns: while the GPU reads one, the host fills the other.
class Uploads {
 public:
  explicit Uploads(Gpu& gpu) : gpu_(gpu) {}
  /// `from` is the caller's again on return.
  void add(Stream* stream, void* to, const void* from, std::size_t bytes);

 private:
  Gpu& gpu_;
  std::array<std::unique_ptr<PinnedBuffer>, 2> buffers_;
  std::size_t next_ = 0;
};

/// Copies to the host, which are there once the stream has been waited for.
class Downloads {
 public:
  explicit Downloads(Gpu& gpu) : gpu_(gpu) {}
  void add(Stream* stream, void* to, const void* from, std::size_t bytes);
  /// Waits for the stream; everything added before is there then.
  void finish(Stream* stream);

 private:
  struct Pending {
    std::unique_ptr<PinnedBuffer> buffer;
    void* to;
    std::size_t bytes;
  };
  std::unique_ptr<PinnedBuffer> take_buffer();
  void copy_in_pieces(Stream* stream, char* to, const char* from, std::size_t bytes);

  Gpu& gpu_;
  std::mutex finishing_;  // held by whoever waits: the next one finds the earlier one's copies done
  std::mutex adding_;
  std::vector<Pending> pending_;
  std::vector<std::unique_ptr<PinnedBuffer>> unused_;
};

struct Staging {
  explicit Staging(Gpu& gpu) : uploads(gpu), downloads(gpu) {}
  Uploads uploads;
  Downloads downloads;
};

}  // namespace chord::cuda

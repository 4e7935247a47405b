#include "data/files/pack_cache.hpp"

#include <system_error>

#include "common/file.hpp"
#include "common/folders.hpp"
#include "common/log.hpp"
#include "common/memory.hpp"
#include "common/size.hpp"
#include "data/files/fingerprint.hpp"

namespace chord {
namespace {

namespace fs = std::filesystem;

/// Grows when records are decoded in another way: packs of before are then made anew.
constexpr int version = 1;

/// The cache cannot be written; what is wrong with the files themselves is no such problem.
struct CacheProblem {
  std::string message;
};

template <class Body>
void in_cache(Body body) {
  try {
    body();
  } catch (const Error& error) {
    if (error.status() == Status::out_of_memory) throw;  // a copy in memory would not help
    throw CacheProblem{error.what()};
  }
}

/// One file for each folder of files, wherever it is reached from; empty without a cache.
fs::path path_of(const PackFiles& files) {
  const fs::path cache = dataset_cache();
  if (cache.empty()) return {};
  const std::string name = files.task + "-" + files.part + "-" + hexadecimal(hash_of(files.folder.native()));
  return cache / (name + ".pack");
}

/// A name may have any bytes, a head has text.
std::string as_text(const std::string& name) {
  std::string result;
  for (const char each : name) result += each >= ' ' && each <= '~' ? std::string(1, each) : text('%', int(each));
  return result;
}

std::string identity_of(const PackFiles& files) {
  return text(files.task, ' ', files.part, ' ', version, ' ', hexadecimal(fingerprint_of(files.paths)), ' ',
              as_text(files.folder.native()));
}

/// Null where there is none that is right.
std::shared_ptr<const Pack> kept_pack(const fs::path& path, const std::string& identity) {
  std::error_code ignored;
  if (path.empty() || !fs::exists(path, ignored)) return nullptr;
  try {
    return std::make_shared<const Pack>(map_pack(path, identity));
  } catch (const Error& error) {
    if (error.status() == Status::out_of_memory) throw;
    log(LogLevel::info, text(error.what(), "; it is made anew"));
    return nullptr;
  }
}

void write_to_cache(const fs::path& path, const PackFiles& files, const RecordSource& source,
                    const std::string& identity, const Progress& progress) {
  std::unique_ptr<NewFile> file;
  in_cache([&] {
    if (path.empty()) fail(Status::io_failure, "there is no folder for it: neither XDG_CACHE_HOME nor HOME is set");
    const fs::path folder = path.parent_path();
    std::error_code problem;
    fs::create_directories(folder, problem);
    if (problem) fail(status_of(problem), folder.native(), ": cannot be made: ", problem.message());
    file = std::make_unique<NewFile>(path);
  });
  write_pack(
      source, identity, files.length, [&](std::string_view part) { in_cache([&] { file->write(part); }); }, progress);
  in_cache([&] { file->commit(); });
}

Pack make_in_memory(const PackFiles& files, const RecordSource& source, const std::string& identity,
                    const Progress& progress) {
  const std::int64_t bytes = checked_multiply(total(source.counts()), 1 + files.length);
  expect_memory(std::size_t(bytes));
  std::string parts;
  parts.reserve(std::size_t(bytes));
  PackHead head = write_pack(source, identity, files.length, [&](std::string_view part) { parts += part; }, progress);
  return pack_in_memory(std::move(head), std::move(parts));
}

}  // namespace

std::shared_ptr<const Pack> pack_of(const PackFiles& files, const Progress& progress) {
  const fs::path path = path_of(files);
  const std::string identity = identity_of(files);
  if (auto kept = kept_pack(path, identity)) return kept;
  const std::unique_ptr<const RecordSource> source = files.open();
  log(LogLevel::info, text("decoding ", files.folder.native(), " (", files.task, ", ", files.part, "), once"));
  try {
    write_to_cache(path, files, *source, identity, progress);
    std::shared_ptr<const Pack> pack;
    in_cache([&] { pack = std::make_shared<const Pack>(map_pack(path, identity)); });
    return pack;
  } catch (const CacheProblem& problem) {
    log(LogLevel::warning, text("the decoded data of ", files.folder.native(),
                                " cannot be kept in the cache and stay in memory: ", problem.message));
    return std::make_shared<const Pack>(make_in_memory(files, *source, identity, progress));
  }
}

}  // namespace chord

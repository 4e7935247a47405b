#include "targets.hpp"

#include <cstdio>
#include <new>

#include "common/error.hpp"
#include "data/encoder.hpp"
#include "data/files/pack.hpp"
#include "data/pathfinder_encoding.hpp"
#include "factorize/factorization.hpp"
#include "io/json.hpp"
#include "io/matrix_market.hpp"
#include "io/npy.hpp"
#include "io/png.hpp"
#include "io/read_matrix.hpp"
#include "io/safetensors.hpp"
#include "nn/model.hpp"
#include "nn/presets.hpp"
#include "scratch.hpp"

namespace fuzz {
namespace {

using namespace chord;

const std::shared_ptr<Context>& host() {
  static const std::shared_ptr<Context> context = Context::open("host");
  return context;
}

void load_json(std::string_view content) { describe(parse_json(content, "it", 8)); }
void load_matrix(std::string_view content) { parse_matrix(std::string(content)); }
void load_matrix_market(std::string_view content) { parse_matrix_market(content); }
void load_png(std::string_view content) { parse_png(content); }

void load_npy(std::string_view content) {
  std::string rearranged;
  row_by_row(parse_npy(content), rearranged);
}

void load_safetensors(std::string_view content) {
  const Safetensors file{std::string(content)};
  for (const StoredTensor& tensor : file.tensors()) to_float64(file.tensor(tensor.name));
}

void load_factorization(std::string_view content) {
  const MemoryFile file(content);
  Factorization::load(host(), file.path());
}

void load_model(std::string_view content) {
  const MemoryFile file(content);
  Model::load(host(), file.path(), {});
}

void load_model_described(std::string_view content) {
  static const ModelDescription description = ModelDescription::parse(
      R"({"input": "tokens", "vocabulary": 3, "length": 2, "width": 1, "hidden_f": 1, "hidden_g": 1, "channels": 1,
          "classes": 1})");
  const MemoryFile file(content);
  Model::load(host(), file.path(), description);
}

/// What is read is written, and read again as the same.
void load_description(std::string_view content) {
  const std::string json = ModelDescription::parse(std::string(content)).to_json();
  if (ModelDescription::parse(json).to_json() != json) std::abort();
}

void load_encoding(std::string_view content) {
  const std::string encoding(content);
  for (const char* task : {"pathfinder", "listops"}) {
    try {
      make_encoder(task, encoding, 0);
    } catch (const Error&) {
      // The other may have it.
    }
  }
}

template <const char* task>
void encode(std::string_view content) {
  static const auto encoder = make_encoder(task, "", 0);
  static std::vector<std::int32_t> tokens(std::size_t(encoder->length()));
  encoder->encode(content, tokens.data());
}
constexpr char listops[] = "listops", text_task[] = "text", image[] = "image", pathfinder[] = "pathfinder";

void load_pack(std::string_view content) {
  const MemoryFile file(content);
  const Pack pack = map_pack(file.path(), "identity");
  if (pack.head().counts[0] > 0) (void)*pack.record(0);
}

/// Opens a dataset of one split and reads its first sequence.
void read_dataset(const char* task, const Folder& folder, Split split) {
  DatasetRequest request;
  request.task = task;
  request.split = split;
  request.data = folder.path();
  const auto dataset = open_dataset(request);
  std::vector<char> input(dataset->input_bytes()), label(Dataset::label_bytes);
  dataset->read(0, input.data(), label.data());
}

void load_listops_rows(std::string_view content) {
  static const Folder folder("listops");
  folder.save("basic_test.tsv", content);
  read_dataset(listops, folder, Split::test);
}

void load_image_batch(std::string_view content) {
  static const Folder folder("image");
  folder.save("test_batch.bin", content);
  read_dataset(image, folder, Split::test);
}

/// A file of metadata beside pictures that are there.
void load_pathfinder_rows(std::string_view content) {
  static const Folder& folder = *[] {
    auto* const made = new Folder("pathfinder");
    const std::vector<std::uint8_t> levels(32 * 32, 7);
    made->save("curv_baseline/imgs/0/sample_0.png", format_png(levels.data(), 32, 32));
    return made;
  }();
  folder.save("curv_baseline/metadata/0.npy", content);
  read_dataset(pathfinder, folder, Split::test);
}

}  // namespace

const std::vector<Target>& targets() {
  static const std::vector<Target> all = {
      {"json", load_json},
      {"matrix", load_matrix},
      {"matrix_market", load_matrix_market},
      {"npy", load_npy},
      {"png", load_png},
      {"safetensors", load_safetensors},
      {"factorization", load_factorization},
      {"model", load_model},
      {"model_described", load_model_described},
      {"description", load_description},
      {"encoding", load_encoding},
      {"listops_encoder", encode<listops>},
      {"text_encoder", encode<text_task>},
      {"image_encoder", encode<image>},
      {"pack", load_pack},
      {"listops_rows", load_listops_rows},
      {"image_batch", load_image_batch},
      {"pathfinder_rows", load_pathfinder_rows},
  };
  return all;
}

void run(const Target& target, std::string_view content) {
  try {
    target.load(content);
  } catch (const Error& error) {
    if (error.status() != Status::internal) return;
    std::fprintf(stderr, "%s\n", error.what());
    std::abort();
  } catch (const std::bad_alloc&) {
    // Status::out_of_memory, for those who call the library.
  }
}

}  // namespace fuzz

// Every loader given files that were damaged at random, always in the same way: each file is refused with a reason that
// names it, or what is read of it keeps to the task's rules.
#include <random>

#include "data_samples.hpp"

using namespace data_tests;

namespace {

using Random = std::mt19937_64;

/// One to three times: an end is lost, a bit or a byte changes, a piece is lost, doubled, or filled with noise.
std::string damaged(std::string content, Random& random) {
  for (auto times = 1 + random() % 3; times > 0; --times) {
    const std::size_t size = content.size(), at = size > 0 ? random() % size : 0;
    const std::size_t length = std::min(std::size_t(1 + random() % 40), size - at);
    switch (random() % 6) {
      case 0: content.resize(at); break;
      case 1:
        if (size > 0) content[at] = char(content[at] ^ 1 << random() % 8);
        break;
      case 2:
        if (size > 0) content[at] = char(random());
        break;
      case 3: content.erase(at, length); break;
      case 4: content.insert(at, content.substr(at, length)); break;
      default:
        for (std::size_t i = at; i < at + length; ++i) content[i] = char(random());
    }
  }
  return content;
}

void expect_rules(const Sequences& all) {
  for (const int32_t token : all.tokens) REQUIRE((token >= 0 && token < all.info.vocabulary));
  for (const int32_t label : all.labels) REQUIRE((label >= 0 && label < all.info.classes));
}

/// Damages one of the task's files again and again.
void try_file(const char* task, const files::Folder& folder, const std::string& name) {
  constexpr int cases = 300;
  const std::string path = folder / name, good = files::content_of(path);
  Random random(1);
  int refused = 0;
  for (int i = 0; i < cases; ++i) {
    CAPTURE(name);
    CAPTURE(i);
    const Cache cache;  // so that nothing is known of the case before
    files::save(path, damaged(good, random));
    try {
      expect_rules(load(task, "test", folder.path()));
    } catch (const chord::Error& error) {
      ++refused;
      CHECK(error.status() == CHORD_ERROR_INVALID_FILE);
      CHECK_MESSAGE(std::string(error.what()).find(folder.path()) != std::string::npos, std::string(error.what()));
    }
  }
  CHECK(refused > 0);
  files::save(path, good);
  const Cache cache;
  expect_rules(load(task, "test", folder.path()));
}

}  // namespace

TEST_CASE("damaged ListOps") {
  const files::Folder folder;
  save_listops(folder, short_rows());
  try_file("listops", folder, "basic_test.tsv");
}

TEST_CASE("damaged Pathfinder: rows and pictures") {
  const files::Folder folder;
  save_pathfinder(folder.path(), 3);
  try_file("pathfinder", folder, "curv_baseline/metadata/0.npy");
  try_file("pathfinder", folder, "curv_baseline/imgs/0/sample_0.png");
}

TEST_CASE("damaged CIFAR-10: records and PNGs") {
  const files::Folder records, pictures;
  std::string content;
  for (int label = 0; label < 3; ++label) content += char(label) + std::string(3072, char(80 * label));
  for (const char* name : {"data_batch_1.bin", "data_batch_2.bin", "data_batch_3.bin", "data_batch_4.bin",
                           "data_batch_5.bin", "test_batch.bin"})
    save(records / name, content);
  try_file("image", records, "test_batch.bin");
  save_class_pictures(pictures.path(), 1);
  try_file("image", pictures, "test/frog/0.png");
}

TEST_CASE("a review may be anything but empty") {
  const files::Folder folder;
  save_reviews(folder.path(), 2);
  try_file("text", folder, "test/pos/1_1.txt");
}

TEST_CASE("a damaged pack is made anew") {
  const files::Folder folder;
  save_listops(folder, short_rows());
  const Cache cache;
  const Sequences expected = load("listops", "test", folder.path());
  const std::string pack = cache.packs().at(0), good = files::content_of(pack);
  Random random(2);
  for (int i = 0; i < 300; ++i) {
    CAPTURE(i);
    files::save(pack, damaged(good, random));
    CHECK(load("listops", "test", folder.path()) == expected);
  }
}

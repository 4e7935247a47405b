// Datasets from files: what becomes of the files' content, what is wrong with them, and what is kept in the cache.
#include <algorithm>
#include <map>
#include <numeric>

#include "data_samples.hpp"

using namespace data_tests;

namespace {

constexpr int32_t pad = 15, cls = 16;  // of ListOps

std::string text_of(const Tokens& tokens) {
  std::string text;
  for (const int32_t each : tokens) text += each < 95 ? char(' ' + each) : each == 95 ? '~' : '^';
  return text.substr(0, text.find('~'));
}

}  // namespace

TEST_CASE("ListOps: parentheses are dropped, brackets that close are tokens, CLS in front, padding behind") {
  const Cache cache;
  const files::Folder folder;
  save_listops(folder, short_rows());
  const Sequences all = load("listops", "train", folder.path());
  CHECK(all.info.count == 2);
  CHECK(all.info.length == 2000);
  CHECK(all.info.vocabulary == 17);
  CHECK(all.info.classes == 10);
  CHECK(all.encoding == "{}");
  CHECK(all.labels == Tokens{4, 2});
  Tokens first{cls, 11, 4, 7, 10}, second{cls, 14, 9, 12, 1, 8, 10, 5, 10};
  first.resize(2000, pad);
  second.resize(2000, pad);
  CHECK(all.sequence(0) == first);
  CHECK(all.sequence(1) == second);
  const chord::Encoder encoder("listops");
  int64_t used = 0;
  CHECK(encoder.encode("[SM 9 [MAX 1 8 ] 5 ]", &used) == second);
  CHECK(used == 9);
  std::string symbols;
  for (int32_t token = 0; token < encoder.info().vocabulary; ++token) symbols += encoder.symbol(token) + " ";
  CHECK(symbols == "0 1 2 3 4 5 6 7 8 9 ] [MIN [MAX [MED [SM <PAD> <CLS> ");
  CHECK(chord::Encoder("listops", "{}", 4).encode("[MIN 1") == Tokens{cls, 11, 1, pad});
}

TEST_CASE("ListOps: files with and without a header, with more columns, in another order, with other line ends") {
  const Cache cache;
  const files::Folder folder;
  save_listops(folder, short_rows());
  const Sequences expected = load("listops", "test", folder.path());
  for (const char* content :
       {"[MIN 4 7 ]\t4\n[SM 9 [MAX 1 8 ] 5 ]\t2", "[MIN 4 7 ]\t4\textra\r\n[SM 9 [MAX 1 8 ] 5 ]\t2\t\r\n",
        "Id\tTarget\tSource\n1\t4\t[MIN 4 7 ]\n2\t2\t[SM 9 [MAX 1 8 ] 5 ]\n\n\n"}) {
    save_listops(folder, content);
    CHECK(load("listops", "test", folder.path()) == expected);
  }
}

TEST_CASE("ListOps: what is wrong is told with file and line") {
  const Cache cache;
  const files::Folder folder;
  const auto refused = [&](const std::string& content, const std::string& part) {
    save_listops(folder, content);
    expect_refused("listops", "test", folder.path(), CHORD_ERROR_INVALID_FILE, folder / "basic_test.tsv" + ": " + part);
  };
  std::string longest = "[MIN";
  for (int i = 0; i < 1997; ++i) longest += " 1";
  save_listops(folder, longest + " ]\t1\n");
  CHECK(load("listops", "test", folder.path()).sequence(0).back() == 10);
  refused("[MIN 1 ]\t1\n" + longest + " 1 ]\t1\n", "line 2: the expression has 2000 symbols; expected at most 1999");
  refused("Source\tTarget\n[MIN 1 ]\t1\n[MIX 1 ]\t1\n", "line 3: there is no symbol '[MIX'");
  refused("[MIN 12 ]\t1\n", "line 1: there is no symbol '12'");
  refused("[MIN 1 ]\n", "line 1: has 1 columns");
  refused("[MIN 1 ]\t1\n\n[MIN 1 ]\t1\n", "line 2: has 1 columns");
  refused("[MIN 1 ]\t\n", "line 1: the target is ''");
  refused("[MIN 1 ]\t10\n", "line 1: the target is '10'; expected a digit");
  refused("\t1\n", "line 1: the expression is empty");
  refused("", "has no rows");
  refused("Source\tTarget\n", "has no rows");
  std::filesystem::remove(folder / "basic_test.tsv");
  expect_refused("listops", "test", folder.path(), CHORD_ERROR_IO_FAILURE, "basic_test.tsv: cannot open");
  expect_refused("listops", "test", folder / "nowhere", CHORD_ERROR_IO_FAILURE, "is not a folder");
}

TEST_CASE("text: bytes are what Python shows") {
  const chord::Encoder encoder("text");
  CHECK(encoder.info().length == 4097);
  CHECK(encoder.info().vocabulary == 97);
  const auto shown = [&](const std::string& bytes) { return text_of(encoder.encode(bytes)); };
  CHECK(shown("film") == "^b'film'");
  CHECK(shown("it's") == "^b\"it's\"");
  CHECK(shown("\"it's\"") == "^b'\"it\\'s\"'");
  CHECK(shown("\"") == "^b'\"'");
  CHECK(shown("a\\b\tc\nd\re") == "^b'a\\\\b\\tc\\nd\\re'");
  CHECK(shown(std::string("\0\x1f\x7f\x80\xff", 5) + "caf\xc3\xa9") == "^b'\\x00\\x1f\\x7f\\x80\\xffcaf\\xc3\\xa9'");
  CHECK(encoder.symbol(0) == " ");
  CHECK(encoder.symbol(94) == "~");
  CHECK(encoder.symbol(95) == "<PAD>");
  CHECK(encoder.symbol(96) == "<CLS>");
}

TEST_CASE("text: of a long review the last 4096 characters are taken") {
  const chord::Encoder encoder("text");
  for (const int size : {4092, 4093, 4094, 4095, 4096, 4097, 10000}) {
    CAPTURE(size);
    std::string review;
    for (int i = 0; i < size; ++i) review += char('a' + i % 26);
    const std::string whole = "b'" + review + "'";
    const Tokens tokens = encoder.encode(review);
    CHECK(text_of(tokens) == "^" + whole.substr(whole.size() > 4096 ? whole.size() - 4096 : 0));
    CHECK((tokens.back() == 95) == (size < 4093));
  }
  // The quotes are chosen by the whole review, and an escape may be cut.
  const std::string review = "'" + std::string(4095, 'x') + "\n";
  CHECK(text_of(encoder.encode(review)) == "^" + std::string(4093, 'x') + "\\n\"");
  CHECK(text_of(chord::Encoder("text", "{}", 4).encode("a\n")) == "^\\n'");
}

TEST_CASE("text: a tenth of the training reviews is for validation, and no review is in two sets") {
  const Cache cache;
  const files::Folder folder;
  save_reviews(folder / "aclImdb", 50);
  std::map<std::string, int> labels;
  std::map<std::string, int> counts;
  for (const char* split : {"train", "validation", "test"}) {
    const Sequences part = load("text", split, folder.path());
    counts[split] = int(part.info.count);
    for (int64_t i = 0; i < part.info.count; ++i) {
      const std::string text = text_of(part.sequence(i));
      CHECK(labels.emplace(text, part.labels[i]).second);
      CHECK(part.labels[i] == int(text.find(" pos ") != std::string::npos));
      CHECK((text.find("^b'test") == 0) == (std::string(split) == "test"));
    }
  }
  CHECK(counts == std::map<std::string, int>{{"train", 90}, {"validation", 10}, {"test", 100}});
  const Sequences all = load("text", "all", folder / "aclImdb");
  CHECK(all.info.count == 100);
  const int favourable = std::accumulate(all.labels.begin(), all.labels.begin() + 40, 0);
  CHECK(favourable > 10);  // not sorted by class
  CHECK(favourable < 30);
}

TEST_CASE("text: what is wrong is told with the file") {
  const Cache cache;
  const files::Folder folder;
  expect_refused("text", "test", folder.path(), CHORD_ERROR_IO_FAILURE, "test/neg: cannot be listed");
  save_reviews(folder.path(), 2);
  save(folder / "test/pos/1_1.txt", "");
  expect_refused("text", "test", folder.path(), CHORD_ERROR_INVALID_FILE, folder / "test/pos/1_1.txt: is empty");
  CHECK(load("text", "train", folder.path()).info.count == 3);
  std::filesystem::remove_all(folder / "train/pos");
  std::filesystem::create_directory(folder / "train/pos");
  expect_refused("text", "train", folder.path(), CHORD_ERROR_INVALID_FILE, "train/pos: has no files *.txt");
}

TEST_CASE("Pathfinder: tokens are the ranks of grey levels, splits are by metadata file") {
  const Cache cache;
  const files::Folder folder;
  constexpr int files_each = 25;  // a tenth of them: two
  save_pathfinder(folder / "pathfinder32", files_each);
  const Sequences train = load("pathfinder", "train", folder.path());
  const Sequences validation = load("pathfinder", "validation", folder.path());
  const Sequences test = load("pathfinder", "test", folder.path());
  CHECK(train.info.count == 2 * 2 * 21);
  CHECK(validation.info.count == 2 * 2 * 2);
  CHECK(test.info.count == 2 * 2 * 2);
  // The levels 0, 2, 3, 4, 6, … 198.
  CHECK(train.info.vocabulary == 101);
  CHECK(train.encoding.substr(0, 20) == "{\"grey\":[0,2,3,4,6,8");
  CHECK(test.encoding == train.encoding);
  // Sorted by name: 0, 1, 10, 11, 12, …
  const std::vector<int> names = {0, 1, 0 + 25, 1 + 25};
  for (int i = 0; i < 8; ++i) {
    const int number = 2 * names[std::size_t(i / 2)] + i % 2, level = 2 * number;
    CHECK(test.labels[i] == number % 2);
    const int32_t token = level < 3 ? level / 2 : level / 2 + 1;
    CHECK(test.sequence(i)[0] == 2);
    CHECK(test.sequence(i)[1] == token);
  }
  CHECK(validation.sequence(0)[1] == 2 * 10 + 1);
  const chord::Encoder encoder("pathfinder", train.encoding);
  CHECK(encoder.encode(grey_png([](int x, int y) { return (x + y) % 2 ? 20 : 3; }))[1] == 11);
  CHECK(encoder.symbol(11) == "20");
  const std::string unknown = grey_png([](int, int) { return 5; });
  CHECK_THROWS_WITH_AS(encoder.encode(unknown), doctest::Contains("pixel 0 has grey level 5"), chord::Error);
  CHECK_THROWS_WITH_AS(chord::Encoder("pathfinder"), doctest::Contains("expected {\"grey\": […]}"), chord::Error);
  for (const char* wrong : {"[]", "{\"grey\": []}", "{\"grey\": [3, 3]}", "{\"grey\": [-1]}", "{\"grey\": [256]}", "{",
                            "{\"grey\": [1], \"red\": [2]}", "{\"grey\": \"x\"}"})
    CHECK_THROWS_AS(chord::Encoder("pathfinder", wrong), chord::Error);
}

TEST_CASE("Pathfinder: a model's encoding instead of the files' own") {
  const Cache cache;
  const files::Folder folder;
  save_pathfinder(folder.path(), 3);
  std::string encoding = "{\"grey\":[0";
  for (int level = 1; level < 256; ++level) encoding += "," + std::to_string(level);
  encoding += "]}";
  auto options = chord::dataset_options("pathfinder", "test");
  options.data = folder.path().c_str();
  options.encoding = encoding.c_str();
  const Sequences test = load(options);
  CHECK(test.encoding == encoding);
  CHECK(test.info.vocabulary == 256);
  CHECK(test.sequence(1)[0] == 3);
  CHECK(test.sequence(1)[1] == 2);
  options.encoding = "{\"grey\":[0,2,3]}";
  CHECK_THROWS_WITH_AS(load(options), doctest::Contains("has pixels of grey level 4, which does not"), chord::Error);
}

TEST_CASE("Pathfinder: what is wrong is told with file and line; an empty picture is left out") {
  const Cache cache;
  const files::Folder folder;
  expect_refused("pathfinder", "test", folder.path(), CHORD_ERROR_INVALID_FILE, "has no folders curv_*");
  save_pathfinder(folder.path(), 4);
  const std::string picture = folder / "curv_baseline/imgs/2/sample_1.png";
  const std::string metadata = folder / "curv_baseline/metadata/2.npy", good = files::content_of(metadata);
  const auto refused = [&](const std::string& part) {
    expect_refused("pathfinder", "test", folder.path(), CHORD_ERROR_INVALID_FILE, part);
  };
  {
    const Log log;
    save(picture, "");
    CHECK(load("pathfinder", "train", folder.path()).info.count == 7);
    CHECK(log.has(picture + ": is empty and left out (" + metadata + ", line 2)"));
  }
  save(picture, "no picture");
  refused(metadata + ": line 2: " + picture + ": is no PNG");
  save(picture, files::png({1, 1, 8}, std::string("\0\x05", 2)));
  refused(picture + ": the picture has 1 × 1 pixels; expected 32 × 32");
  std::filesystem::remove(picture);
  refused(metadata + ": line 2: " + picture + ": cannot open: No such file");
  for (const char* rows : {"imgs/2 sample_0.png 0\n", "imgs/2 sample_0.png 0 2\n", "\n\n", "x\n", "\x93NUMPY"}) {
    save(metadata, rows);
    refused(metadata + ": line 1: the label is");
  }
  save(metadata, good);
  std::filesystem::remove_all(folder / "curv_baseline/metadata");
  expect_refused("pathfinder", "test", folder.path(), CHORD_ERROR_IO_FAILURE, "metadata: cannot be listed");
}

TEST_CASE("image: PNGs in a folder for each class") {
  const Cache cache;
  const files::Folder folder;
  save_class_pictures(folder.path(), 3);
  CHECK(load("image", "train", folder.path()).info.count == 27);
  CHECK(load("image", "validation", folder.path()).info.count == 3);
  const Sequences test = load("image", "test", folder.path());
  CHECK(test.info.count == 30);
  CHECK(test.info.vocabulary == 256);
  for (int64_t i = 0; i < 30; ++i) CHECK(test.sequence(i)[32] == test.labels[i]);
  std::filesystem::remove_all(folder / "test/frog");
  expect_refused("image", "test", folder.path(), CHORD_ERROR_IO_FAILURE, "test/frog: cannot be listed");
  CHECK(chord::Encoder("image").encode(grey_png([](int x, int) { return x; }))[37] == 5);
}

TEST_CASE("count: the first ones, or a sample by its seed") {
  const Cache cache;
  const files::Folder folder;
  save_reviews(folder.path(), 40);
  const Sequences all = load("text", "test", folder.path());
  const Sequences first = load("text", "test", folder.path(), 12);
  CHECK(first.info.count == 12);
  for (int64_t i = 0; i < 12; ++i) CHECK(first.sequence(i) == all.sequence(i));
  const Sequences sample = load("text", "test", folder.path(), 12, 5);
  CHECK(sample == load("text", "test", folder.path(), 12, 5));
  CHECK_FALSE(sample == load("text", "test", folder.path(), 12, 6));
  CHECK_FALSE(sample == first);
  // In the dataset's order, each once.
  int64_t at = -1;
  for (int64_t i = 0; i < 12; ++i) {
    const int64_t before = at;
    for (++at; at < all.info.count && all.sequence(at) != sample.sequence(i);) ++at;
    REQUIRE(at < all.info.count);
    CHECK(at > before);
  }
  CHECK(load("text", "all", folder.path(), 79, 3).info.count == 79);
}

TEST_CASE("the cache: made once, made anew when the files change or it is damaged") {
  const Cache cache;
  const files::Folder folder;
  save_listops(folder, short_rows());
  const Sequences expected = load("listops", "test", folder.path());
  REQUIRE(cache.packs().size() == 1);
  const std::string pack = cache.packs()[0], good = files::content_of(pack);
  {
    const Log log;
    CHECK(load("listops", "test", folder.path()) == expected);
    CHECK_FALSE(log.has("decoding"));
  }
  const auto expect_rebuilt = [&](const std::string& content) {
    const Log log;
    files::save(pack, content);
    CHECK(load("listops", "test", folder.path()) == expected);
    CHECK(log.has("it is made anew"));
    CHECK(files::content_of(pack) == good);
  };
  for (std::size_t size = 0; size < good.size(); size += 1 + good.size() / 40) expect_rebuilt(good.substr(0, size));
  for (std::size_t at = 0; at < good.size(); at += 1 + good.size() / 60) {
    std::string damaged = good;
    damaged[at] = char(damaged[at] ^ 0x10);
    expect_rebuilt(damaged);
  }
  for (std::size_t at = good.size() - 12; at < good.size(); ++at) {
    std::string damaged = good;
    damaged[at] = char(damaged[at] ^ 0x81);
    expect_rebuilt(damaged);
  }
  save_listops(folder, "[MAX 1 3 ]\t3\n");
  CHECK(load("listops", "test", folder.path()).labels == Tokens{3});
  CHECK(cache.packs().size() == 1);
}

TEST_CASE("the cache: where it cannot be written, data stay in memory") {
  const files::Folder folder;
  save_listops(folder, short_rows());
  save(folder / "a-file", "");
  const Cache cache(folder / "a-file");
  const Log log;
  CHECK(load("listops", "train", folder.path()).labels == Tokens{4, 2});
  CHECK(log.has("cannot be kept in the cache and stay in memory: " + folder.path()));
  CHECK(log.has("/sparsechord/datasets: cannot be made: Not a directory"));
}

TEST_CASE("decoding tells its progress and can be stopped") {
  const Cache cache;
  const files::Folder folder;
  save_reviews(folder.path(), 20);
  auto options = chord::dataset_options("text", "train");
  options.data = folder.path().c_str();
  std::vector<int64_t> told;
  const chord::Dataset all(options, [&](int64_t done, int64_t total) {
    told.insert(told.end(), {done, total});
    return false;
  });
  CHECK(all.info().count == 36);
  CHECK(told == std::vector<int64_t>{0, 40, 40, 40});
  options.split = "test";
  const auto open = [&](const chord::ProgressFunction& progress) { chord::Dataset(options, progress); };
  CHECK_THROWS_WITH_AS(open([](int64_t, int64_t) { return true; }), doctest::Contains("stopped"), chord::Error);
  CHECK_THROWS_AS(open([](int64_t, int64_t) -> bool { throw std::logic_error("its own"); }), std::logic_error);
  CHECK(cache.packs().size() == 1);
}

#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <memory>
#include <set>
#include <thread>

#include "files.hpp"
#include "support.hpp"

using namespace testing;
using chord::Batches;
using chord::Dataset;

namespace {

using Reals = std::vector<float>;
using Tokens = std::vector<int32_t>;

chord_dataset_options request(const char* task, const char* split, int64_t length, int64_t count, uint64_t seed = 1) {
  chord_dataset_options options = chord::dataset_options(task, split);
  options.length = length;
  options.count = count;
  options.seed = seed;
  return options;
}

chord_dataset_options images(const char* split, const std::string& folder) {
  chord_dataset_options options = chord::dataset_options("image", split);
  options.data = folder.c_str();
  return options;
}

template <class Input, class Label>
struct Sequences {
  Sequences(const Dataset& dataset, int64_t first, int64_t count) { dataset.read(first, count, inputs, labels); }
  bool operator==(const Sequences& other) const { return inputs == other.inputs && labels == other.labels; }
  std::vector<Input> inputs;
  std::vector<Label> labels;
};
using Adding = Sequences<float, float>;
using Classes = Sequences<int32_t, int32_t>;

const int64_t lengths[] = {2, 3, 17, 128, 1000, 4097};

/// The positions where `marked` is true.
template <class Marked>
std::vector<int64_t> positions(int64_t length, Marked marked) {
  std::vector<int64_t> found;
  for (int64_t i = 0; i < length; ++i)
    if (marked(i)) found.push_back(i);
  return found;
}

/// Six standard deviations: exceeded once in a billion times, and the numbers are always the same.
void check_share(double found, double share, double trials) {
  CHECK(std::abs(found - trials * share) <= 6 * std::sqrt(trials * share * (1 - share)));
}

chord_status refused(const chord_dataset_options& options) {
  chord_dataset* out = nullptr;
  const chord_status status = chord_dataset_create(&options, &out);
  CHECK(out == nullptr);
  return status;
}

chord_status refused(const Dataset& dataset, const chord_batches_options& options) {
  chord_batches* out = nullptr;
  const chord_status status = chord_batches_create(dataset.get(), &options, &out);
  CHECK(out == nullptr);
  return status;
}

/// The labels of the batches that are left, one vector each. Of a dataset with classes.
std::vector<Tokens> labels_of(Batches& batches) {
  std::vector<Tokens> all;
  for (chord::Batch batch = batches.next(); batch.count > 0; batch = batches.next()) {
    const auto* labels = static_cast<const int32_t*>(batch.labels);
    all.emplace_back(labels, labels + batch.count);
  }
  return all;
}

/// The first reals of all sequences that are left, batch by batch: those of the adding problem tell sequences apart.
std::vector<Reals> first_reals_of(Batches& batches, int64_t length) {
  std::vector<Reals> all;
  for (chord::Batch batch = batches.next(); batch.count > 0; batch = batches.next()) {
    const auto* inputs = static_cast<const float*>(batch.inputs);
    all.emplace_back();
    for (int64_t i = 0; i < batch.count; ++i) all.back().push_back(inputs[i * length * 2]);
  }
  return all;
}

Reals joined(const std::vector<Reals>& parts) {
  Reals all;
  for (const Reals& each : parts) all.insert(all.end(), each.begin(), each.end());
  return all;
}

Reals sorted(Reals values) {
  std::sort(values.begin(), values.end());
  return values;
}

/// CIFAR-10 in small: pictures whose bytes are a function of their number.
struct Cifar {
  static constexpr int pixels = 1024, record = 1 + 3 * pixels;
  static uint8_t byte_of(int picture, int at) { return uint8_t((picture * 7919 + at * 31 + (at * at) / 97) % 256); }
  static int label_of(int picture) { return picture * 3 % 10; }

  static std::string records(int first, int count) {
    std::string content;
    for (int picture = first; picture < first + count; ++picture) {
      content += char(label_of(picture));
      for (int at = 0; at < 3 * pixels; ++at) content += char(byte_of(picture, at));
    }
    return content;
  }

  /// 5003 pictures for training, in files of different sizes, and 4 for the test.
  static void save(const std::string& folder) {
    int first = 0, number = 0;
    for (const int count : {1000, 1, 1500, 2500, 2}) {
      files::save(folder + "/data_batch_" + std::to_string(++number) + ".bin", records(first, count));
      first += count;
    }
    files::save(folder + "/test_batch.bin", records(first, 4));
  }

  /// The sequences [0, count) of the dataset are the pictures from `first`.
  static void check(const Dataset& dataset, int first, int count) {
    const Classes found(dataset, 0, count);
    for (int k = 0; k < count; ++k) {
      CHECK(found.labels[k] == label_of(first + k));
      double furthest = 0;
      for (int i = 0; i < pixels; ++i) {
        const auto channel = [&](int c) { return double(byte_of(first + k, c * pixels + i)); };
        const double fixed = (19595 * channel(0) + 38470 * channel(1) + 7471 * channel(2)) / 65536;
        const double real = 0.299 * channel(0) + 0.587 * channel(1) + 0.114 * channel(2);
        const int32_t grey = found.inputs[std::size_t(k * pixels + i)];
        REQUIRE(grey == int32_t(std::floor(fixed + 0.5)));
        furthest = std::max(furthest, std::abs(grey - real));
      }
      CHECK(furthest < 0.502);
    }
  }
};

}  // namespace

TEST_CASE("the adding problem: two numbers are marked, the label is made of their sum") {
  for (const int64_t length : lengths) {
    CAPTURE(length);
    const int64_t count = length > 1000 ? 50 : 500;
    const Dataset dataset(request("adding", "train", length, count));
    const chord_dataset_info info = dataset.info();
    CHECK(info.count == count);
    CHECK(info.length == length);
    CHECK(info.features == 2);
    CHECK(info.vocabulary == 0);
    CHECK(info.classes == 1);
    CHECK(info.input_type == CHORD_FLOAT32);
    CHECK(info.label_type == CHORD_FLOAT32);
    const Adding all(dataset, 0, count);
    for (int64_t s = 0; s < count; ++s) {
      const float* pairs = all.inputs.data() + s * length * 2;
      const auto marks = positions(length, [&](int64_t i) { return pairs[2 * i + 1] == 1; });
      REQUIRE(marks.size() == 2);
      REQUIRE(positions(length, [&](int64_t i) { return pairs[2 * i + 1] == 0; }).size() == std::size_t(length - 2));
      REQUIRE(positions(length, [&](int64_t i) { return std::abs(pairs[2 * i]) < 1; }).size() == std::size_t(length));
      REQUIRE(all.labels[s] == float(0.5 + (double(pairs[2 * marks[0]]) + double(pairs[2 * marks[1]])) / 4));
    }
  }
}

TEST_CASE("the adding problem: numbers and marks are spread evenly") {
  const int64_t length = 17, count = 20000;
  const Adding all(Dataset(request("adding", "test", length, count)), 0, count);
  std::vector<int> marks(length), tenths(10);
  double sum = 0;
  for (int64_t i = 0; i < length * count; ++i) {
    const float value = all.inputs[2 * i];
    sum += value;
    ++tenths[int(5 * (value + 1))];
    marks[i % length] += all.inputs[2 * i + 1] == 1;
  }
  CHECK(std::abs(sum) < 6 * std::sqrt(length * count / 3.0));
  for (const int each : tenths) check_share(each, 0.1, double(length * count));
  for (const int each : marks) check_share(each, 2.0 / length, count);

  std::vector<int> pairs(3);  // by the position that is not marked
  const Adding three(Dataset(request("adding", "test", 3, count)), 0, count);
  for (int64_t i = 0; i < 3 * count; ++i) pairs[i % 3] += three.inputs[2 * i + 1] == 0;
  for (const int each : pairs) check_share(each, 1.0 / 3, count);
}

TEST_CASE("temporal order: the class says which of X and Y come first and second") {
  for (const int64_t length : lengths) {
    CAPTURE(length);
    const int64_t count = length > 1000 ? 50 : 500;
    const Dataset dataset(request("order", "train", length, count));
    const chord_dataset_info info = dataset.info();
    CHECK(info.features == 0);
    CHECK(info.vocabulary == 6);
    CHECK(info.classes == 4);
    CHECK(info.input_type == CHORD_INT32);
    CHECK(info.label_type == CHORD_INT32);
    const Classes all(dataset, 0, count);
    for (int64_t s = 0; s < count; ++s) {
      const int32_t* tokens = all.inputs.data() + s * length;
      REQUIRE(*std::min_element(tokens, tokens + length) >= 0);
      REQUIRE(*std::max_element(tokens, tokens + length) <= 5);
      const auto marks = positions(length, [&](int64_t i) { return tokens[i] >= 4; });
      REQUIRE(marks.size() == 2);
      const std::string word{"XY"[tokens[marks[0]] - 4], "XY"[tokens[marks[1]] - 4]};
      const std::string words[] = {"XX", "XY", "YX", "YY"};
      REQUIRE(word == words[all.labels[s]]);
    }
  }
}

TEST_CASE("temporal order: letters, classes and marks are spread evenly") {
  const int64_t length = 65, count = 20000;
  const Classes all(Dataset(request("order", "validation", length, count)), 0, count);
  std::vector<int> letters(6), classes(4), marks(length);
  for (const int32_t each : all.labels) ++classes[each];
  for (int64_t i = 0; i < length * count; ++i) {
    ++letters[all.inputs[i]];
    marks[i % length] += all.inputs[i] >= 4;
  }
  for (int letter = 0; letter < 4; ++letter) check_share(letters[letter], 0.25, double(count * (length - 2)));
  for (int letter = 4; letter < 6; ++letter) check_share(letters[letter], 0.5, double(2 * count));
  for (const int each : classes) check_share(each, 0.25, count);
  for (const int each : marks) check_share(each, 2.0 / length, count);
}

TEST_CASE("a sequence depends on seed, split and index, and on nothing else") {
  const int64_t length = 33, count = 40;
  const Dataset dataset(request("adding", "train", length, count));
  const Adding all(dataset, 0, count);
  CHECK(all == Adding(Dataset(request("adding", "train", length, count)), 0, count));
  CHECK(all == Adding(Dataset(request("adding", "train", length, 7 * count)), 0, count));
  CHECK_FALSE(all == Adding(Dataset(request("adding", "train", length, count, 2)), 0, count));
  CHECK_FALSE(all == Adding(Dataset(request("adding", "train", length, count, uint64_t(1) << 40 | 1)), 0, count));
  for (int64_t i = 0; i < count; ++i) {
    const Adding one(dataset, i, 1);
    CHECK(one.labels[0] == all.labels[i]);
    CHECK(std::equal(one.inputs.begin(), one.inputs.end(), all.inputs.begin() + i * length * 2));
  }
  // Of 3 · 40 · 33 numbers of 24 bits, two are the same with a probability of 0.4; of as many sequences, never.
  std::set<Reals> different;
  for (const char* split : {"train", "validation", "test"}) {
    const Adding part(Dataset(request("adding", split, length, count)), 0, count);
    for (int64_t i = 0; i < count; ++i) {
      const float* first = part.inputs.data() + i * length * 2;
      different.emplace(first, first + 4);
    }
  }
  CHECK(different.size() == std::size_t(3 * count));
}

TEST_CASE("generated sequences are the same for ever, on every machine") {
  const Adding adding(Dataset(request("adding", "train", 5, 3, 42)), 2, 1);
  Reals expected;
  for (const int multiple : {10960065, -16417407, -11807269, 15933615, 5157951}) {
    expected.push_back(float(std::ldexp(multiple, -24)));
    expected.push_back(multiple == 10960065 || multiple == 5157951 ? 1 : 0);
  }
  CHECK(adding.inputs == expected);
  const Classes order(Dataset(request("order", "test", 12, 3, 42)), 1, 1);
  CHECK(order.inputs == Tokens{0, 0, 3, 2, 1, 0, 5, 3, 1, 1, 1, 4});
  CHECK(order.labels == Tokens{2});
}

TEST_CASE("the paper's setting is what zeros mean") {
  for (const char* task : {"adding", "order"}) {
    CHECK(Dataset(chord::dataset_options(task, "train")).info().count == 200000);
    CHECK(Dataset(chord::dataset_options(task, "validation")).info().count == 5000);
    CHECK(Dataset(chord::dataset_options(task, "test")).info().count == 5000);
    CHECK(Dataset(chord::dataset_options(task, "test")).info().length == 128);
  }
}

TEST_CASE("all there is for training: the training set, then the validation set") {
  const Dataset all(chord::dataset_options("order", "all"));
  CHECK(all.info().count == 205000);
  const auto part = [](const char* split, int64_t first, int64_t count) {
    return Classes(Dataset(chord::dataset_options("order", split)), first, count);
  };
  CHECK(Classes(all, 199990, 10) == part("train", 199990, 10));
  CHECK(Classes(all, 200000, 10) == part("validation", 0, 10));
  CHECK(Classes(all, 204995, 5) == part("validation", 4995, 5));
  // As many as wanted are made, of which none need be those that validate.
  CHECK(Classes(Dataset(request("order", "all", 9, 31)), 0, 31) ==
        Classes(Dataset(request("order", "train", 9, 31)), 0, 31));
}

TEST_CASE("batches are the dataset's sequences, in its order unless shuffled") {
  const int64_t length = 9, count = 23;
  const Dataset dataset(request("adding", "train", length, count));
  const Adding all(dataset, 0, count);
  for (const int64_t batch : {1, 2, 5, 22, 23, 24, 1000}) {
    CAPTURE(batch);
    Batches batches(dataset, chord::batches_options(batch));
    CHECK(batches.count() == (count + batch - 1) / batch);
    Adding together(dataset, 0, 0);
    for (chord::Batch each = batches.next(); each.count > 0; each = batches.next()) {
      CHECK(each.count == std::min(batch, count - int64_t(together.labels.size())));
      const auto* inputs = static_cast<const float*>(each.inputs);
      const auto* labels = static_cast<const float*>(each.labels);
      together.inputs.insert(together.inputs.end(), inputs, inputs + each.count * length * 2);
      together.labels.insert(together.labels.end(), labels, labels + each.count);
    }
    CHECK(together == all);
    const chord::Batch end = batches.next();  // and it stays at the end
    CHECK(end.count == 0);
    CHECK(end.inputs == nullptr);
    CHECK(end.labels == nullptr);
  }
}

TEST_CASE("a shuffled pass has every sequence once, in an order of seed and epoch") {
  const int64_t length = 2;
  for (const int64_t count : {1, 2, 3, 100, 5000}) {
    CAPTURE(count);
    const Dataset dataset(request("adding", "train", length, count));
    Batches plain(dataset, chord::batches_options(7));
    const Reals own = joined(first_reals_of(plain, length));
    chord_batches_options options = chord::batches_options(7);
    options.shuffle = 1;
    const auto pass = [&](uint64_t seed, int64_t epoch) {
      options.seed = seed;
      options.epoch = epoch;
      Batches batches(dataset, options);
      return joined(first_reals_of(batches, length));
    };
    const Reals first = pass(3, 0);
    CHECK(sorted(first) == sorted(own));
    CHECK(pass(3, 0) == first);
    if (count < 100) continue;
    const std::set<Reals> orders{own, first, pass(3, 1), pass(3, 2), pass(4, 0), pass(4, 1)};
    CHECK(orders.size() == 6);
    int same_place = 0;  // one on average
    for (int64_t i = 0; i < count; ++i) same_place += own[i] == first[i];
    CHECK(same_place < 10);
  }
}

TEST_CASE("every order is as likely as another") {
  const Dataset dataset(request("adding", "train", 2, 3));
  const Adding all(dataset, 0, 3);
  chord_batches_options options = chord::batches_options(3);
  options.shuffle = 1;
  std::vector<int> counts(9);  // which sequence comes where
  const int passes = 1000;
  for (int epoch = 0; epoch < passes; ++epoch) {
    options.epoch = epoch;
    Batches batches(dataset, options);
    const auto* labels = static_cast<const float*>(batches.next().labels);
    for (int place = 0; place < 3; ++place)
      ++counts[std::size_t(std::find(all.labels.begin(), all.labels.end(), labels[place]) - all.labels.begin()) * 3 +
               std::size_t(place)];
  }
  for (const int each : counts) check_share(each, 1.0 / 3, passes);
}

TEST_CASE("a pass can begin in the middle") {
  const int64_t length = 3, count = 50;
  const Dataset dataset(request("adding", "train", length, count));
  for (const int32_t shuffle : {0, 1})
    for (const int32_t drop_last : {0, 1}) {
      chord_batches_options options = chord::batches_options(8);
      options.shuffle = shuffle;
      options.drop_last = drop_last;
      Batches whole(dataset, options);
      const std::vector<Reals> all = first_reals_of(whole, length);
      CHECK(all.size() == std::size_t(drop_last ? 6 : 7));
      for (int64_t first = 0; first <= int64_t(all.size()); ++first) {
        options.first = first;
        Batches rest(dataset, options);
        CHECK(rest.count() == int64_t(all.size()));
        CHECK(first_reals_of(rest, length) == std::vector<Reals>(all.begin() + first, all.end()));
      }
      options.first = int64_t(all.size()) + 1;
      expect(refused(dataset, options), CHORD_ERROR_INVALID_ARGUMENT, "first is " + std::to_string(options.first));
    }
}

TEST_CASE("parts of batches are together the batches") {
  const int64_t length = 3;
  for (const int64_t count : {1, 17, 50})
    for (const int32_t shuffle : {0, 1}) {
      const Dataset dataset(request("adding", "train", length, count));
      chord_batches_options options = chord::batches_options(8);
      options.shuffle = shuffle;
      Batches whole(dataset, options);
      const std::vector<Reals> all = first_reals_of(whole, length);
      std::vector<Reals> parts(all.size());
      for (const auto& [first, sequences] : std::vector<std::pair<int64_t, int64_t>>{{0, 1}, {1, 4}, {5, 3}, {8, 2}}) {
        options.part_first = first;
        options.part_count = sequences;
        Batches part(dataset, options);
        CHECK(part.count() == whole.count());
        for (Reals& batch : parts) {
          const chord::Batch next = part.next();
          CHECK(next.count <= sequences);
          const auto* inputs = static_cast<const float*>(next.inputs);
          for (int64_t i = 0; i < next.count; ++i) batch.push_back(inputs[i * length * 2]);
        }
        CHECK(part.next().count == 0);
      }
      CHECK(parts == all);
      options.part_first = 3;
      options.part_count = 0;
      CHECK(Batches(dataset, options).next().count == std::max<int64_t>(0, std::min<int64_t>(8, count) - 3));
    }
}

TEST_CASE("a last batch that is not full can be left out") {
  const Dataset dataset(request("order", "train", 2, 10));
  chord_batches_options options = chord::batches_options(4);
  options.drop_last = 1;
  const auto sizes = [&](int64_t batch) {
    options.batch = batch;
    Batches batches(dataset, options);
    std::vector<std::size_t> found;
    for (const Tokens& each : labels_of(batches)) found.push_back(each.size());
    CHECK(batches.count() == int64_t(found.size()));
    return found;
  };
  using Sizes = std::vector<std::size_t>;
  CHECK(sizes(4) == Sizes{4, 4});
  CHECK(sizes(5) == Sizes{5, 5});
  CHECK(sizes(10) == Sizes{10});
  CHECK(sizes(11) == Sizes{});
}

TEST_CASE("batches outlive their dataset, and may be destroyed at any time") {
  std::unique_ptr<Batches> batches;
  {
    const Dataset dataset(request("order", "train", 64, 1000));
    batches = std::make_unique<Batches>(dataset, chord::batches_options(10));
  }
  CHECK(labels_of(*batches).size() == 100);
  const Dataset dataset(request("adding", "train", 1000, 100));
  for (int taken = 0; taken < 10; ++taken) {
    Batches some(dataset, chord::batches_options(10));
    for (int i = 0; i < taken; ++i) CHECK(some.next().count == 10);
  }
}

TEST_CASE("two threads, one dataset") {
  const int64_t length = 20, count = 3000;
  const Dataset dataset(request("adding", "train", length, count));
  Batches alone(dataset, chord::batches_options(64));
  const std::vector<Reals> expected = first_reals_of(alone, length);
  std::vector<std::vector<Reals>> found(2);
  std::vector<std::thread> threads;
  for (auto& each : found)
    threads.emplace_back([&] {
      Batches batches(dataset, chord::batches_options(64));
      each = first_reals_of(batches, length);
    });
  for (std::thread& each : threads) each.join();
  CHECK(found[0] == expected);
  CHECK(found[1] == expected);
}

TEST_CASE("a forked child may use datasets of its parent, but not the thread of its batches") {
  const Dataset dataset(request("order", "train", 8, 100));
  chord_batches* batches = nullptr;
  const chord_batches_options options = chord::batches_options(1);
  chord::check(chord_batches_create(dataset.get(), &options, &batches));
  const pid_t child = fork();
  if (child == 0) {
    int32_t inputs[8], label;
    const void *batch_inputs, *batch_labels;
    int64_t count = 0;
    const bool right =
        chord_dataset_read(dataset.get(), 0, 1, inputs, sizeof inputs, &label, sizeof label) == CHORD_SUCCESS &&
        chord_batches_next(batches, &batch_inputs, &batch_labels, &count) == CHORD_ERROR_FORKED &&
        chord_batches_destroy(batches) == CHORD_SUCCESS;
    _exit(right ? 0 : 1);
  }
  int status = 0;
  waitpid(child, &status, 0);
  CHECK(WIFEXITED(status));
  CHECK(WEXITSTATUS(status) == 0);
  chord::check(chord_batches_destroy(batches));
}

TEST_CASE("CIFAR-10: grey pictures, the last 5,000 of training for validation") {
  const files::UserCache cache;
  const files::Folder folder;
  Cifar::save(folder.path());
  const Dataset train(images("train", folder.path())), validation(images("validation", folder.path())),
      test(images("test", folder.path()));
  const chord_dataset_info info = train.info();
  CHECK(info.count == 3);
  CHECK(info.length == 1024);
  CHECK(info.features == 0);
  CHECK(info.vocabulary == 256);
  CHECK(info.classes == 10);
  CHECK(info.input_type == CHORD_INT32);
  CHECK(info.label_type == CHORD_INT32);
  CHECK(validation.info().count == 5000);
  CHECK(test.info().count == 4);
  Cifar::check(train, 0, 3);
  Cifar::check(validation, 3, 20);
  Cifar::check(test, 5003, 4);
  const Classes last(validation, 4999, 1);
  CHECK(last.labels[0] == Cifar::label_of(5002));
  Batches batches(validation, chord::batches_options(1000));
  CHECK(labels_of(batches).size() == 5);

  const Dataset all(images("all", folder.path()));
  CHECK(all.info().count == 5003);
  CHECK(all.info().vocabulary == 256);
  Cifar::check(all, 0, 10);
  CHECK(Classes(all, 5002, 1) == last);

  chord_dataset_options options = images("test", folder.path());
  options.length = 1024;
  CHECK(Dataset(options).info().length == 1024);
  options.length = 1023;
  expect(refused(options), CHORD_ERROR_INVALID_ARGUMENT, "length is 1023; the sequences of this task have 1024");
  options = images("test", folder.path());
  options.count = 2;
  CHECK(Dataset(options).info().count == 2);
  Cifar::check(Dataset(options), 5003, 2);
  for (const int64_t count : {-1, 5}) {
    options.count = count;
    expect(refused(options), CHORD_ERROR_INVALID_ARGUMENT, "the files have 4 sequences, so expected 1 to 4, or 0");
  }
  CHECK(test.encoding() == "{}");
}

TEST_CASE("CIFAR-10: as the archive unpacks") {
  const files::UserCache cache;
  const files::Folder folder;
  const std::string inner = folder / "cifar-10-batches-bin";
  std::filesystem::create_directory(inner);
  files::save(inner + "/test_batch.bin", Cifar::records(8, 2));
  Cifar::check(Dataset(images("test", folder.path())), 8, 2);
}

TEST_CASE("CIFAR-10: files that are missing or wrong") {
  const files::UserCache cache;
  const files::Folder folder;
  const std::string file = folder / "test_batch.bin";
  const auto test = images("test", folder.path());
  expect(refused(chord::dataset_options("image", "test")), CHORD_ERROR_INVALID_ARGUMENT,
         "data is missing; expected the folder with CIFAR-10's data_batch_1.bin");
  const std::string nowhere = folder / "nowhere";
  expect(refused(images("test", nowhere)), CHORD_ERROR_IO_FAILURE, nowhere + ": is not a folder; expected");
  expect(refused(test), CHORD_ERROR_IO_FAILURE, file + ": cannot open: No such file");
  files::save(file, "");
  expect(refused(test), CHORD_ERROR_INVALID_FILE, file + ": has 0 bytes; expected one or more records of 3073");
  const std::string good = Cifar::records(0, 3);
  for (const std::size_t size : {std::size_t(1), good.size() / 3 - 1, good.size() - 1}) {
    files::save(file, good.substr(0, size));
    expect(refused(test), CHORD_ERROR_INVALID_FILE, "has " + std::to_string(size) + " bytes");
  }
  files::save(file, good + "x");
  expect(refused(test), CHORD_ERROR_INVALID_FILE, "has 9220 bytes");
  for (const int label : {10, 127, 255}) {
    std::string wrong = good;
    wrong[2 * Cifar::record] = char(label);
    files::save(file, wrong);
    expect(refused(test), CHORD_ERROR_INVALID_FILE,
           file + ": record 2 (counted from 0) has label " + std::to_string(label) + "; expected 0 to 9");
  }
  expect(refused(images("test", file)), CHORD_ERROR_IO_FAILURE, "is not a folder");
  std::filesystem::remove(file);
  std::filesystem::create_directory(file);
  expect(refused(test), CHORD_ERROR_IO_FAILURE, "is a directory");

  const auto train = images("train", folder.path());
  for (int number = 1; number <= 5; ++number) {
    const std::string each = folder / ("data_batch_" + std::to_string(number) + ".bin");
    expect(refused(train), CHORD_ERROR_IO_FAILURE, each + ": cannot open");
    files::save(each, Cifar::records(0, 1000));
  }
  expect(refused(train), CHORD_ERROR_INVALID_FILE, "has 5000 pictures for training; expected more than 5000");
  expect(refused(images("validation", folder.path())), CHORD_ERROR_INVALID_FILE, "expected more than 5000");
}

TEST_CASE("requests that make no sense are refused") {
  expect(refused(request("adding", "train", 1, 0)), CHORD_ERROR_INVALID_ARGUMENT, "length is 1; the task adding marks");
  expect(refused(request("order", "train", -5, 0)), CHORD_ERROR_INVALID_ARGUMENT, "length is -5");
  expect(refused(request("order", "train", int64_t(1) << 31, 0)), CHORD_ERROR_TOO_LARGE, "length is 2147483648");
  expect(refused(request("adding", "test", 0, -1)), CHORD_ERROR_INVALID_ARGUMENT, "count is -1; expected 1 or more");
  expect(refused(request("adding", "test", 0, int64_t(1) << 40)), CHORD_ERROR_TOO_LARGE, "count is 1099511627776");
  expect(refused(request("multiplying", "test", 0, 0)), CHORD_ERROR_INVALID_ARGUMENT,
         "task is 'multiplying'; expected one of: adding, order, listops, text, image");
  for (const char* task : {"listops", "text", "pathfinder"})
    expect(refused(request(task, "test", 0, 0)), CHORD_ERROR_INVALID_ARGUMENT,
           "data is missing; expected the folder with");
  expect(refused(request("adding", "exam", 0, 0)), CHORD_ERROR_INVALID_ARGUMENT,
         "split is 'exam'; expected train, validation, test or all");
  expect(refused(request(nullptr, "test", 0, 0)), CHORD_ERROR_INVALID_ARGUMENT, "options->task is NULL");
  expect(refused(request("adding", nullptr, 0, 0)), CHORD_ERROR_INVALID_ARGUMENT, "options->split is NULL");
  chord_dataset_options options = request("adding", "test", 0, 0);
  options.data = "/tmp";
  expect(refused(options), CHORD_ERROR_INVALID_ARGUMENT, "data is '/tmp'; the task adding is generated");
  options.struct_size = 0;
  expect(refused(options), CHORD_ERROR_INVALID_ARGUMENT, "struct_size is 0");
  chord_dataset* out = nullptr;
  expect(chord_dataset_create(nullptr, &out), CHORD_ERROR_INVALID_ARGUMENT, "options is NULL");
  options = request("adding", "test", 0, 0);
  expect(chord_dataset_create(&options, nullptr), CHORD_ERROR_INVALID_ARGUMENT, "dataset is NULL");

  const Dataset dataset(request("adding", "test", 2, 5));
  const auto with = [&](auto change) {
    chord_batches_options wanted = chord::batches_options(1);
    change(wanted);
    return refused(dataset, wanted);
  };
  expect(with([](auto& wanted) { wanted.batch = 0; }), CHORD_ERROR_INVALID_ARGUMENT, "batch is 0; expected 1 or more");
  expect(with([](auto& wanted) { wanted.batch = -1; }), CHORD_ERROR_INVALID_ARGUMENT, "batch is -1");
  expect(with([](auto& wanted) { wanted.first = -1; }), CHORD_ERROR_INVALID_ARGUMENT,
         "first is -1; there are 5 batches, so expected 0 to 5");
  expect(with([](auto& wanted) { wanted.epoch = -1; }), CHORD_ERROR_INVALID_ARGUMENT, "epoch is -1");
  expect(with([](auto& wanted) { wanted.epoch = int64_t(1) << 31; }), CHORD_ERROR_TOO_LARGE, "epoch is 2147483648");
  expect(with([](auto& wanted) { wanted.shuffle = 2; }), CHORD_ERROR_INVALID_ARGUMENT, "shuffle is 2");
  expect(with([](auto& wanted) { wanted.drop_last = -1; }), CHORD_ERROR_INVALID_ARGUMENT, "drop_last is -1");
  expect(with([](auto& wanted) { wanted.part_first = -1; }), CHORD_ERROR_INVALID_ARGUMENT, "part_first is -1");
  expect(with([](auto& wanted) { wanted.part_count = -1; }), CHORD_ERROR_INVALID_ARGUMENT, "part_count is -1");
  chord_batches* batches = nullptr;
  expect(chord_batches_create(dataset.get(), nullptr, &batches), CHORD_ERROR_INVALID_ARGUMENT, "options is NULL");
  const Dataset huge(request("adding", "test", 2147483647, 2147483647));
  expect(refused(huge, chord::batches_options(int64_t(1) << 62)), CHORD_ERROR_TOO_LARGE, "overflows");
  expect(refused(huge, chord::batches_options(1000)), CHORD_ERROR_OUT_OF_MEMORY, "available");
}

TEST_CASE("reading: ranges and sizes must fit") {
  const Dataset dataset(request("adding", "test", 3, 5));
  float inputs[5 * 6], labels[5];
  const auto read = [&](int64_t first, int64_t count, std::size_t input_bytes, std::size_t label_bytes) {
    return chord_dataset_read(dataset.get(), first, count, inputs, input_bytes, labels, label_bytes);
  };
  CHECK(read(0, 5, sizeof inputs, sizeof labels) == CHORD_SUCCESS);
  CHECK(read(5, 0, 0, 0) == CHORD_SUCCESS);
  CHECK(chord_dataset_read(dataset.get(), 0, 0, nullptr, 0, nullptr, 0) == CHORD_SUCCESS);
  expect(read(0, 5, sizeof inputs - 1, sizeof labels), CHORD_ERROR_INVALID_ARGUMENT,
         "inputs have 119 bytes; expected 120 for 5 sequences");
  expect(read(0, 5, sizeof inputs, sizeof labels + 4), CHORD_ERROR_INVALID_ARGUMENT, "labels have 24 bytes");
  const char* range = "expected a range within the 5 sequences";
  expect(read(-1, 1, 24, 4), CHORD_ERROR_INVALID_ARGUMENT, range);
  expect(read(0, -1, 24, 4), CHORD_ERROR_INVALID_ARGUMENT, range);
  expect(read(5, 1, 24, 4), CHORD_ERROR_INVALID_ARGUMENT, range);
  expect(read(6, 0, 0, 0), CHORD_ERROR_INVALID_ARGUMENT, range);
  expect(read(1, INT64_MAX, 24, 4), CHORD_ERROR_INVALID_ARGUMENT, range);
  expect(chord_dataset_read(dataset.get(), 0, 1, nullptr, 24, labels, 4), CHORD_ERROR_INVALID_ARGUMENT, "inputs");
  expect(chord_dataset_read(dataset.get(), 0, 1, inputs, 24, nullptr, 4), CHORD_ERROR_INVALID_ARGUMENT, "labels");
  Tokens wrong;
  Reals right;
  CHECK_THROWS_AS(dataset.read(0, 1, wrong, right), std::invalid_argument);
  CHECK_THROWS_AS(dataset.read(0, 6, right, right), chord::Error);
}

TEST_CASE("handles and structs of datasets are checked like others") {
  const Dataset dataset(request("adding", "test", 3, 5));
  Batches batches(dataset, chord::batches_options(1));
  chord_dataset_info info{};
  expect(chord_dataset_get_info(dataset.get(), &info), CHORD_ERROR_INVALID_ARGUMENT, "struct_size is 0");
  expect(chord_dataset_get_info(nullptr, &info), CHORD_ERROR_INVALID_HANDLE, "dataset is NULL; expected a dataset");
  expect(chord_dataset_get_info(reinterpret_cast<chord_dataset*>(batches.get()), &info), CHORD_ERROR_INVALID_HANDLE,
         "is a pass over a dataset; expected a dataset");
  int64_t count = 0;
  const void* array = nullptr;
  expect(chord_batches_count(reinterpret_cast<chord_batches*>(dataset.get()), &count), CHORD_ERROR_INVALID_HANDLE,
         "is a dataset; expected a pass over a dataset");
  expect(chord_batches_count(batches.get(), nullptr), CHORD_ERROR_INVALID_ARGUMENT, "count is NULL");
  expect(chord_batches_next(nullptr, &array, &array, &count), CHORD_ERROR_INVALID_HANDLE, "batches is NULL");
  expect(chord_batches_next(batches.get(), nullptr, &array, &count), CHORD_ERROR_INVALID_ARGUMENT, "inputs is NULL");
  expect(chord_batches_next(batches.get(), &array, nullptr, &count), CHORD_ERROR_INVALID_ARGUMENT, "labels is NULL");
  expect(chord_batches_next(batches.get(), &array, &array, nullptr), CHORD_ERROR_INVALID_ARGUMENT, "count is NULL");
  CHECK(chord_dataset_destroy(nullptr) == CHORD_SUCCESS);
  CHECK(chord_batches_destroy(nullptr) == CHORD_SUCCESS);
  chord_batches* gone = nullptr;
  const chord_batches_options options = chord::batches_options(1);
  chord::check(chord_batches_create(dataset.get(), &options, &gone));
  chord::check(chord_batches_destroy(gone));
  expect(chord_batches_destroy(gone), CHORD_ERROR_INVALID_HANDLE, "not a live pass over a dataset");
}

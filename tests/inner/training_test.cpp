// Training without waiting: steps are recorded, replayed and counted, on the pretend GPU.
#include <doctest/doctest.h>

#include <algorithm>
#include <atomic>
#include <cmath>
#include <thread>

#include "../files.hpp"
#include "common/random.hpp"
#include "device/pretend/pretend_backend.hpp"
#include "nn/model.hpp"
#include "operations/copy.hpp"
#include "watched_queue.hpp"

using namespace chord;
using testing::QueueCounts;

namespace {

struct Device {
  std::shared_ptr<QueueCounts> counts = std::make_shared<QueueCounts>();
  std::shared_ptr<Context> context;

  explicit Device(bool recording) {
    static const std::unique_ptr<Backend> backend = open_pretend_backend();
    REQUIRE(backend != nullptr);
    context = std::make_shared<Context>(
        std::make_unique<testing::WatchedQueue>(backend->open(backend->devices().at(0)), recording, counts));
  }
};

ModelDescription description(int precision) {
  return ModelDescription::parse(
      R"({"input":"tokens","vocabulary":9,"length":17,"width":6,"factors":5,"links":6,"hidden_f":5,"hidden_g":4,)"
      R"("channels":3,"classes":4,"blocks":2,"residual":true,"positions":true,"head_hidden":5,)"
      R"("dropout_input":0.2,"dropout_values":0.3,"dropout_output":0.1,"precision":)" +
      std::to_string(precision) + "}");
}

struct Batch {
  Tensor inputs, labels;
};

/// The batch of a number, always the same.
Batch batch_of(const std::shared_ptr<Context>& context, const ModelDescription& d, std::int64_t sequences,
               std::uint64_t number) {
  const Random random(7, number);
  const auto indices = [&](const Extents& shape, std::int64_t limit, std::uint64_t from) {
    const Tensor tensor = Tensor::create(context, DataType::int32, shape);
    std::vector<std::int32_t> values(std::size_t(tensor.elements()));
    for (std::size_t i = 0; i < values.size(); ++i)
      values[i] = std::int32_t(std::abs(random.normal(from + i)) * 1000) % std::int32_t(limit);
    copy_from_host(values.data(), tensor);
    return tensor;
  };
  return {indices({sequences, d.length}, d.vocabulary, 0), indices({sequences}, d.classes, 100000)};
}

/// Others for every number.
Tensor lengths_of(const Batch& batch, const ModelDescription& d, std::int64_t number) {
  std::vector<std::int32_t> values;
  for (std::int64_t i = 0; i < batch.inputs.shape[0]; ++i)
    values.push_back(std::int32_t((7 * i + 5 * number) % (d.length + 1)));
  const Tensor lengths =
      Tensor::create(batch.inputs.storage->shared_context(), DataType::int32, {std::int64_t(values.size())});
  copy_from_host(values.data(), lengths);
  return lengths;
}

/// Looks like it was made on the device: the host does not know what is in it.
Tensor unseen(const Tensor& tensor) {
  const Tensor copied = Tensor::create(tensor.storage->shared_context(), tensor.type, tensor.shape);
  copy(tensor, copied);
  return copied;
}

StepOptions options_of(std::int64_t step) {
  StepOptions options;
  options.adam.learning_rate = 1e-3 * double(1 + step % 5);
  options.adam.beta1 = step % 7 == 3 ? 0.8 : 0.9;
  options.adam.weight_decay = step % 5 == 2 ? 0.1 : 0;
  options.adam.clip_norm = step % 6 == 4 ? 0.05 * double(step) : 0;
  options.memory = step % 3 == 2 ? Memory::low : Memory::normal;
  options.micro_batch = step % 4 == 3 ? 2 : 0;
  return options;
}

struct Trained {
  std::vector<double> losses;
  std::vector<std::int64_t> correct;
  std::string file;
};

/// Batches of several sizes, cut in several ways, with other passes between, saved and loaded on the way.
Trained train(Device& device, const ModelDescription& d, bool queued) {
  const files::Folder folder;
  const std::string path = folder / "model.safetensors";
  auto model = Model::create(device.context, d, 3);
  Trained trained;
  const auto keep = [&](const StepResult& result) {
    trained.losses.push_back(result.loss);
    trained.correct.push_back(result.correct);
  };
  for (std::int64_t step = 0; step < 40; ++step) {
    const Batch batch = batch_of(device.context, d, step % 2 ? 5 : 3, std::uint64_t(step));
    StepOptions options = options_of(step);
    if (step % 2) options.lengths = lengths_of(batch, d, step);
    if (queued)
      model->queue_train_step(batch.inputs, batch.labels, options);
    else
      keep(model->train_step(batch.inputs, batch.labels, options));
    if (step % 11 == 5) {
      model->evaluate(batch.inputs, batch.labels);
      const Tensor outputs = Tensor::create(device.context, d.type(), {batch.inputs.shape[0], d.classes});
      model->forward(batch.inputs, outputs, {});
    }
    if (step == 25) {
      if (queued)
        for (const StepResult& result : model->take_losses(1000).results) keep(result);
      model->save(path, true, "");
      model = Model::load(device.context, path, {});
    }
  }
  if (queued)
    for (const StepResult& result : model->take_losses(1000).results) keep(result);
  model->save(path, true, "");
  trained.file = files::content_of(path);
  return trained;
}

}  // namespace

TEST_CASE("steps that are recorded, launched, waited for or not give the same bits") {
  for (const int precision : {32, 64}) {
    CAPTURE(precision);
    const ModelDescription d = description(precision);
    Device launching(false), recording(true), waiting(true);
    const Trained expected = train(launching, d, false);
    REQUIRE(expected.losses.size() == 40);
    CHECK(launching.counts->replays == 0);
    for (Device* device : {&recording, &waiting}) {
      const Trained found = train(*device, d, device == &recording);
      CHECK(found.losses == expected.losses);
      CHECK(found.correct == expected.correct);
      CHECK(found.file == expected.file);
      CHECK(device->counts->recordings > 3);
      CHECK(device->counts->replays > device->counts->recordings);
    }
  }
}

TEST_CASE("a step that nobody asks for its loss waits for nothing, reads nothing back and allocates nothing") {
  Device device(true);
  const ModelDescription d = description(32);
  const auto model = Model::create(device.context, d, 3);
  const Batch known = batch_of(device.context, d, 4, 1);
  const Batch unknown = {unseen(known.inputs), unseen(known.labels)};
  for (int i = 0; i < 2; ++i)
    for (const Batch* batch : {&known, &unknown}) model->queue_train_step(batch->inputs, batch->labels, {});
  const auto counted = [&](const Batch& batch) {
    *device.counts = {};
    model->queue_train_step(batch.inputs, batch.labels, {});
    return *device.counts;
  };
  for (const bool checked : {false, true}) {
    CAPTURE(checked);
    const QueueCounts counts = counted(checked ? unknown : known);
    CHECK(counts.waits == 0);
    CHECK(counts.read_backs == 0);
    CHECK(counts.uploads == 0);
    CHECK(counts.allocations == 0);
    CHECK(counts.replays == 1);
    CHECK(counts.recordings == 0);
    CHECK(counts.launches == (checked ? 4 : 2));  // the step's beginning, the keeping of its loss; checks
    CHECK(counts.copies == 2);                    // the batch
  }
  // Uploading the next batch does not wait either.
  *device.counts = {};
  const Batch next = batch_of(device.context, d, 4, 2);
  CHECK(device.counts->waits == 0);
  CHECK(device.counts->uploads == 2);
  CHECK(model->take_losses(100).results.size() == 6);
  CHECK(device.counts->waits > 0);
}

TEST_CASE("a queue that cannot record is given the launches, and no wait either") {
  Device device(false);
  const ModelDescription d = description(32);
  const auto model = Model::create(device.context, d, 3);
  const Batch batch = batch_of(device.context, d, 4, 1);
  for (int i = 0; i < 2; ++i) model->queue_train_step(batch.inputs, batch.labels, {});
  *device.counts = {};
  model->queue_train_step(batch.inputs, batch.labels, {});
  CHECK(device.counts->waits == 0);
  CHECK(device.counts->read_backs == 0);
  CHECK(device.counts->allocations == 0);
  CHECK(device.counts->launches > 20);
}

TEST_CASE("a fault in a queued step is told at the next wait, and the model is as if it had not been") {
  for (const bool recorded : {false, true}) {
    CAPTURE(recorded);
    Device device(recorded);
    const ModelDescription d = description(32);
    const auto model = Model::create(device.context, d, 3);
    const Batch good = batch_of(device.context, d, 4, 1);
    const Tensor inputs = unseen(good.inputs), labels = unseen(good.labels), bad = unseen(good.inputs);
    fill(bad.view({1}, {1}, 20), 9);
    for (int i = 0; i < 3; ++i) model->queue_train_step(inputs, labels, {});
    const files::Folder folder;
    const auto saved = [&](const char* name) {
      model->save(folder / name, true, "");
      return files::content_of(folder / name);
    };
    const std::string before = saved("before");
    for (int i = 0; i < 2; ++i) model->queue_train_step(bad, labels, {});
    CHECK_THROWS_WITH_AS(device.context->wait(), "inputs has no index at place 20; expected 0 to 8", Error);
    CHECK_NOTHROW(device.context->wait());
    CHECK(saved("after") == before);
    CHECK(model->step() == 3);

    const auto taken = model->take_losses(100);
    REQUIRE(taken.results.size() == 5);
    for (int i = 0; i < 3; ++i) CHECK(std::isfinite(taken.results[std::size_t(i)].loss));
    for (int i = 3; i < 5; ++i) {
      CHECK(std::isnan(taken.results[std::size_t(i)].loss));
      CHECK(taken.results[std::size_t(i)].correct == 0);
    }

    // One that is waited for tells its own, once.
    CHECK_THROWS_WITH_AS(model->train_step(bad, labels, {}), "inputs has no index at place 20; expected 0 to 8", Error);
    CHECK_NOTHROW(device.context->wait());
    CHECK(model->step() == 3);
    CHECK(saved("again") == before);
    CHECK_NOTHROW(model->train_step(inputs, labels, {}));
    CHECK(model->step() == 4);
  }
}

TEST_CASE("the losses of the last steps are kept, and how many are lost is told") {
  Device device(true);
  const ModelDescription d = description(32);
  const auto asked = Model::create(device.context, d, 3), silent = Model::create(device.context, d, 3);
  std::vector<double> expected;
  const std::int64_t steps = KeptLosses::places + 44;
  for (std::int64_t step = 0; step < steps; ++step) {
    // The widest comes in the middle.
    const Batch batch = batch_of(device.context, d, step < 100 ? 2 : step < 110 ? 5 : 3, std::uint64_t(step % 7));
    expected.push_back(asked->train_step(batch.inputs, batch.labels, {}).loss);
    silent->queue_train_step(batch.inputs, batch.labels, {});
  }
  std::vector<double> found;
  const auto take = [&](std::int64_t most) {
    const auto taken = silent->take_losses(most);
    for (const StepResult& result : taken.results) found.push_back(result.loss);
    return taken.lost;
  };
  CHECK(take(10) == 44);
  CHECK(take(240) == 0);
  CHECK(found.size() == 250);
  CHECK(take(1000) == 0);
  CHECK(found == std::vector<double>(expected.end() - KeptLosses::places, expected.end()));
  CHECK(silent->take_losses(10).results.empty());
}

TEST_CASE("a model may go while its steps are queued") {
  Device device(true);
  const ModelDescription d = description(32);
  {
    const auto model = Model::create(device.context, d, 3);
    const Batch batch = batch_of(device.context, d, 4, 1);
    for (int i = 0; i < 5; ++i) model->queue_train_step(batch.inputs, batch.labels, {});
  }
  const Tensor other = Tensor::create(device.context, DataType::float32, {1000});
  fill(other, 1);
  CHECK_NOTHROW(device.context->wait());
}

TEST_CASE("other threads allocate, submit and wait while steps are recorded") {
  Device quiet(true), busy(true);
  const ModelDescription d = description(32);
  const Trained expected = train(quiet, d, true);
  std::atomic<bool> done{false};
  std::thread other([&] {
    while (!done) {
      const Tensor tensor = Tensor::create(busy.context, DataType::float32, {300});
      fill(tensor, 1);
      busy.context->wait();
    }
  });
  const Trained found = train(busy, d, true);
  done = true;
  other.join();
  CHECK(found.losses == expected.losses);
  CHECK(found.file == expected.file);
}

TEST_CASE("memory that a recorded step keeps is nobody else's") {
  Device device(true);
  const ModelDescription d = description(32);
  const auto model = Model::create(device.context, d, 3);
  const Batch batch = batch_of(device.context, d, 4, 1);
  for (int i = 0; i < 3; ++i) model->queue_train_step(batch.inputs, batch.labels, {});
  // As many blocks of as many sizes as could be any of the step's.
  std::vector<Tensor> others;
  for (std::int64_t size = 1; size < 20000; size = size * 5 / 4 + 1) {
    others.push_back(Tensor::create(device.context, DataType::float32, {size}));
    fill(others.back(), double(size));
  }
  for (int i = 0; i < 3; ++i) model->queue_train_step(batch.inputs, batch.labels, {});
  for (const Tensor& other : others) {
    std::vector<float> values(std::size_t(other.elements()));
    copy_to_host(other, values.data());
    CHECK(std::count(values.begin(), values.end(), float(other.elements())) == other.elements());
  }
}

#include "trainer.hpp"

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <stdexcept>

#include "common/device.hpp"
#include "common/files.hpp"
#include "common/interrupt.hpp"
#include "common/text.hpp"
#include "tasks.hpp"

namespace train {
namespace {

// How late losses are looked at: the device has work to do meanwhile, and whoever watches sees them at once.
constexpr int64_t most_unseen = 32;
constexpr std::chrono::milliseconds look_interval(200);

DataChoice choice_of(const Settings& settings, const std::string& split) {
  const bool train = split == "train" || split == "all";
  // The library would not say which option it is.
  if (!find_task(settings.task).generated && (settings.count > 0 || settings.eval_count > 0))
    throw std::runtime_error("--count and --eval-count are for generated tasks; " + settings.task + " has its files");
  return {settings.task, split, settings.data, settings.length(), train ? settings.count : settings.eval_count,
          settings.seed};
}

chord_train_options options_of(const Settings& settings) {
  auto options = chord::train_options();
  options.learning_rate = settings.lr;
  options.micro_batch = settings.micro_batch;
  options.memory = int32_t(std::find(memory_names.begin(), memory_names.end(), settings.memory) - memory_names.begin());
  return options;
}

std::string note_of(const Settings& settings, const Epoch& epoch) {
  return Json{{"task", settings.task},
              {"epoch", epoch.number},
              {"selection", settings.selection},
              {settings.selects_by_test() ? "test_accuracy_selected_by_test" : "validation_accuracy",
               epoch.validation_accuracy}}
      .dump();
}

}  // namespace

Data::Data(const Settings& settings)
    : train(open_dataset(choice_of(settings, settings.selects_by_test() ? "all" : "train"))),
      selection(open_dataset(choice_of(settings, settings.selection))),
      test(open_dataset(choice_of(settings, "test"))) {}

Trainer::Trainer(const Settings& settings, const Folder& folder, bool resume, double checkpoint_seconds,
                 Progress& progress)
    : settings_(settings),
      folder_(folder),
      progress_(progress),
      checkpoint_interval_(checkpoint_seconds),
      data_(settings),
      context_(program::open_device(settings.device, settings.precision())),
      options_(options_of(settings)),
      model_(make_model(resume)),
      setup_(make_setup()),
      history_(read_history(resume)),
      feed_(context_, setup_.model, settings.batch),
      saved_(Clock::now()) {
  expect_fit(setup_.model, data_.train.info(), settings.task);
  if (batches_per_epoch() == 0)
    throw std::runtime_error("there are " + std::to_string(setup_.train_count) +
                             " sequences to train on, fewer than a batch of " + std::to_string(settings_.batch));
  settings_ = setup_.settings;
  options_ = options_of(settings_);
}

chord::Model Trainer::make_model(bool resume) {
  if (resume && std::filesystem::exists(folder_.checkpoint()))
    return chord::Model::load(context_, folder_.checkpoint());
  return chord::Model(context_, settings_.model_json(), settings_.seed);
}

/// What is known so far, with the settings that were only implied.
Setup Trainer::make_setup() const {
  Setup setup{settings_,
              model_.info(),
              model_.plan(settings_.batch, true, options_),
              context_.device(),
              data_.train.info().count,
              data_.selection.info().count,
              data_.test.info().count};
  setup.settings.model = Json::parse(model_.description());
  setup.settings.device = setup.device.selector;
  // Chosen once: what fits may change while it runs, but the way of computing, and with it the rounding, may not.
  setup.settings.memory = memory_names[std::size_t(setup.memory.memory)];
  return setup;
}

History Trainer::read_history(bool resume) const {
  if (!resume || !std::filesystem::exists(folder_.checkpoint())) return {};
  try {
    History history = from_note(model_.note());
    const int64_t begun = int64_t(history.epochs.size()) + (history.batches > 0 ? 1 : 0);
    if (settings_.epochs < begun)
      throw std::runtime_error("is in epoch " + std::to_string(begun) + "; --epochs cannot be less");
    add_seconds(folder_.log(), history.epochs);
    return history;
  } catch (const std::runtime_error& problem) {
    throw std::runtime_error(folder_.checkpoint() + ": " + problem.what());
  }
}

bool Trainer::done() const {
  if (history_.batches > 0) return false;
  const bool perfect = !history_.epochs.empty() && history_.epochs.back().validation_accuracy == 100;
  return int64_t(history_.epochs.size()) >= settings_.epochs || (settings_.stop_when_perfect && perfect);
}

std::string Trainer::epoch_name() const {
  return "epoch " + std::to_string(history_.current()) + " of " + std::to_string(settings_.epochs);
}

Workload Trainer::work_of(int64_t epochs) const {
  const int64_t trained = batches_per_epoch() * settings_.batch;
  return {double(epochs * trained), double(epochs * setup_.validation_count + setup_.test_count)};
}

bool Trainer::run_epoch() {
  const auto validation = train() ? validate() : std::nullopt;
  if (!validation) {
    save();
    return false;
  }
  end_epoch(*validation);
  return true;
}

bool Trainer::train() {
  pass_seconds_ = 0;
  pass_batches_ = 0;
  const int64_t total = batches_per_epoch();
  if (history_.batches == total) return true;
  auto order = chord::batches_options(settings_.batch);
  order.first = history_.batches;
  order.seed = settings_.seed;
  order.epoch = history_.current();
  order.shuffle = order.drop_last = 1;
  chord::Batches batches(data_.train, order);
  Workload behind = work_of(settings_.epochs - history_.current());
  behind.evaluation += double(setup_.validation_count);
  progress_.begin(Pass::training, epoch_name(), total * settings_.batch, history_.score.count, behind);
  const auto begin = looked_ = Clock::now();
  while (history_.batches + unseen_ < total) {
    if (program::interrupted()) return false;
    step(batches.next());
    if (time_to_look()) look_at_losses();
    if (Clock::now() - saved_ > checkpoint_interval_ && history_.batches + unseen_ < total) save();
  }
  look_at_losses();
  pass_seconds_ = std::chrono::duration<double>(Clock::now() - begin).count();
  return true;
}

void Trainer::step(const chord::Batch& batch) {
  feed_.load(batch);
  model_.queue_train_step(feed_.inputs(), feed_.labels(), options_);
  ++unseen_;
  ++pass_batches_;
}

bool Trainer::time_to_look() const { return unseen_ == most_unseen || Clock::now() - looked_ > look_interval; }

/// The history has those steps only that were looked at.
void Trainer::look_at_losses() {
  if (unseen_ == 0) return;
  const chord::KeptLosses kept = model_.take_losses();
  for (std::size_t i = 0; i < kept.losses.size(); ++i) {
    expect_sane(kept.losses[i], "loss");
    history_.score.add(kept.losses[i], kept.correct[i], settings_.batch);
    ++history_.batches;
  }
  unseen_ = 0;
  looked_ = Clock::now();
  progress_.show(history_.score);
}

std::optional<Score> Trainer::validate() {
  progress_.begin(Pass::evaluation, settings_.selecting_set(), setup_.validation_count, 0,
                  work_of(settings_.epochs - history_.current()));
  const Score score = score_of(model_, data_.selection, settings_.batch, feed_, [&](const Score& so_far) {
    progress_.show(so_far);
    return !program::interrupted();
  });
  if (score.count < setup_.validation_count) return std::nullopt;
  expect_sane(score.loss(), (settings_.selecting_set() + " loss").c_str());
  return score;
}

void Trainer::end_epoch(const Score& validation) {
  // An epoch that another process began is given the time it would have taken here.
  std::optional<double> seconds;
  if (pass_batches_ > 0) seconds = pass_seconds_ * double(batches_per_epoch()) / double(pass_batches_);
  history_.epochs.push_back({history_.current(), history_.score.loss(), history_.score.accuracy(), validation.loss(),
                             validation.accuracy(), seconds});
  history_.score = {};
  history_.batches = 0;

  // Whenever a process is killed, what the checkpoint does not know yet is done again, with the same results.
  const Epoch& last = history_.epochs.back();
  if (history_.best() == &last) model_.save(folder_.model(), false, note_of(settings_, last));
  chord::write_file(folder_.log(), to_csv(history_.epochs, settings_.selecting_set()));
  save();
}

/// Never a model that is beyond rescue: the last step may have spoilt the parameters without showing in its loss.
void Trainer::save() {
  look_at_losses();
  if (pass_batches_ > 0) expect_sane(model_.evaluate(feed_.inputs(), feed_.labels()).loss, "loss");
  model_.save(folder_.checkpoint(), true, to_note(history_));
  saved_ = Clock::now();
}

void Trainer::expect_sane(double loss, const char* what) const {
  if (std::isfinite(loss)) return;
  const bool kept = std::filesystem::exists(folder_.checkpoint());
  throw std::runtime_error("the " + std::string(what) + " is " + (std::isnan(loss) ? "nan" : "infinite") + " (" +
                           epoch_name() + ", batch " + std::to_string(history_.batches + 1) + " of " +
                           std::to_string(batches_per_epoch()) + "); a lower --lr may help. " +
                           (kept ? folder_.checkpoint() + " is from before." : "There is no checkpoint yet."));
}

std::optional<Result> Trainer::result() {
  auto best = chord::Model::load(context_, folder_.model());
  progress_.begin(Pass::evaluation, "test", setup_.test_count);
  const Score test = score_of(best, data_.test, settings_.batch, feed_, [&](const Score& so_far) {
    progress_.show(so_far);
    return !program::interrupted();
  });
  progress_.clear();
  if (test.count < setup_.test_count) return std::nullopt;
  return Result{test, *history_.best(), int64_t(history_.epochs.size()), mean_seconds(history_.epochs),
                context_.memory().peak_bytes};
}

}  // namespace train

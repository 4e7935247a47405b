#include "trainer.hpp"

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <stdexcept>

#include "common/device.hpp"
#include "common/files.hpp"
#include "common/interrupt.hpp"
#include "common/text.hpp"
#include "mpi/shared_state.hpp"

namespace train {
namespace {

// How late losses are looked at: the device has work to do meanwhile, and whoever watches sees them at once.
constexpr int64_t most_unseen = 32;
constexpr std::chrono::milliseconds look_interval(200);

DataChoice choice_of(const Settings& settings, const std::string& split, bool quiet) {
  const bool train = split == "train" || split == "all";
  return {settings.task,
          split,
          settings.data,
          settings.length(),
          train ? settings.count : settings.eval_count,
          settings.seed,
          "",
          quiet,
          train ? "--count" : "--eval-count"};
}

chord_train_options options_of(const Settings& settings) {
  auto options = chord::train_options();
  options.weight_decay = settings.weight_decay;
  options.clip_norm = settings.clip_norm;
  options.micro_batch = settings.micro_batch;
  options.memory =
      int32_t(std::find(memory_names().begin(), memory_names().end(), settings.memory) - memory_names().begin());
  return options;
}

/// What the file of a model says of itself, so that its user needs nothing else.
std::string note_of(const Settings& settings, const Course& course, const std::string& encoding, const Epoch& epoch) {
  return Json{{"task", settings.task},
              {"encoding", Json::parse(encoding)},
              {course.unit(), epoch.number},
              {"selection", settings.selection},
              {settings.selects_by_test() ? "test_accuracy_selected_by_test" : "validation_accuracy",
               epoch.validation_accuracy}}
      .dump();
}

/// Of the most that is computed at a time.
int64_t largest_piece(const Settings& settings, int ranks) {
  const int64_t pieces = settings.sums_fast() ? ranks : std::max<int64_t>(settings.pieces, 1);
  return (settings.batch + pieces - 1) / pieces;
}

/// Throws where there is not a single batch.
Course course_of(const Settings& settings, int64_t train_count) {
  if (train_count < settings.batch)
    throw std::runtime_error("there are " + std::to_string(train_count) +
                             " sequences to train on, fewer than a batch of " + std::to_string(settings.batch));
  return {train_count / settings.batch, settings.epochs, settings.validate_every};
}

}  // namespace

Data::Data(const Settings& settings, bool quiet)
    : train(open_dataset(choice_of(settings, settings.selects_by_test() ? "all" : "train", quiet))),
      selection(open_dataset(choice_of(settings, settings.selection, quiet))),
      test(open_dataset(choice_of(settings, "test", quiet))) {}

Trainer::Trainer(const Settings& settings, const Folder& folder, bool resume, double checkpoint_seconds,
                 Progress& progress, program::Team& team)
    : settings_(settings),
      folder_(folder),
      resumed_(resume && team.leads() && std::filesystem::exists(folder.checkpoint())),
      progress_(progress),
      team_(team),
      checkpoint_interval_(checkpoint_seconds),
      data_(settings, progress.quiet()),
      context_(
          program::open_device(program::own_device(settings.device, settings.precision(), team), settings.precision())),
      options_(options_of(settings)),
      model_(make_model()),
      setup_(make_setup()),
      schedule_(settings, setup_.course),
      history_(read_history()),
      pieces_{settings.batch, settings.sums_fast() ? team.size() : settings.pieces, team.size()},
      saved_(Clock::now()) {
  expect_fit(setup_.model, data_.train.info(), settings.task);
  setup_.settings.warmup_steps = schedule_.warmup_steps();
  settings_ = setup_.settings;
  options_ = options_of(settings_);
  if (settings_.cuts_sequences()) {
    cut_.emplace(context_, settings_, setup_.model, team_);
    return;
  }
  feed_.emplace(context_, setup_.model, settings.batch);
  if (pieces_.count > 0)
    shared_.emplace(team_.peers(), model_.get(), settings_.sums_fast() ? parallel::Sum::fast : parallel::Sum::ordered);
}

void Trainer::share_start() {
  if (cut_) {
    cut_->set_state(team_.leads() ? model_.get() : nullptr);
    model_ = chord::Model(nullptr);
    setup_.memory = cut_->reserve();
  }
  if (team_.size() == 1) return;
  team_.expect_same("version", program::version());
  team_.expect_same("device", program::arithmetic_of(setup_.device));
  setup_.devices = team_.gather(setup_.device.selector);
  team_.expect_same("set of data", data_text(setup_) + " " + data_.train.encoding());
  settings_.memory = setup_.settings.memory = team_.share(settings_.memory);
  options_ = options_of(settings_);
  const std::string note = team_.share(to_note({history_, identity_of(settings_)}));
  if (!team_.leads()) history_ = from_note(note, settings_.lr).history;
  if (!cut_) parallel::share_state(team_.peers(), model_.get());
}

/// Where sequences are cut, the leader alone has the whole model; the others learn from a piece's what its types are.
chord::Model Trainer::make_model() {
  if (settings_.cuts_sequences() && !team_.leads()) {
    Json piece = settings_.model;
    piece["length"] = settings_.length() / settings_.pieces;
    return chord::Model(context_, piece.dump(), settings_.seed);
  }
  if (resumed_) return chord::Model::load(context_, folder_.checkpoint());
  return chord::Model(context_, settings_.model_json(), settings_.seed);
}

/// What is known so far, with the settings that were only implied.
Setup Trainer::make_setup() const {
  Setup setup{settings_,
              course_of(settings_, data_.train.info().count),
              model_.info(),
              model_.plan(largest_piece(settings_, team_.size()), true, options_),
              context_.device(),
              data_.train.info().count,
              data_.selection.info().count,
              data_.test.info().count};
  if (settings_.cuts_sequences()) {
    setup.model.length = settings_.length();
    setup.memory.memory = CHORD_MEMORY_LOW;
  } else {
    setup.settings.model = Json::parse(model_.description());
  }
  setup.settings.device = setup.device.selector;
  // Chosen once: what fits may change while it runs, but the way of computing, and with it the rounding, may not.
  setup.settings.memory = memory_names()[std::size_t(setup.memory.memory)];
  return setup;
}

History Trainer::read_history() const {
  if (!resumed_) return {};
  try {
    expect_same_identity({{"model", setup_.settings.model}}, settings_);
    Checkpoint checkpoint = from_note(model_.note(), settings_.lr);
    expect_same_identity(checkpoint.run, settings_);
    expect_course(checkpoint.history);
    add_seconds(folder_.log(), checkpoint.history.epochs);
    return std::move(checkpoint.history);
  } catch (const std::runtime_error& problem) {
    throw std::runtime_error(folder_.checkpoint() + ": " + problem.what());
  }
}

/// Throws unless the run can have come there.
void Trainer::expect_course(const History& history) const {
  const Course& course = setup_.course;
  const bool beyond = history.number() > course.last() || history.batches > course.steps();
  const int64_t done = beyond ? course.steps() + 1 : course.steps_at(history.number()) + history.batches;
  if (done > course.steps())
    throw std::runtime_error(beyond ? "is beyond the end of the run; --epochs cannot be less"
                                    : "is in epoch " + std::to_string((done - 1) / course.steps_per_epoch + 1) +
                                          "; --epochs cannot be less");
  if (history.score.count != history.batches * settings_.batch)
    throw std::runtime_error("is damaged: " + std::to_string(history.batches) + " batches are not " +
                             std::to_string(history.score.count) + " sequences");
}

bool Trainer::done() const {
  if (history_.batches > 0 || history_.epochs.empty()) return false;
  const bool perfect = history_.epochs.back().validation_accuracy == 100;
  const bool stuck = settings_.patience > 0 && history_.since_best() >= settings_.patience;
  return history_.number() >= setup_.course.last() || (settings_.stop_when_perfect && perfect) || stuck;
}

Workload Trainer::work_after(int64_t number) const {
  const Course& course = setup_.course;
  return {double((course.steps() - course.steps_at(number)) * settings_.batch),
          double(course.left(number) * setup_.validation_count + setup_.test_count)};
}

bool Trainer::run_stretch() {
  const auto validation = train() ? validate() : std::nullopt;
  if (!validation) {
    save();
    return false;
  }
  end_stretch(*validation);
  return true;
}

bool Trainer::train() {
  pass_seconds_ = 0;
  pass_batches_ = 0;
  const Course& course = setup_.course;
  const int64_t first = course.steps_at(history_.number()), last = course.steps_at(next_number());
  if (steps_seen() == last) return true;
  Workload behind = work_after(next_number());
  behind.evaluation += double(setup_.validation_count);
  progress_.begin(Pass::training, course.name(next_number()), (last - first) * settings_.batch, history_.score.count,
                  behind);
  const auto begin = looked_ = Clock::now();
  while (steps_queued() < last) {
    if (team_.interrupted()) return false;
    step();
    if (time_to_look()) look_at_losses();
    if (steps_queued() < last && time_to_save()) save();
  }
  look_at_losses();
  pass_seconds_ = std::chrono::duration<double>(Clock::now() - begin).count();
  return true;
}

/// Those of the epoch, from the step that comes next.
chord::Batches& Trainer::batches() {
  const int64_t steps_per_epoch = setup_.course.steps_per_epoch, step = steps_queued() % steps_per_epoch;
  if (batches_ && step > 0) return *batches_;
  auto order = chord::batches_options(cut_ ? 1 : settings_.batch);
  order.first = cut_ ? step * settings_.batch : step;
  order.seed = settings_.seed;
  order.epoch = steps_queued() / steps_per_epoch + 1;
  order.shuffle = order.drop_last = 1;
  if (shared_) {
    const parallel::Range share = pieces_.share(team_.rank());
    order.part_first = share.first;
    order.part_count = share.count;
  }
  return batches_.emplace(data_.train, order);
}

void Trainer::step() {
  options_.learning_rate = schedule_.rate(steps_queued());
  if (cut_) return cut_step();
  feed_->load(batches().next());
  if (shared_) return shared_step();
  model_.queue_train_step(feed_->inputs(), feed_->labels(), options_);
  ++unseen_;
  ++pass_batches_;
}

/// Its loss is known at once: all ranks wait for each other anyway.
void Trainer::shared_step() {
  const parallel::SharedResult result =
      shared_->compute(pieces_, feed_->inputs().get(), feed_->labels().get(), options_, program::interrupted());
  team_.agree_on(int(result.asked));
  expect_sane(result.loss, "loss", steps_seen());
  model_.apply_gradients(options_);
  add(result.loss, result.correct);
}

/// So is its loss; and when to save, which all have a part in, is the leader's to say.
void Trainer::cut_step() {
  cut_->load(batches(), settings_.batch);
  const chord_step_result result = cut_->gradients();
  expect_sane(result.loss, "loss", steps_seen());
  cut_->apply_gradients(options_);
  add(result.loss, result.correct);
  team_.agree_on_signals(program::interrupted());
  leader_saves_ = Clock::now() - saved_ > checkpoint_interval_;
  team_.peers().broadcast(&leader_saves_, sizeof leader_saves_);
}

void Trainer::add(double loss, int64_t correct) {
  history_.score.add(loss, correct, settings_.batch);
  ++history_.batches;
  ++pass_batches_;
  progress_.show(history_.score);
}

bool Trainer::time_to_save() const { return cut_ ? leader_saves_ : Clock::now() - saved_ > checkpoint_interval_; }

bool Trainer::time_to_look() const { return unseen_ == most_unseen || Clock::now() - looked_ > look_interval; }

/// The history has those steps only that were looked at.
void Trainer::look_at_losses() {
  if (unseen_ == 0) return;
  const chord::KeptLosses kept = model_.take_losses();
  for (std::size_t i = 0; i < kept.losses.size(); ++i) {
    expect_sane(kept.losses[i], "loss", steps_seen());
    history_.score.add(kept.losses[i], kept.correct[i], settings_.batch);
    ++history_.batches;
  }
  unseen_ = 0;
  looked_ = Clock::now();
  progress_.show(history_.score);
}

ScoredAnswers Trainer::score_of(chord::Model& model, const chord::Dataset& data) {
  const auto seen = [&](const Score& so_far) {
    progress_.show(so_far);
    return !team_.interrupted();
  };
  return cut_ ? cut_->score_of(data, seen) : train::score_of(model, data, settings_.batch, *feed_, team_, seen);
}

std::optional<Score> Trainer::validate() {
  progress_.begin(Pass::evaluation, settings_.selecting_set(), setup_.validation_count, 0, work_after(next_number()));
  const Score score = score_of(model_, data_.selection);
  if (score.count < setup_.validation_count) return std::nullopt;
  expect_sane(score.loss(), settings_.selecting_set() + " loss", steps_seen() - 1);
  return score;
}

void Trainer::end_stretch(const Score& validation) {
  // A stretch that another process began is given the time it would have taken here.
  std::optional<double> seconds;
  if (pass_batches_ > 0) seconds = pass_seconds_ * double(history_.batches) / double(pass_batches_);
  history_.epochs.push_back({next_number(), history_.score.loss(), history_.score.accuracy(), validation.loss(),
                             validation.accuracy(), seconds, schedule_.rate(steps_seen() - 1)});
  history_.score = {};
  history_.batches = 0;

  // Whenever a process is killed, what the checkpoint does not know yet is done again, with the same results.
  const Epoch& last = history_.epochs.back();
  if (history_.best() == &last)
    write_model(folder_.model(), false, note_of(settings_, setup_.course, data_.train.encoding(), last));
  write_log();
  save();
}

void Trainer::write_log() const {
  if (!team_.leads()) return;
  chord::write_file(folder_.log(), to_csv(history_.epochs, setup_.course.unit(), settings_.selecting_set()));
}

/// The leader writes it, and has all of it where the others give it theirs.
void Trainer::write_model(const std::string& path, bool with_optimizer, const std::string& note) {
  if (!cut_) {
    if (team_.leads()) model_.save(path, with_optimizer, note);
    return;
  }
  chord::Model whole(nullptr);
  team_.together([&] {
    if (team_.leads()) whole = chord::Model(context_, settings_.model_json(), settings_.seed);
  });
  cut_->get_state(whole.get());
  if (team_.leads()) whole.save(path, with_optimizer, note);
}

/// Never a model that is beyond rescue: the last step may have spoilt the parameters without showing in its loss.
void Trainer::save() {
  look_at_losses();
  if (!cut_) return save_alone();
  if (pass_batches_ > 0) expect_sane(cut_->evaluate().loss, "loss", steps_seen() - 1);
  write_model(folder_.checkpoint(), true, to_note({history_, identity_of(settings_)}));
  saved_ = Clock::now();
}

void Trainer::save_alone() {
  if (cut_ || !team_.leads()) return;
  if (pass_batches_ > 0) expect_sane(model_.evaluate(feed_->inputs(), feed_->labels()).loss, "loss", steps_seen() - 1);
  write_model(folder_.checkpoint(), true, to_note({history_, identity_of(settings_)}));
  saved_ = Clock::now();
}

void Trainer::expect_sane(double loss, const std::string& what, int64_t step) const {
  if (std::isfinite(loss) || !team_.leads()) return;
  const int64_t steps_per_epoch = setup_.course.steps_per_epoch;
  const bool kept = std::filesystem::exists(folder_.checkpoint());
  throw std::runtime_error("the " + what + " is " + (std::isnan(loss) ? "nan" : "infinite") + " (epoch " +
                           std::to_string(step / steps_per_epoch + 1) + " of " + std::to_string(settings_.epochs) +
                           ", batch " + std::to_string(step % steps_per_epoch + 1) + " of " +
                           std::to_string(steps_per_epoch) + "); a lower --lr may help. " +
                           (kept ? folder_.checkpoint() + " is from before." : "There is no checkpoint yet."));
}

/// From the leader's file; where sequences are cut, they have it.
chord::Model Trainer::best_model() {
  if (cut_) {
    chord::Model whole(nullptr);
    team_.together([&] {
      if (team_.leads()) whole = chord::Model::load(context_, folder_.model());
    });
    cut_->set_state(whole.get());
    return chord::Model(nullptr);
  }
  auto best = team_.leads() ? chord::Model::load(context_, folder_.model())
                            : chord::Model(context_, settings_.model_json(), settings_.seed);
  if (team_.size() > 1) parallel::share_parameters(team_.peers(), best.get());
  return best;
}

std::optional<Result> Trainer::result() {
  auto best = best_model();
  progress_.begin(Pass::evaluation, "test", setup_.test_count);
  const ScoredAnswers test = score_of(best, data_.test);
  progress_.clear();
  if (test.count < setup_.test_count) return std::nullopt;
  const uint64_t peak = context_.memory().peak_bytes;
  std::vector<Example> examples;
  if (team_.leads() && !cut_) {  // who watches needs a whole sequence
    Observer observer(context_, best, settings_.task, data_.test.encoding());
    examples = examples_of(observer, data_.test, test.answers);
  }
  return Result{test, *history_.best(), history_.number(), seconds_per_epoch(setup_.course, history_.epochs),
                peak, examples};
}

}  // namespace train

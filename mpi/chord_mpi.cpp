// chord_mpi.h implemented.
#include <chord/chord_mpi.h>

#include <algorithm>
#include <chord/chord.hpp>
#include <cstdio>
#include <cstring>
#include <memory>
#include <new>
#include <stdexcept>
#include <string>

#include "mpi/cut_model.hpp"
#include "mpi/mpi_peers.hpp"
#include "mpi/shared_evaluation.hpp"
#include "mpi/shared_fit.hpp"
#include "mpi/shared_gradients.hpp"
#include "mpi/shared_state.hpp"
#include "mpi/texts.hpp"

static_assert(sizeof(MPI_Fint) == sizeof(int32_t), "chord_mpi.h passes communicators as int32_t");

struct chord_mpi_trainer {
  chord_mpi_trainer(MPI_Comm group, chord_model* of_model, int64_t batch, int64_t count)
      : peers(group),
        model(of_model),
        sum(count == 0 ? parallel::Sum::fast : parallel::Sum::ordered),
        pieces{batch, count == 0 ? peers.size() : count, peers.size()} {}

  parallel::MpiPeers peers;
  chord_model* model;
  parallel::Sum sum;
  parallel::Pieces pieces;
  std::unique_ptr<parallel::SharedGradients> gradients;  // of a model that was checked
};

struct chord_mpi_sequence {
  chord_mpi_sequence(MPI_Comm group) : peers(group) {}

  parallel::MpiPeers peers;
  std::string description;
  std::unique_ptr<parallel::CutModel> model;
};

namespace {

thread_local char last_error[1024] = "";

chord_status report(chord_status status, const char* function, const char* message) {
  std::snprintf(last_error, sizeof last_error, "%s: %s", function, message);
  return status;
}

struct Mistake : std::runtime_error {
  using std::runtime_error::runtime_error;
};

/// Whatever is thrown becomes a status and a message.
template <class Work>
chord_status guarded(const char* function, const Work& work) {
  try {
    work();
    return CHORD_SUCCESS;
  } catch (const Mistake& mistake) {
    return report(CHORD_ERROR_INVALID_ARGUMENT, function, mistake.what());
  } catch (const parallel::PeersLost& loss) {
    return report(CHORD_ERROR_MPI, function, loss.what());
  } catch (const chord::Error& error) {
    return report(error.status(), function, error.what());
  } catch (const std::invalid_argument& error) {
    return report(CHORD_ERROR_INVALID_ARGUMENT, function, error.what());
  } catch (const std::bad_alloc&) {
    return report(CHORD_ERROR_OUT_OF_MEMORY, function, "out of memory");
  } catch (const std::exception& error) {
    return report(CHORD_ERROR_INTERNAL, function, error.what());
  }
}

template <class T>
T* required(T* pointer, const char* name) {
  if (!pointer) throw Mistake(std::string(name) + " is NULL");
  return pointer;
}

chord_train_options options_or_zeros(const chord_train_options* options) {
  chord_train_options known = CHORD_TRAIN_OPTIONS_INIT;
  if (!options) return known;
  std::memcpy(&known, options, std::min(options->struct_size, sizeof known));
  known.struct_size = sizeof known;
  return known;
}

void give(chord_step_result* place, chord_step_result result) {
  if (!place) return;
  result.struct_size = std::min(place->struct_size, sizeof result);
  std::memcpy(place, &result, result.struct_size);
}

std::string library_version() {
  int32_t major = 0, minor = 0, patch = 0;
  chord::check(chord_version(&major, &minor, &patch));
  return std::to_string(major) + "." + std::to_string(minor) + "." + std::to_string(patch);
}

/// What must be the same at all ranks. A rank whose model is none says so.
std::string alike(const chord_mpi_trainer& trainer) {
  const char* description = nullptr;
  if (chord_model_description(trainer.model, &description) != CHORD_SUCCESS)
    return std::string("no model: ") + chord_last_error();
  const std::string pieces = trainer.sum == parallel::Sum::fast ? "no" : std::to_string(trainer.pieces.count);
  return library_version() + ", a batch of " + std::to_string(trainer.pieces.batch) + " in " + pieces + " pieces, " +
         description;
}

/// Throws at all ranks alike, where one has another text, or one that begins with "no ".
void expect_alike(parallel::Peers& peers, const std::string& text) {
  const auto texts = parallel::gather_texts(peers, text);
  for (std::size_t rank = 0; rank < texts.size(); ++rank) {
    if (texts[rank].rfind("no ", 0) == 0) throw Mistake("rank " + std::to_string(rank) + ": " + texts[rank]);
    if (texts[rank] != texts[0])
      throw Mistake("rank " + std::to_string(rank) + " has " + texts[rank] + "; rank 0 has " + texts[0]);
  }
}

/// Throws at all ranks alike.
void expect_fit(chord_mpi_trainer& trainer) {
  const auto& [batch, pieces, ranks] = trainer.pieces;
  expect_alike(trainer.peers, alike(trainer));
  if (batch < 1) throw Mistake("batch is " + std::to_string(batch) + "; expected 1 or more");
  if (pieces < ranks || pieces > batch)
    throw Mistake("pieces is " + std::to_string(pieces) + "; expected " + std::to_string(ranks) + ", the ranks, to " +
                  std::to_string(batch) + ", the batch");
}

/// What a rank that shares sequences has, or why it cannot.
std::string alike_for_sequences(chord_context* context, int64_t pieces) {
  chord_device_info device = CHORD_DEVICE_INFO_INIT;
  if (chord_context_get_device(context, &device) != CHORD_SUCCESS)
    return std::string("no context: ") + chord_last_error();
  return library_version() + ", " + std::to_string(pieces) + " pieces";
}

/// The description of rank 0's model, at all ranks.
std::string shared_description(parallel::Peers& peers, chord_model* model) {
  const char* description = nullptr;
  std::string own;
  if (peers.rank() == 0)
    own = chord_model_description(model, &description) == CHORD_SUCCESS
              ? std::string(description)
              : std::string("no model: ") + chord_last_error();
  const std::string text = parallel::share_text(peers, own);
  if (text.rfind("no ", 0) == 0) throw Mistake("rank 0: " + text);
  return text;
}

uint64_t shared_seed(parallel::Peers& peers, chord_model* model) {
  chord_model_info info = CHORD_MODEL_INFO_INIT;
  if (peers.rank() == 0) chord::check(chord_model_get_info(model, &info));
  peers.broadcast(&info.seed, sizeof info.seed);
  return info.seed;
}

/// What a step on sequences that are cut can do.
chord_train_options options_for_sequences(const chord_train_options* options) {
  const chord_train_options given = options_or_zeros(options);
  if (given.lengths) throw Mistake("lengths is not NULL, but sequences that are cut have all the same");
  if (given.clip_norm != 0) throw Mistake("clip_norm is not 0, but no rank has all gradients");
  return given;
}

MPI_Comm group_of(int32_t communicator) {
  int begun = 0, over = 0;
  MPI_Initialized(&begun);
  MPI_Finalized(&over);
  if (!begun || over) throw Mistake("MPI is not initialised, or finalised already");
  const MPI_Comm group = MPI_Comm_f2c(MPI_Fint(communicator));
  if (group == MPI_COMM_NULL) throw Mistake("communicator is none");
  return group;
}

}  // namespace

const char* chord_mpi_last_error(void) { return last_error; }

chord_status chord_mpi_create(int32_t communicator, chord_model* model, int64_t batch, int64_t pieces,
                              chord_mpi_trainer** trainer) {
  return guarded(__func__, [&] {
    required(trainer, "trainer");
    auto made = std::make_unique<chord_mpi_trainer>(group_of(communicator), model, batch, pieces);
    expect_fit(*made);
    made->gradients = std::make_unique<parallel::SharedGradients>(made->peers, model, made->sum);
    parallel::share_state(made->peers, model);
    *trainer = made.release();
  });
}

chord_status chord_mpi_destroy(chord_mpi_trainer* trainer) {
  return guarded(__func__, [&] { delete trainer; });
}

chord_status chord_mpi_get_share(const chord_mpi_trainer* trainer, int64_t* first, int64_t* count) {
  return guarded(__func__, [&] {
    const chord_mpi_trainer& known = *required(trainer, "trainer");
    required(first, "first");
    required(count, "count");
    const parallel::Range share = known.pieces.share(known.peers.rank());
    *first = share.first;
    *count = share.count;
  });
}

chord_status chord_mpi_train_step(chord_mpi_trainer* trainer, const chord_tensor* inputs, const chord_tensor* labels,
                                  const chord_train_options* options, chord_step_result* result) {
  return guarded(__func__, [&] {
    chord_mpi_trainer& known = *required(trainer, "trainer");
    const chord_train_options given = options_or_zeros(options);
    const parallel::SharedResult found = known.gradients->compute(known.pieces, inputs, labels, given, 0);
    chord::check(chord_model_apply_gradients(known.model, &given));
    chord_step_result whole = CHORD_STEP_RESULT_INIT;
    whole.loss = found.loss;
    whole.correct = found.correct;
    whole.count = known.pieces.batch;
    give(result, whole);
  });
}

chord_status chord_mpi_evaluate(chord_mpi_trainer* trainer, const chord_tensor* inputs, const chord_tensor* labels,
                                const chord_train_options* options, chord_step_result* result) {
  return guarded(__func__, [&] {
    chord_mpi_trainer& known = *required(trainer, "trainer");
    required(result, "result");
    give(result, parallel::shared_evaluation(known.peers, known.model, known.pieces, inputs, labels,
                                             options_or_zeros(options)));
  });
}

chord_status chord_mpi_sequence_create(int32_t communicator, chord_context* context, chord_model* model, int64_t pieces,
                                       chord_mpi_sequence** sequence) {
  return guarded(__func__, [&] {
    required(sequence, "sequence");
    auto made = std::make_unique<chord_mpi_sequence>(group_of(communicator));
    expect_alike(made->peers, alike_for_sequences(context, pieces));
    made->description = shared_description(made->peers, model);
    const parallel::ModelText whole(made->description);
    if (pieces < 1) throw Mistake("pieces is " + std::to_string(pieces) + "; expected 1 or more");
    const std::string problem = parallel::CutModel::problem_with(whole, pieces, made->peers.size());
    if (!problem.empty()) throw Mistake(problem);
    made->model =
        std::make_unique<parallel::CutModel>(made->peers, context, whole, shared_seed(made->peers, model), pieces);
    made->model->set_state(model);
    *sequence = made.release();
  });
}

chord_status chord_mpi_sequence_destroy(chord_mpi_sequence* sequence) {
  return guarded(__func__, [&] { delete sequence; });
}

chord_status chord_mpi_sequence_get_share(const chord_mpi_sequence* sequence, int64_t* first, int64_t* count) {
  return guarded(__func__, [&] {
    const parallel::Range share = required(sequence, "sequence")->model->share();
    *required(first, "first") = share.first;
    *required(count, "count") = share.count;
  });
}

chord_status chord_mpi_sequence_train_step(chord_mpi_sequence* sequence, const chord_tensor* inputs,
                                           const chord_tensor* labels, const chord_train_options* options,
                                           chord_step_result* result) {
  return guarded(__func__, [&] {
    parallel::CutModel& model = *required(sequence, "sequence")->model;
    const chord_train_options given = options_for_sequences(options);
    const chord_step_result found = model.gradients(inputs, labels);
    model.apply_gradients(given);
    give(result, found);
  });
}

chord_status chord_mpi_sequence_evaluate(chord_mpi_sequence* sequence, const chord_tensor* inputs,
                                         const chord_tensor* labels, chord_step_result* result) {
  return guarded(__func__, [&] {
    parallel::CutModel& model = *required(sequence, "sequence")->model;
    required(result, "result");
    give(result, model.evaluate(inputs, labels));
  });
}

chord_status chord_mpi_sequence_collect(chord_mpi_sequence* sequence, chord_model* model) {
  return guarded(__func__, [&] {
    chord_mpi_sequence& known = *required(sequence, "sequence");
    if (shared_description(known.peers, model) != known.description)
      throw Mistake("rank 0's model has another description than the sequence's");
    known.model->get_state(model);
  });
}

chord_status chord_mpi_factorize(int32_t communicator, chord_context* context, const chord_pattern* pattern,
                                 const chord_matrix* matrix, const chord_factorize_options* options, int64_t pieces,
                                 chord_factorization** factorization) {
  return guarded(__func__, [&] {
    required(factorization, "factorization");
    parallel::MpiPeers peers(group_of(communicator));
    expect_alike(peers, library_version());
    *factorization = peers.rank() == 0 ? parallel::lead_fit(peers, {pattern, matrix, options, pieces})
                                       : parallel::follow_fit(peers, context, nullptr);
  });
}

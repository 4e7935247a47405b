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

#include "mpi/mpi_peers.hpp"
#include "mpi/shared_evaluation.hpp"
#include "mpi/shared_gradients.hpp"
#include "mpi/shared_state.hpp"
#include "mpi/texts.hpp"

static_assert(sizeof(MPI_Fint) == sizeof(int32_t), "chord_mpi.h passes communicators as int32_t");

struct chord_mpi_trainer {
  chord_mpi_trainer(MPI_Comm group, chord_model* of_model, int64_t batch, int64_t count)
      : peers(group), model(of_model), pieces{batch, count, peers.size()} {}

  parallel::MpiPeers peers;
  chord_model* model;
  parallel::Pieces pieces;
  std::unique_ptr<parallel::SharedGradients> gradients;  // of a model that was checked
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

/// What must be the same at all ranks. A rank whose model is none says so.
std::string alike(chord_model* model, int64_t batch, int64_t pieces) {
  const char* description = nullptr;
  if (chord_model_description(model, &description) != CHORD_SUCCESS)
    return std::string("no model: ") + chord_last_error();
  int32_t major = 0, minor = 0, patch = 0;
  chord::check(chord_version(&major, &minor, &patch));
  return std::to_string(major) + "." + std::to_string(minor) + "." + std::to_string(patch) + ", a batch of " +
         std::to_string(batch) + " in " + std::to_string(pieces) + " pieces, " + description;
}

/// Throws at all ranks alike.
void expect_fit(chord_mpi_trainer& trainer) {
  const auto& [batch, pieces, ranks] = trainer.pieces;
  const auto texts = parallel::gather_texts(trainer.peers, alike(trainer.model, batch, pieces));
  for (std::size_t rank = 0; rank < texts.size(); ++rank) {
    if (texts[rank].rfind("no model: ", 0) == 0) throw Mistake("rank " + std::to_string(rank) + ": " + texts[rank]);
    if (texts[rank] != texts[0])
      throw Mistake("rank " + std::to_string(rank) + " has " + texts[rank] + "; rank 0 has " + texts[0]);
  }
  if (batch < 1) throw Mistake("batch is " + std::to_string(batch) + "; expected 1 or more");
  if (pieces < ranks || pieces > batch)
    throw Mistake("pieces is " + std::to_string(pieces) + "; expected " + std::to_string(ranks) + ", the ranks, to " +
                  std::to_string(batch) + ", the batch");
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
    made->gradients = std::make_unique<parallel::SharedGradients>(made->peers, model);
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

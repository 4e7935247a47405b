/* Models trained by several processes over MPI: the C interface of libchord_mpi, which is built where there is an MPI,
 * for that MPI, beside libchord, which knows none. The conventions are those of chord.h, but a trainer is an address:
 * one that was destroyed is not noticed.
 *
 * All ranks of a communicator have the same model and share every batch. It is cut into pieces, the same for any number
 * of ranks; each piece's gradients are computed by one rank, and summed in one fixed tree, so that the bits are the
 * same for any number of ranks, on devices that compute alike (but for MPI's own sum, see chord_mpi_create). Rank r has
 * a part of the sequences, which it reads itself.
 *
 * A communicator is given as Fortran's number of it, MPI_Comm_c2f(communicator), which every language can pass. MPI
 * must be initialised by then and finalised after the last chord_mpi_destroy; all calls but chord_mpi_get_share are
 * made by all ranks, in the same order, from the thread that initialised MPI. Where one fails at one rank, it fails at
 * all; after CHORD_ERROR_MPI, ranks may be gone, and the trainer is only good for being destroyed. */
#ifndef CHORD_CHORD_MPI_H
#define CHORD_CHORD_MPI_H

#include <chord/chord.h>

#ifdef __cplusplus
extern "C" {
#endif

#define CHORD_ERROR_MPI 1000 /* MPI or another rank has failed */

/* What went wrong in this thread's last call of this library that failed. Empty if none has.
 * Ownership: the library's; valid until this thread's next failing call. Threads: each has its own. Never NULL. */
CHORD_API const char* chord_mpi_last_error(void);

/* A model on all ranks, and how batches of one size are shared. */
typedef struct chord_mpi_trainer chord_mpi_trainer;

/* Of a model that each rank has made or loaded by itself; all get the parameters, moments and steps of rank 0's.
 * `batch`: sequences of each batch, of all ranks together. `pieces`: at most as many, and at least as many as there are
 * ranks; or 0: each rank's share is computed in one go and MPI adds up, which takes less time where sequences are
 * short, and whose last bits depend on the number of ranks. That versions, descriptions, batches and pieces are the
 * same everywhere is checked; the devices should be alike. Ownership: the result is the caller's; the model stays the
 * caller's and must outlive it. Threads: see above.
 */
CHORD_API chord_status chord_mpi_create(int32_t communicator, chord_model* model, int64_t batch, int64_t pieces,
                                        chord_mpi_trainer** trainer);

/* Ownership: takes `trainer`, which may be NULL. Threads: see above. */
CHORD_API chord_status chord_mpi_destroy(chord_mpi_trainer* trainer);

/* Which sequences of every batch this rank has: those from `first` on, counted from 0. They are what part_first and
 * part_count of chord_batches_options want. Ownership: the results are the caller's. Threads: any. */
CHORD_API chord_status chord_mpi_get_share(const chord_mpi_trainer* trainer, int64_t* first, int64_t* count);

/* One step of the optimiser on the whole batch's mean loss, with dropout, like chord_model_train_step. Inputs, labels
 * and lengths (in `options`) are those of the rank's share; `result` is the whole batch's. Ownership: `options` and
 * `result`, which may both be NULL, are the caller's. Threads: see above. */
CHORD_API chord_status chord_mpi_train_step(chord_mpi_trainer* trainer, const chord_tensor* inputs,
                                            const chord_tensor* labels, const chord_train_options* options,
                                            chord_step_result* result);

/* Loss and correct answers of the whole batch, like chord_model_evaluate_with, shared in the same way.
 * Ownership: `options` (may be NULL) stays the caller's, `result` is the caller's. Threads: see above. */
CHORD_API chord_status chord_mpi_evaluate(chord_mpi_trainer* trainer, const chord_tensor* inputs,
                                          const chord_tensor* labels, const chord_train_options* options,
                                          chord_step_result* result);

/* A model whose sequences are too long for one rank: they are cut along N into `pieces` of the same length, and each
 * rank has some that follow each other, with their values, their positions' parameters and the head's for them. Before
 * every factor, ranks give each other the rows that its links read. The bits are the same for any number of ranks, but
 * not those of a model in one piece, whose sums have another order. */
typedef struct chord_mpi_sequence chord_mpi_sequence;

/* Of rank 0's model, NULL elsewhere, whose parameters, moments and steps are shared out; it can go then. `context`: the
 * rank's own, where it computes. `pieces`: at least as many as there are ranks, and a divisor of N. The model has one
 * block; its pooling may be either. Ownership: the result is the caller's and keeps the context alive. Threads: see
 * above. */
CHORD_API chord_status chord_mpi_sequence_create(int32_t communicator, chord_context* context, chord_model* model,
                                                 int64_t pieces, chord_mpi_sequence** sequence);

/* Ownership: takes `sequence`, which may be NULL. Threads: see above. */
CHORD_API chord_status chord_mpi_sequence_destroy(chord_mpi_sequence* sequence);

/* Which positions of every sequence this rank has: those from `first` on, counted from 0.
 * Ownership: the results are the caller's. Threads: any. */
CHORD_API chord_status chord_mpi_sequence_get_share(const chord_mpi_sequence* sequence, int64_t* first, int64_t* count);

/* One step of the optimiser on the batch's mean loss, with dropout, like chord_model_train_step; sequences are taken
 * one after the other. inputs: the rank's positions of all sequences, [B, count] or [B, count, features]. labels: [B],
 * at rank 0; NULL elsewhere. `options` (NULL: all zero) has no lengths and no clip_norm; micro_batch and memory do not
 * matter: factors are made one at a time. `result` (may be NULL) is the batch's. Ownership: all stay the caller's.
 * Threads: see above. */
CHORD_API chord_status chord_mpi_sequence_train_step(chord_mpi_sequence* sequence, const chord_tensor* inputs,
                                                     const chord_tensor* labels, const chord_train_options* options,
                                                     chord_step_result* result);

/* Loss and correct answers of a batch, without dropout, given as above.
 * Ownership: `result` is the caller's. Threads: see above. */
CHORD_API chord_status chord_mpi_sequence_evaluate(chord_mpi_sequence* sequence, const chord_tensor* inputs,
                                                   const chord_tensor* labels, chord_step_result* result);

/* Parameters, moments and steps back to a whole model of rank 0's, of the same description; NULL elsewhere. That can be
 * saved, and be what another number of ranks goes on from. Ownership: the model stays the caller's. Threads: see above.
 */
CHORD_API chord_status chord_mpi_sequence_collect(chord_mpi_sequence* sequence, chord_model* model);

/* chord_factorize with all ranks: X's columns are cut into `pieces` (at least as many as there are ranks; 8 is a good
 * choice), each rank computes some of the gradient, and all take the same steps. Of a small X, and where there is more
 * than factors, each start of the race is one rank's. The bits are the same for any number
 * of ranks, but not those of chord_factorize, whose sums have another order. Rank 0 gives pattern, matrix and options,
 * which reach the others in messages; there they are NULL. checkpoint and callback are rank 0's; resume and peers are
 * NULL. `context`: where a rank other than 0 computes. Ownership: the result, which every rank gets, is the caller's;
 * all else stays the caller's. Threads: see above. */
CHORD_API chord_status chord_mpi_factorize(int32_t communicator, chord_context* context, const chord_pattern* pattern,
                                           const chord_matrix* matrix, const chord_factorize_options* options,
                                           int64_t pieces, chord_factorization** factorization);

#ifdef __cplusplus
}
#endif

#endif

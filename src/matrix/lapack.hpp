// LAPACK, found at run time: oneMKL's where it is, else the system's.
#pragma once

namespace chord {

struct Lapack {
  /// Fortran's dgesdd: the singular value decomposition of a matrix.
  void (*dgesdd)(const char* job, const int* m, const int* n, double* a, const int* lda, double* s, double* u,
                 const int* ldu, double* vt, const int* ldvt, double* work, const int* lwork, int* iwork, int* info);
  /// dgelqf and dorglq: rows that are orthonormal and span what those of a matrix do.
  void (*dgelqf)(const int* m, const int* n, double* a, const int* lda, double* tau, double* work, const int* lwork,
                 int* info);
  void (*dorglq)(const int* m, const int* n, const int* k, double* a, const int* lda, const double* tau, double* work,
                 const int* lwork, int* info);
  /// dgemm: c = alpha·a·b + beta·c
  void (*dgemm)(const char* transposed_a, const char* transposed_b, const int* m, const int* n, const int* k,
                const double* alpha, const double* a, const int* lda, const double* b, const int* ldb,
                const double* beta, double* c, const int* ldc);
  /// dsyrk: c = alpha·a·aᵀ + beta·c, one triangle of it; dpotrf: Cholesky's factor; dtrsm: b = alpha·a⁻¹·b.
  void (*dsyrk)(const char* triangle, const char* transposed, const int* n, const int* k, const double* alpha,
                const double* a, const int* lda, const double* beta, double* c, const int* ldc);
  void (*dpotrf)(const char* triangle, const int* n, double* a, const int* lda, int* info);
  void (*dtrsm)(const char* side, const char* triangle, const char* transposed, const char* unit, const int* m,
                const int* n, const double* alpha, const double* a, const int* lda, double* b, const int* ldb);

  /// How many threads it takes for who calls, and how many it took until now (0: as many as anybody else's); null in
  /// those that have no such thing.
  int (*set_own_threads)(int count);
  /// The same for all of the process, in OpenBLAS before 0.3.22; null elsewhere.
  int (*threads)();
  void (*set_threads)(int count);
};

/// Throws Status::unsupported, with what to install, where there is none.
const Lapack& lapack();

/// While it is there, LAPACK has one thread for who made it: its last bits depend on their number. An old OpenBLAS
/// knows one number for all of the process, and gets it back.
class OneLapackThread {
 public:
  OneLapackThread();
  ~OneLapackThread();
  OneLapackThread(const OneLapackThread&) = delete;
  OneLapackThread& operator=(const OneLapackThread&) = delete;

 private:
  int before_ = 0;
};

}  // namespace chord

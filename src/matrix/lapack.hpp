// LAPACK, found at run time: oneMKL's where it is, else the system's.
#pragma once

namespace chord {

struct Lapack {
  /// Fortran's dgesdd: the singular value decomposition of a matrix.
  void (*dgesdd)(const char* job, const int* m, const int* n, double* a, const int* lda, double* s, double* u,
                 const int* ldu, double* vt, const int* ldvt, double* work, const int* lwork, int* iwork, int* info);
};

/// Throws Status::unsupported, with what to install, where there is none.
const Lapack& lapack();

}  // namespace chord

#include "matrix/lapack.hpp"

#include <dlfcn.h>

#include <string>
#include <type_traits>
#include <vector>

#include "common/error.hpp"
#include "common/folders.hpp"

namespace chord {
namespace {

/// oneMKL's single library chooses its threads when it is told to: GNU OpenMP's, which every Debian has.
void use_openmp(void* library) {
  constexpr int gnu_openmp = 3;
  if (const auto set = reinterpret_cast<int (*)(int)>(dlsym(library, "MKL_Set_Threading_Layer"))) set(gnu_openmp);
}

/// Whether all of it is there.
bool find_all(void* library, Lapack& found) {
  const auto find = [&](const char* name, auto& function) {
    function = reinterpret_cast<std::remove_reference_t<decltype(function)>>(dlsym(library, name));
    return function != nullptr;
  };
  const bool own = find("MKL_Set_Num_Threads_Local", found.set_own_threads) ||
                   find("openblas_set_num_threads_local", found.set_own_threads);
  if (own || !find("openblas_get_num_threads", found.threads) || !find("openblas_set_num_threads", found.set_threads)) {
    found.set_threads = nullptr;
  }
  return find("dgesdd_", found.dgesdd) && find("dgelqf_", found.dgelqf) && find("dorglq_", found.dorglq) &&
         find("dgemm_", found.dgemm) && find("dsyrk_", found.dsyrk) && find("dpotrf_", found.dpotrf) &&
         find("dtrsm_", found.dtrsm);
}

Lapack load() {
  std::vector<std::string> libraries;
  for (const auto& folder : oneapi_folders()) libraries.push_back(folder / "libmkl_rt.so.3");
  for (const char* name : {"libmkl_rt.so.3", "libopenblas.so.0", "liblapack.so.3"}) libraries.emplace_back(name);
  for (const std::string& name : libraries) {
    void* library = dlopen(name.c_str(), RTLD_NOW | RTLD_LOCAL);
    if (!library) continue;
    use_openmp(library);
    if (Lapack found{}; find_all(library, found)) return found;
    dlclose(library);
  }
  // Thrown, so that it is looked for again: what failed may have been memory.
  fail(Status::unsupported,
       "there is no LAPACK: install libopenblas0, or oneMKL (pip install mkl) into a folder that "
       "CHORD_ONEAPI names");
}

}  // namespace

const Lapack& lapack() {
  static const Lapack found = load();
  return found;
}

OneLapackThread::OneLapackThread() {
  if (lapack().set_own_threads) {
    before_ = lapack().set_own_threads(1);
  } else if (lapack().set_threads) {
    before_ = lapack().threads();
    lapack().set_threads(1);
  }
}

OneLapackThread::~OneLapackThread() {
  if (lapack().set_own_threads) {
    lapack().set_own_threads(before_);
  } else if (lapack().set_threads) {
    lapack().set_threads(before_);
  }
}

}  // namespace chord

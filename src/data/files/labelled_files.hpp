// Files of which each is an input, in a folder that says its class.
#pragma once

#include "data/encoder.hpp"
#include "data/files/folder.hpp"
#include "data/files/packed_dataset.hpp"

namespace chord {

/// folder/{train,test}/{class}/*ending
struct LabelledFolders {
  std::filesystem::path folder;
  std::vector<std::string> classes;  ///< in the order of their labels
  std::string ending;
};

/// The files that a split is in: train, of which a tenth is for validation, or test. They are shuffled, always in the
/// same way, so that any part of them has all classes.
std::shared_ptr<const Pack> pack_of_labelled_files(const LabelledFolders& folders, const DatasetRequest& request,
                                                   std::shared_ptr<const Encoder> encoder);

}  // namespace chord

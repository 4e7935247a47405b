#pragma once

#include "data/dataset.hpp"
#include "data/encoder.hpp"

namespace chord {

/// What the folder of its data has to hold.
inline constexpr const char* image_files = "CIFAR-10's data_batch_1.bin to data_batch_5.bin and test_batch.bin";

/// CIFAR-10 (https://www.cs.toronto.edu/~kriz/cifar.html), its pictures grey, pixel after pixel: 1024 tokens from 0 to
/// 255, ten classes. Of the binary version, the last 5,000 pictures for training are the validation set. A folder with
/// train/ and test/ instead has PNGs in a folder for each class, and a tenth of those for training is that set.
std::shared_ptr<const Dataset> open_image(const DatasetRequest& request);

/// PNGs of 32 × 32 pixels, grey or not.
std::unique_ptr<const Encoder> image_encoder(const std::string& encoding, std::int64_t length);

}  // namespace chord

// ListOps (Nangia and Bowman, "ListOps: A diagnostic dataset for latent tree learning"), as the Long Range Arena has
// it: nested operations on digits, "[MAX 4 3 [MIN 2 3 ] 1 0 ]", and their result. The operators are the least, the
// greatest, the median (rounded down) and the sum modulo 10.
#pragma once

#include "data/dataset.hpp"
#include "data/encoder.hpp"
#include "data/generate_files.hpp"

namespace chord {

/// What the folder of its data has to hold.
inline constexpr const char* listops_files = "basic_train.tsv, basic_val.tsv and basic_test.tsv";

namespace listops {

inline constexpr std::int64_t length = 2000;  ///< positions, the first of which is CLS
inline constexpr std::int64_t classes = 10;
/// In the order of their tokens; padding and CLS follow.
inline constexpr const char* symbols[] = {"0", "1", "2", "3",    "4",    "5",    "6",  "7",
                                          "8", "9", "]", "[MIN", "[MAX", "[MED", "[SM"};
inline constexpr std::int32_t end_token = 10, first_operator = 11, operators = 4;
inline constexpr std::int32_t padding = 15, cls = 16, vocabulary = 17;

}  // namespace listops

/// Rows of tab-separated files, the columns Source and Target.
std::shared_ptr<const Dataset> open_listops(const DatasetRequest& request);

/// Expressions as text: parentheses do not count, symbols may stand apart or not.
std::unique_ptr<const Encoder> listops_encoder(const std::string& encoding, std::int64_t length);

/// Writes the three files, by the rules and limits of the Long Range Arena.
void generate_listops(const GenerateRequest& request);

}  // namespace chord

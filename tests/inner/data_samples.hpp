// Small files of every task.
#pragma once

#include "data_support.hpp"

namespace data_tests {

inline std::string short_rows() { return "Source\tTarget\n( ( ( [MIN 4 ) 7 ) ] )\t4\n[SM 9 [MAX 1 8] 5]\t2\n"; }

inline void save_listops(const files::Folder& folder, const std::string& content) {
  for (const char* name : {"basic_train.tsv", "basic_val.tsv", "basic_test.tsv"}) save(folder / name, content);
}

/// Reviews whose text tells split and class.
inline void save_reviews(const std::string& folder, int count) {
  for (const std::string split : {"train", "test"})
    for (const std::string kind : {"neg", "pos"})
      for (int i = 0; i < count; ++i)
        save(folder + "/" + split + "/" + kind + "/" + std::to_string(i) + "_1.txt",
             split + " " + kind + " " + std::to_string(i));
}

/// Pictures of two levels, which are functions of the picture's number, in metadata files of two rows each.
inline void save_pathfinder(const std::string& folder, int files_each) {
  int number = 0;
  for (const char* kind : {"curv_baseline", "curv_contour_length_9"})
    for (int file = 0; file < files_each; ++file) {
      std::string rows;
      for (int row = 0; row < 2; ++row, ++number) {
        const std::string name = "sample_" + std::to_string(row) + ".png", part = "imgs/" + std::to_string(file);
        save(folder + "/" + kind + "/" + part + "/" + name,
             grey_png([&](int x, int y) { return (x + y) % 2 ? 2 * number : 3; }));
        rows += part + " " + name + " " + std::to_string(row) + " " + std::to_string(number % 2) + " 1.8 6\n";
      }
      save(folder + "/" + kind + "/metadata/" + std::to_string(file) + ".npy", rows);
    }
}

/// Pictures of CIFAR-10 as PNGs, whose first column tells the class.
inline void save_class_pictures(const std::string& folder, int count) {
  const std::vector<std::string> names = {"airplane", "automobile", "bird",  "cat",  "deer",
                                          "dog",      "frog",       "horse", "ship", "truck"};
  for (const std::string split : {"train", "test"})
    for (std::size_t label = 0; label < names.size(); ++label)
      for (int i = 0; i < count; ++i)
        save(folder + "/" + split + "/" + names[label] + "/" + std::to_string(i) + ".png",
             grey_png([&](int x, int) { return x == 0 ? int(label) : i; }));
}

}  // namespace data_tests

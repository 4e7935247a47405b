#include <algorithm>
#include <deque>
#include <filesystem>

#include "common/file.hpp"
#include "common/streams.hpp"
#include "data/files/parallel.hpp"
#include "data/listops.hpp"
#include "data/listops_expression.hpp"

namespace chord {
namespace {

constexpr std::int64_t rows_at_a_time = 256;

std::string row_of(std::uint64_t seed, std::uint16_t part, std::int64_t index) {
  Draws draws(random_of(Stream::listops, seed, part, std::uint32_t(index)));
  const ListOpsExpression expression = draw_listops(draws);
  return expression.text + '\t' + char('0' + expression.value) + '\n';
}

}  // namespace

void generate_listops(const GenerateRequest& request) {
  namespace fs = std::filesystem;
  std::error_code problem;
  fs::create_directories(request.output, problem);
  if (problem) fail(status_of(problem), request.output, ": cannot be made: ", problem.message());
  const SplitCounts counts = split_counts(request.count);
  const struct {
    const char* name;
    std::int64_t count;
  } parts[] = {
      {"basic_train.tsv", counts.train}, {"basic_val.tsv", counts.validation}, {"basic_test.tsv", counts.test}};
  std::deque<NewFile> files;
  std::int64_t done = 0;
  for (std::uint16_t part = 0; part < std::uint16_t(std::size(parts)); ++part) {
    files.emplace_back(fs::path(request.output) / parts[part].name);
    files.back().write("Source\tTarget\n");
    for (std::int64_t first = 0; first < parts[part].count; first += rows_at_a_time) {
      if (request.progress) request.progress(done, request.count);
      std::vector<std::string> rows(std::size_t(std::min(rows_at_a_time, parts[part].count - first)));
      for_each_in_parallel(rows.size(),
                           [&](std::size_t i) { rows[i] = row_of(request.seed, part, first + std::int64_t(i)); });
      for (const std::string& each : rows) files.back().write(each);
      done += std::int64_t(rows.size());
    }
  }
  for (NewFile& each : files) each.commit();
  if (request.progress) request.progress(done, request.count);
}

}  // namespace chord

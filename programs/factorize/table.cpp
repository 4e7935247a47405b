#include "table.hpp"

#include <algorithm>

#include "common/text.hpp"

namespace factorize {
namespace {

using namespace program;

const char* const nothing = "–";

void add_published(const Result& result, std::vector<std::string>& row) {
  const auto& published = result.job.published_error;
  row.push_back(published ? number(*published) : nothing);
  row.push_back(published && *published > 0 ? number(result.fit.error / *published) : nothing);
}

}  // namespace

std::string winner(const Result& result) {
  if (!result.tsvd) return nothing;
  if (result.fit.error == result.tsvd->error) return "both";
  return result.fit.error < result.tsvd->error ? "SF" : "TSVD";
}

Table make_table(const std::vector<Result>& results, bool published) {
  Table table;
  table.titles = {"input",    "N",          "factors",   "links",          "SF non-zeros",
                  "SF error", "relative",   "TSVD rank", "TSVD non-zeros", "TSVD error",
                  "wins",     "iterations", "seconds"};
  if (published) table.titles.insert(table.titles.end(), {"published", "ours/published"});
  for (const Result& each : results) {
    std::vector<std::string> row = {each.job.name,
                                    std::to_string(each.fit.n),
                                    std::to_string(each.fit.factors),
                                    std::to_string(each.fit.links),
                                    std::to_string(each.fit.nonzeros),
                                    number(each.fit.error),
                                    number(each.fit.relative_error)};
    if (each.tsvd)
      row.insert(row.end(), {std::to_string(each.tsvd->rank),
                             std::to_string(tsvd_nonzeros(each.fit.n, each.tsvd->rank)), number(each.tsvd->error)});
    else
      row.insert(row.end(), 3, nothing);
    row.insert(row.end(), {winner(each), std::to_string(each.fit.iterations), number(each.fit.seconds)});
    if (published) add_published(each, row);
    table.rows.push_back(std::move(row));
  }
  return table;
}

std::string published_summary(const std::vector<Job>& jobs, const std::vector<Result>& results) {
  const auto known = std::count_if(jobs.begin(), jobs.end(), [](const Job& each) { return !!each.published_error; });
  const auto reached = std::count_if(results.begin(), results.end(), [](const Result& each) {
    return each.job.published_error && each.fit.error <= *each.job.published_error;
  });
  return std::to_string(reached) + " of " + std::to_string(known) + " at or below the published error";
}

}  // namespace factorize

#include "table.hpp"

#include <algorithm>

#include "common/text.hpp"
#include "verdict.hpp"

namespace factorize {
namespace {

using namespace program;

const char* const nothing = "–";
constexpr std::size_t columns = 80;

std::string percentage(double share) { return mathematical(100 * share, 3) + " %"; }

/// `numbers`: 0 where they are not known.
std::vector<std::string> method(const Result& result, const std::string& name, int64_t numbers, double error) {
  const double all = double(result.fit.rows) * double(result.fit.columns), norm = result.matrix.norm;
  return {name, numbers > 0 ? std::to_string(numbers) : nothing,
          numbers > 0 ? percentage(double(numbers) / all) : nothing, mathematical(error),
          norm > 0 ? percentage(error / norm) : nothing};
}

std::vector<std::string> published_columns(const Result& result) {
  const auto& published = result.job.published_error;
  return {published ? number(*published) : nothing,
          published && *published > 0 ? number(result.fit.error / *published) : nothing};
}

std::string heading(const Result& result) {
  const auto& fit = result.fit;
  return result.job.name + ": " + extent_text(fit) + ", " + in_words(result.parts, fit.constraint) +
         (fit.factors > 0 ? " with " + counted(fit.links, "link") : "") + ", " + counted(fit.iterations, "iteration") +
         " in " + number(fit.seconds) + " s" +
         (fit.standard_error > 0 ? "; its error is an estimate, ± " + number(fit.standard_error) : "");
}

std::string verdict_text(const Result& result, const std::string& before) {
  return wrapped(before + join(verdict(result), " "), columns);
}

std::string shortened(const std::string& text, std::size_t most) {
  return characters(text) <= most ? text : first_characters(text, most - 1) + "…";
}

/// With names as short as they must be for lines of 80 characters.
Table fitted(Table table) {
  constexpr std::size_t fewest = 8;  // tell most names apart
  const std::string in_one = to_text(table, std::string::npos);
  const std::size_t width = characters(in_one.substr(0, in_one.find('\n')));
  std::size_t longest = 0;
  for (const auto& row : table.rows) longest = std::max(longest, characters(row[0]));
  const std::size_t too_much = width > columns ? width - columns : 0;
  const std::size_t most = std::max(longest, fewest + too_much) - too_much;
  for (auto& row : table.rows) row[0] = shortened(row[0], most);
  return table;
}

std::string text_of_one(const Result& result) {
  return wrapped(heading(result), columns) + "\n" + to_text(methods_table(result)) + "\n" + verdict_text(result, "");
}

std::string text_of_several(const std::vector<Result>& results, bool published) {
  std::string text = to_text(fitted(make_table(results, published))) + "\n";
  for (const Result& each : results) text += verdict_text(each, each.job.name + ": ");
  return text;
}

}  // namespace

Table methods_table(const Result& result) {
  const bool square = result.fit.rows == result.fit.columns;
  Table table{{"method", "numbers", square ? "of N²" : "of X's", "error", "relative"}, {}};
  const auto add = [&](const std::string& name, int64_t numbers, double error) {
    table.rows.push_back(method(result, name, numbers, error));
  };
  const auto& fit = result.fit;
  const auto& tsvd = result.tsvd;
  const Job& job = result.job;
  add(result.parts.factors_alone() ? "sparse factors" : in_words(result.parts, fit.constraint), fit.nonzeros,
      fit.error);
  if (tsvd) add("truncated SVD, rank " + std::to_string(tsvd->rank), tsvd_nonzeros(fit, tsvd->rank), tsvd->error);
  if (is_sparse(result.matrix)) add("X itself, its non-zeros", result.matrix.nonzeros, 0);
  if (job.published_error) add("sparse factors, published", 0, *job.published_error);
  if (job.published_tsvd_error) add("truncated SVD, published", 0, *job.published_tsvd_error);
  return table;
}

Table make_table(const std::vector<Result>& results, bool published) {
  Table table{{"input", "N", "numbers", "X's own", "error", "SVD error"}, {}};
  const std::vector<std::string> last =
      published ? std::vector<std::string>{"published", "ours/it"} : std::vector<std::string>{"relative"};
  table.titles.insert(table.titles.end(), last.begin(), last.end());
  for (const Result& each : results) {
    std::vector<std::string> row = {each.job.name,
                                    std::to_string(each.fit.n),
                                    std::to_string(each.fit.nonzeros),
                                    std::to_string(own_numbers(each.matrix)),
                                    number(each.fit.error),
                                    each.tsvd ? number(each.tsvd->error) : nothing};
    const auto rest = published ? published_columns(each) : std::vector<std::string>{number(each.fit.relative_error)};
    row.insert(row.end(), rest.begin(), rest.end());
    table.rows.push_back(std::move(row));
  }
  return table;
}

std::string results_text(const std::vector<Result>& results, bool published) {
  return results.size() == 1 ? text_of_one(results[0]) : text_of_several(results, published);
}

std::string published_summary(const std::vector<Job>& jobs, const std::vector<Result>& results) {
  const auto known = std::count_if(jobs.begin(), jobs.end(), [](const Job& each) { return !!each.published_error; });
  const auto reached = std::count_if(results.begin(), results.end(), [](const Result& each) {
    return each.job.published_error && each.fit.error <= *each.job.published_error;
  });
  return std::to_string(reached) + " of " + std::to_string(known) + " at or below the published error";
}

}  // namespace factorize

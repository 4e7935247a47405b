#include "sweep.hpp"

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

#include "common/report/chart.hpp"
#include "common/report/html.hpp"
#include "common/table.hpp"
#include "common/text.hpp"
#include "plan.hpp"
#include "progress.hpp"
#include "result.hpp"

namespace factorize {
namespace {

using namespace program;

constexpr double shares[] = {0.125, 0.25, 0.5, 1, 2};

/// Those that leave something to be found: a column of each side at least, and fewer than X has.
std::vector<int64_t> budgets(int64_t usual, const chord_matrix_info& matrix) {
  const int64_t column = matrix.rows + matrix.columns, all_of_x = matrix.rows * matrix.columns;
  std::vector<int64_t> all;
  for (const double share : shares) {
    const auto numbers = int64_t(share * double(usual));
    if (numbers >= column && (numbers < all_of_x || all.empty())) all.push_back(numbers);
  }
  if (all.empty()) all.push_back(usual);
  return all;
}

/// ‖X − X_r‖ for the highest rank within the numbers.
double svd_error(const std::vector<double>& singular_values, const chord_matrix_info& matrix, int64_t numbers) {
  const auto rank = std::size_t(numbers / tsvd_nonzeros(matrix, 1));
  double squares = 0;
  for (std::size_t k = singular_values.size(); k-- > rank;) squares += singular_values[k] * singular_values[k];
  return std::sqrt(squares);
}

class Sweeper {
 public:
  Sweeper(const Plan& plan, const Fitter& fitter, double seconds)
      : plan_(plan), fitter_(fitter), seconds_(seconds), progress_(seconds, false) {}

  chord::Factorization fit(int64_t numbers, int64_t rank) {
    chord_factorize_options how = plan_.options;
    how.numbers = numbers;
    how.rank = rank;
    how.seconds = seconds_;
    how.callback = Progress::callback;
    how.user = &progress_;
    return fitter_.fit(plan_.pattern, plan_.matrix, how);
  }

 private:
  const Plan& plan_;
  const Fitter& fitter_;
  double seconds_;
  Progress progress_;
};

Table table_of(const Sweep& sweep) {
  Table table{{"numbers", "truncated SVD", "factors alone", "both", "split"}, {}};
  for (const SweepPoint& point : sweep.points)
    table.rows.push_back({std::to_string(point.numbers), mathematical(point.svd),
                          point.factors ? mathematical(*point.factors) : "–", mathematical(point.both),
                          in_words(point.split, sweep.constraint)});
  return table;
}

std::string chart_of(const Sweep& sweep) {
  const double norm = sweep.matrix.norm > 0 ? sweep.matrix.norm : 1;
  Chart chart{"Relative error against numbers", "numbers", "relative error", 0, {}, {}, {}};
  chart.counts = true;
  ChartSeries svd{"truncated SVD", "orange", {}}, factors{"factors alone", "green", {}}, both{"both", "blue", {}};
  for (const SweepPoint& point : sweep.points) {
    const auto numbers = double(point.numbers);
    svd.points.push_back({numbers, point.svd / norm});
    if (point.factors) factors.points.push_back({numbers, *point.factors / norm});
    both.points.push_back({numbers, point.both / norm});
  }
  chart.series = {std::move(svd), std::move(factors), std::move(both)};
  return to_html(chart);
}

constexpr const char* reading_aid =
    "<p class=\"words-of-it\">What so many numbers leave over of a matrix X: the error ‖X&nbsp;−&nbsp;X̂‖, in the "
    "chart as a share of ‖X‖. <b>truncated SVD</b>: of the highest rank that has no more numbers; <b>factors "
    "alone</b>: "
    "a product of sparse factors; <b>both</b>: a low rank with such a product beside it, split as it turned out "
    "best.</p>\n";

/// More numbers can only be worse where the search for the best of them was cut short.
std::string time_note(const Sweep& sweep) {
  if (sweep.seconds <= 0) return "";
  return "<p class=\"soft\">Each fit had " + mathematical(sweep.seconds, 2) +
         " s; where more numbers are worse, that was too short.</p>\n";
}

}  // namespace

Sweep sweep(chord::Context& context, const Fitter& fitter, const Options& options, const Job& job) {
  const Plan plan = make_plan(context, options, job);
  const int64_t factor = plan.pattern.n() * plan.pattern.links();
  const chord_matrix_info matrix = plan.matrix.info();
  const auto singular_values = plan.matrix.singular_values();
  const auto all = budgets(plan.options.numbers, matrix);
  const double seconds = options.seconds / double(2 * all.size());
  Sweep result{job, matrix, plan.options.constraint, seconds, {}};
  Sweeper sweeper(plan, fitter, seconds);
  for (const int64_t numbers : all) {
    if (fitter.interrupted()) break;
    SweepPoint point{numbers, svd_error(singular_values, matrix, numbers), {}, 0, {}};
    if (numbers >= factor) point.factors = sweeper.fit(numbers, CHORD_NO_PART).info().error;
    const chord::Factorization both = sweeper.fit(numbers, 0);
    point.both = both.info().error;
    point.split = sizes_of(both.parts());
    result.points.push_back(point);
  }
  return result;
}

std::string sweep_text(const Sweep& sweep) {
  return sweep.job.name + ": " + extent_text(sweep.matrix) + ", error against numbers\n\n" + to_text(table_of(sweep));
}

std::string sweep_json(const Sweep& sweep) {
  using Json = nlohmann::ordered_json;
  Json points = Json::array();
  for (const SweepPoint& point : sweep.points)
    points.push_back({{"numbers", point.numbers},
                      {"tsvd_error", point.svd},
                      {"factors_error", point.factors ? Json(*point.factors) : Json()},
                      {"error", point.both},
                      {"rank", point.split.rank},
                      {"stored_factors", point.split.factors}});
  const Json json{{"name", sweep.job.name},
                  {"input", sweep.job.file},
                  {"n", sweep.matrix.n},
                  {"matrix_norm", sweep.matrix.norm},
                  {"sweep", points}};
  return json.dump(-1, ' ', false, Json::error_handler_t::replace);
}

std::string sweep_page(const std::vector<Sweep>& sweeps, const std::string& command_line) {
  std::string body =
      "<h1>Error against numbers</h1>\n<p class=\"soft\">" + command(command_line) + "</p>\n" + reading_aid;
  for (const Sweep& each : sweeps)
    body += "<article class=\"sweep\"><h2>" + escaped(each.job.name) + "</h2>\n" + time_note(each) + chart_of(each) +
            to_html(table_of(each)) + "</article>\n";
  return page("Error against numbers", body);
}

}  // namespace factorize

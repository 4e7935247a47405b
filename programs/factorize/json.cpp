#include "json.hpp"

#include <nlohmann/json.hpp>

#include "names.hpp"
#include "verdict.hpp"

namespace factorize {
namespace {

using Json = nlohmann::ordered_json;

Json number_or_null(const std::optional<double>& value) { return value ? Json(*value) : Json(); }
Json text_or_null(const std::string& text) { return text.empty() ? Json() : Json(text); }

}  // namespace

std::string to_json(const Result& result, bool published) {
  const chord_factorization_info& fit = result.fit;
  const auto& tsvd = result.tsvd;
  Json json{{"name", result.job.name},
            {"input", result.job.file},
            {"format", result.matrix.format},
            {"n", fit.n},
            {"rows", fit.rows},
            {"columns", fit.columns},
            {"factors", fit.factors},
            {"links", fit.links},
            {"rank", result.parts.rank},
            {"entries", result.parts.entries},
            {"nonzeros", fit.nonzeros},
            {"error", fit.error},
            {"relative_error", fit.relative_error},
            {"standard_error", fit.standard_error},
            {"tsvd_rank", tsvd ? Json(tsvd->rank) : Json()},
            {"tsvd_nonzeros", tsvd ? Json(tsvd_nonzeros(fit, tsvd->rank)) : Json()},
            {"tsvd_error", tsvd ? Json(tsvd->error) : Json()},
            {"matrix_nonzeros", result.matrix.nonzeros},
            {"matrix_norm", result.matrix.norm},
            {"verdict", verdict(result)},
            {"iterations", fit.iterations},
            {"seconds", fit.seconds},
            {"stop", stop_name(fit.stop)},
            {"constraint", constraint_name(fit.constraint)},
            {"protocol", text_or_null(result.protocol)},
            {"offsets", result.offsets},
            {"precision", fit.precision},
            {"seed", fit.seed},
            {"device", result.device.selector},
            {"output", text_or_null(result.output)}};
  if (published) {
    json["published_error"] = number_or_null(result.job.published_error);
    json["published_tsvd_error"] = number_or_null(result.job.published_tsvd_error);
  }
  // File names may be anything; JSON is UTF-8.
  return json.dump(-1, ' ', false, Json::error_handler_t::replace);
}

}  // namespace factorize

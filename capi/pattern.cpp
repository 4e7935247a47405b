#include "capi/handles.hpp"

using namespace chord;
using namespace chord::capi;

namespace {

chord_pattern* make_pattern(chord_context* context, std::int64_t n, std::vector<std::int64_t> offsets) {
  return make_handle<chord_pattern>(
      std::make_shared<const Pattern>(checked(context, "context").value, n, std::move(offsets)));
}

}  // namespace

chord_status chord_pattern_create_chord(chord_context* context, int64_t n, int64_t base, int64_t links,
                                        chord_pattern** pattern) {
  return guarded(__func__,
                 [&] { *required(pattern, "pattern") = make_pattern(context, n, chord_offsets(n, base, links)); });
}

chord_status chord_pattern_create_symmetric(chord_context* context, int64_t n, int64_t base, int64_t links,
                                            chord_pattern** pattern) {
  return guarded(__func__, [&] {
    *required(pattern, "pattern") = make_pattern(context, n, symmetric_chord_offsets(n, base, links));
  });
}

chord_status chord_pattern_create_custom(chord_context* context, int64_t n, int64_t links, const int64_t* offsets,
                                         chord_pattern** pattern) {
  return guarded(__func__, [&] {
    required(pattern, "pattern");
    required(offsets, "offsets");
    expect_link_count(links);
    *pattern = make_pattern(context, n, std::vector<std::int64_t>(offsets, offsets + links));
  });
}

chord_status chord_pattern_destroy(chord_pattern* pattern) {
  return guarded(__func__, [&] { destroy_handle(pattern, "pattern"); });
}

chord_status chord_pattern_get_size(const chord_pattern* pattern, int64_t* n, int64_t* links) {
  return guarded(__func__, [&] {
    const Pattern& value = *checked(pattern, "pattern").value;
    if (n) *n = value.n();
    if (links) *links = value.links();
  });
}

chord_status chord_pattern_get_offsets(const chord_pattern* pattern, int64_t* offsets, int64_t capacity) {
  return guarded(__func__, [&] {
    const Pattern& value = *checked(pattern, "pattern").value;
    required(offsets, "offsets");
    if (capacity < value.links())
      fail(Status::invalid_argument, "capacity is ", capacity, "; the pattern has ", value.links(), " offsets");
    std::copy(value.offsets().begin(), value.offsets().end(), offsets);
  });
}

chord_status chord_full_chain_length(int64_t n, int64_t base, int64_t* factors) {
  return guarded(__func__, [&] { *required(factors, "factors") = full_chain_length(n, base); });
}

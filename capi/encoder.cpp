#include "data/encoder.hpp"

#include "capi/handles.hpp"
#include "capi/progress.hpp"
#include "data/generate_files.hpp"

using namespace chord;
using namespace chord::capi;

chord_status chord_encoder_create(const char* task, const char* encoding, int64_t length, chord_encoder** encoder) {
  return guarded(__func__, [&] {
    required(encoder, "encoder");
    *encoder = make_handle<chord_encoder>(make_encoder(required(task, "task"), encoding ? encoding : "", length));
  });
}

chord_status chord_encoder_destroy(chord_encoder* encoder) {
  return guarded(__func__, [&] { destroy_handle(encoder, "encoder"); });
}

chord_status chord_encoder_get_info(const chord_encoder* encoder, chord_encoder_info* info) {
  return guarded(__func__, [&] {
    const Encoder& value = *checked(encoder, "encoder").value;
    chord_encoder_info result{};
    result.length = value.length();
    result.vocabulary = int64_t(value.symbols().size());
    fill_info(info, result, "info");
  });
}

chord_status chord_encoder_encode(const chord_encoder* encoder, const void* bytes, size_t size, int32_t* tokens,
                                  int64_t capacity, int64_t* used) {
  return guarded(__func__, [&] {
    const Encoder& value = *checked(encoder, "encoder").value;
    if (size > 0) required(bytes, "bytes");
    required(tokens, "tokens");
    if (capacity < value.length())
      fail(Status::invalid_argument, "capacity is ", capacity, "; expected ", value.length(), " or more");
    const int64_t positions = value.encode({static_cast<const char*>(bytes), size}, tokens);
    if (used) *used = positions;
  });
}

chord_status chord_encoder_symbol(const chord_encoder* encoder, int32_t token, const char** text) {
  return guarded(__func__, [&] {
    const std::vector<std::string>& symbols = checked(encoder, "encoder").value->symbols();
    required(text, "text");
    if (token < 0 || std::size_t(token) >= symbols.size())
      fail(Status::invalid_argument, "token is ", token, "; expected 0 to ", symbols.size() - 1);
    *text = symbols[std::size_t(token)].c_str();
  });
}

chord_status chord_generate_files(const chord_generate_options* options) {
  return guarded(__func__, [&] {
    const chord_generate_options given = read_struct(required(options, "options"), "options");
    GenerateRequest request;
    request.task = required(given.task, "options->task");
    request.output = required(given.output, "options->output");
    if (given.count != 0) request.count = given.count;
    request.seed = given.seed;
    request.progress = progress_of(given.progress, given.user);
    generate_files(request);
  });
}

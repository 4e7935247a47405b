// What the library tells about itself: its tasks, the keys of a model, its constraints and reasons to stop. Each is
// compared with what the library does.
#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>
#include <set>

#include "files.hpp"
#include "support.hpp"

using namespace testing;
using Json = nlohmann::ordered_json;

namespace {

/// The keys of a description, in its order.
std::vector<std::string> keys_of(const Json& description) {
  std::vector<std::string> names;
  for (const auto& [name, value] : description.items()) names.push_back(name);
  return names;
}

chord_status create_model(Context& context, const Json& description) {
  chord_model* model = nullptr;
  const chord_status status = chord_model_create(context.get(), description.dump().c_str(), 0, &model);
  chord_model_destroy(model);
  return status;
}

/// A small model with one key as given.
Json with_key(const char* name, const Json& value) {
  Json description{{"preset", "adding"}, {"length", 4}};
  description[name] = value;
  return description;
}

void expect_refused(Context& context, const char* name, const Json& value) {
  expect(create_model(context, with_key(name, value)), CHORD_ERROR_INVALID_ARGUMENT, "/" + std::string(name) + " is ");
}

}  // namespace

TEST_CASE("the keys of a model are those of its description") {
  Context context("host");
  std::vector<std::string> names;
  for (const auto& key : chord::model_keys()) names.push_back(key.name);
  CHECK(names == keys_of(Json::parse(chord::Model::preset("adding"))));
}

TEST_CASE("the ranges of a model's keys are those the library checks") {
  Context context("host");
  for (const auto& key : chord::model_keys()) {
    CAPTURE(key.name);
    CHECK(std::string(key.description) != "");
    if (key.kind == CHORD_KEY_INTEGER) {
      expect_refused(context, key.name, int64_t(key.lowest) - 1);
      expect_refused(context, key.name, int64_t(key.highest) + 1);
      expect_refused(context, key.name, "1");
    }
    if (key.kind == CHORD_KEY_REAL) {
      expect_refused(context, key.name, key.lowest - 1e-9);
      if (std::isfinite(key.highest)) expect_refused(context, key.name, key.highest);
      CHECK(create_model(context, with_key(key.name, key.lowest)) == CHORD_SUCCESS);
    }
    if (key.kind == CHORD_KEY_BOOLEAN) {
      expect_refused(context, key.name, 1);
      for (const bool value : {false, true}) CHECK(create_model(context, with_key(key.name, value)) == CHORD_SUCCESS);
    }
    CHECK((key.kind == CHORD_KEY_CHOICE) <= (*key.choices != '\0'));
    if (*key.choices) {
      expect_refused(context, key.name, key.kind == CHORD_KEY_CHOICE ? Json("none of them") : Json(33));
      for (const Json& value : Json::parse(key.choices)) {
        Json description = with_key(key.name, value);
        description["vocabulary"] = 5;  // for tokens
        CHECK(create_model(context, description) == CHORD_SUCCESS);
      }
    }
  }
}

TEST_CASE("the defaults of a model's keys are what a model without them has") {
  Context context("host");
  Json least{{"vocabulary", 5}};
  for (const auto& key : chord::model_keys())
    if (key.required) least[key.name] = *key.choices ? Json::parse(key.choices)[0] : Json(3);
  const Json whole = Json::parse(chord::Model(context, least.dump()).description());
  int defaults = 0;
  for (const auto& key : chord::model_keys()) {
    CAPTURE(key.name);
    if (key.required) {
      CHECK(std::string(key.default_value) == "");
      Json less = least;
      less.erase(key.name);
      expect(create_model(context, less), CHORD_ERROR_INVALID_ARGUMENT, "/" + std::string(key.name) + " is missing");
    } else if (*key.default_value && !least.contains(key.name)) {
      CHECK(whole[key.name] == Json::parse(key.default_value));
      ++defaults;
    }
  }
  CHECK(defaults == 14);
}

TEST_CASE("every task has a preset, and its data are as told") {
  std::set<std::string> names;
  for (const auto& task : chord::tasks()) {
    CAPTURE(task.name);
    CHECK(names.insert(task.name).second);
    CHECK(std::string(task.title) != "");
    const Json model = Json::parse(chord::Model::preset(task.name));
    CHECK(model["length"] == task.length);
    CHECK(model["features"] == task.features);
    CHECK(model["vocabulary"] == task.vocabulary);
    CHECK(model["classes"] == task.classes);
    CHECK((task.epochs > 0 && task.batch > 0 && task.learning_rate > 0));

    chord_dataset* dataset = nullptr;
    for (const char* split : {"train", "validation", "test"}) {
      const auto options = chord::dataset_options(task.name, split);
      if (task.generated) {
        const auto info = chord::Dataset(options).info();
        CHECK(info.length == task.length);
        CHECK(info.features == task.features);
        CHECK(info.vocabulary == task.vocabulary);
        CHECK(info.classes == task.classes);
        CHECK(info.count == (split == std::string("train") ? task.train_count : task.eval_count));
      } else {
        expect(chord_dataset_create(&options, &dataset), CHORD_ERROR_INVALID_ARGUMENT, task.data);
        CHECK((task.train_count == 0 && task.eval_count == 0));
      }
    }
  }
  CHECK(names == std::set<std::string>{"adding", "image", "listops", "order", "pathfinder", "text"});
}

TEST_CASE("published accuracies are the paper's") {
  const auto all = chord::tasks();
  const auto published = [&](const std::string& name, int64_t length) {
    const auto task = std::find_if(all.begin(), all.end(), [&](const auto& each) { return name == each.name; });
    double percent = 0;
    chord::check(chord_task_get_published_accuracy(int32_t(task - all.begin()), length, &percent));
    return percent;
  };
  CHECK(published("adding", 127) == -1);
  CHECK(published("adding", 128) == 100);
  CHECK(published("adding", 16384) == 100);
  CHECK(published("order", 8192) == 100);
  CHECK(published("order", 16384) == 99.89);
  CHECK(published("order", 16385) == -1);
  CHECK(published("listops", 2000) == 38.85);
  CHECK(published("text", 4097) == 77.32);
  CHECK(published("image", 1024) == 45.01);
  CHECK(published("pathfinder", 1024) == 80.49);
}

TEST_CASE("constraints and reasons to stop have the names that files have") {
  const auto constraints = chord::constraints(), stops = chord::stops();
  REQUIRE(constraints.size() == CHORD_CONSTRAINT_SEMIDEFINITE + 1);
  REQUIRE(stops.size() == CHORD_STOP_CANCELLED + 1);
  CHECK(std::string(constraints[CHORD_CONSTRAINT_SEMIDEFINITE].name) == "semidefinite");
  CHECK(std::string(stops[CHORD_STOP_CANCELLED].name) == "cancelled");

  Context context("host");
  const files::Folder folder;
  const Pattern pattern = Pattern::chord(context, 4);
  const auto matrix = chord::Matrix::dense(4, Values(16, 0.25));
  for (std::size_t i = 0; i < constraints.size(); ++i) {
    CAPTURE(constraints[i].name);
    CHECK(std::string(constraints[i].description) != "");
    auto options = chord::factorize_options();
    options.constraint = int32_t(i);
    options.iterations = 1;
    const auto fitted = chord::Factorization::fit(pattern, matrix, options);
    const std::string path = folder / "factors";
    fitted.save(path);
    const std::string content = files::content_of(path);
    CHECK(content.find("\"constraint\":\"" + std::string(constraints[i].name) + "\"") != std::string::npos);
    CHECK(content.find("\"stop\":\"" + std::string(stops[std::size_t(fitted.info().stop)].name) + "\"") !=
          std::string::npos);
  }
}

TEST_CASE("an index that is none is refused") {
  auto key = chord_model_key_info{};
  auto task = chord_task_info{};
  auto name = chord_name_info{};
  key.struct_size = sizeof key;
  task.struct_size = sizeof task;
  name.struct_size = sizeof name;
  for (const int32_t index : {-1, 1000}) {
    expect(chord_model_key_get_info(index, &key), CHORD_ERROR_INVALID_ARGUMENT, "index is");
    expect(chord_task_get_info(index, &task), CHORD_ERROR_INVALID_ARGUMENT, "index is");
    expect(chord_constraint_get_info(index, &name), CHORD_ERROR_INVALID_ARGUMENT, "index is");
    expect(chord_stop_get_info(index, &name), CHORD_ERROR_INVALID_ARGUMENT, "index is");
    double percent = 0;
    expect(chord_task_get_published_accuracy(index, 128, &percent), CHORD_ERROR_INVALID_ARGUMENT, "index is");
  }
  expect(chord_task_count(nullptr), CHORD_ERROR_INVALID_ARGUMENT, "count is NULL");
}

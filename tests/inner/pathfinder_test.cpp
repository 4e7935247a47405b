// Pathfinder scenes: labels found again by following dashes, and pictures that show what the scenes say.
#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <random>

#include "common/streams.hpp"
#include "data/pathfinder_picture.hpp"

using chord::Dash;
using chord::PathfinderScene;
using chord::Point;

namespace {

constexpr double tiny = 1e-9;

PathfinderScene scene_of(int dashes, std::uint32_t index) {
  chord::Draws draws(chord::random_of(chord::Stream::pathfinder, 3, std::uint16_t(dashes), index));
  return chord::draw_pathfinder(draws, dashes);
}

double between(Point a, Point b) { return std::hypot(a.x - b.x, a.y - b.y); }

/// All dashes of a scene, in no order and of no direction: as one sees them.
std::vector<Dash> visible_dashes(const PathfinderScene& scene, std::uint32_t seed) {
  std::vector<Dash> all;
  for (const auto& path : scene.paths) all.insert(all.end(), path.begin(), path.end());
  for (const auto& path : scene.distractors) all.insert(all.end(), path.begin(), path.end());
  std::mt19937 engine(seed);
  std::shuffle(all.begin(), all.end(), engine);
  for (Dash& each : all)
    if (engine() % 2) std::swap(each.from, each.to);
  return all;
}

struct Trace {
  Point end;
  int dashes = 0;
};

/// Follows dashes from a disc, always over a gap, until none goes on.
Trace follow(std::vector<Dash> dashes, Point at) {
  Trace trace{at};
  double gap = 0;  // the first dash begins in the disc
  while (true) {
    const auto next = std::find_if(dashes.begin(), dashes.end(), [&](const Dash& each) {
      return std::abs(between(each.from, trace.end) - gap) < tiny || std::abs(between(each.to, trace.end) - gap) < tiny;
    });
    if (next == dashes.end()) return trace;
    const bool forward = std::abs(between(next->from, trace.end) - gap) < tiny;
    trace.end = forward ? next->to : next->from;
    ++trace.dashes;
    dashes.erase(next);
    gap = chord::dash_gap;
  }
}

}  // namespace

TEST_CASE("Pathfinder: following the dashes from a disc leads to the other one if and only if the label says so") {
  for (const int dashes : {6, 9, 14}) {
    CAPTURE(dashes);
    int ones = 0;
    constexpr int count = 400;
    for (std::uint32_t index = 0; index < count; ++index) {
      const PathfinderScene scene = scene_of(dashes, index);
      const Trace trace = follow(visible_dashes(scene, index), scene.discs[0]);
      REQUIRE(trace.dashes == dashes);
      REQUIRE(int(between(trace.end, scene.discs[1]) < tiny) == scene.label);
      ones += scene.label;
    }
    // χ² of one degree of freedom: exceeded once in a million times.
    CHECK(std::pow(2 * ones - count, 2) / count < 24);
  }
}

TEST_CASE("Pathfinder: one disc is in the centre or six to eight pixels from it, the one as often as the other") {
  for (const int dashes : {6, 9, 14}) {
    CAPTURE(dashes);
    int centred = 0;
    constexpr int count = 400;
    for (std::uint32_t index = 0; index < count; ++index) {
      const double distance = between(scene_of(dashes, index).discs[0], {16, 16});
      REQUIRE((distance < tiny || (distance > 6 - tiny && distance < 8 + tiny)));
      centred += int(distance < tiny);
    }
    CHECK(std::pow(2 * centred - count, 2) / count < 24);
  }
}

TEST_CASE("Pathfinder: everything is within the picture, and dashes keep their length and distance") {
  for (const int dashes : {6, 9, 14})
    for (std::uint32_t index = 0; index < 100; ++index) {
      const PathfinderScene scene = scene_of(dashes, index);
      for (const Dash& each : visible_dashes(scene, 0)) {
        CHECK(between(each.from, each.to) == doctest::Approx(chord::dash_length));
        for (const Point& point : {each.from, each.to})
          CHECK((std::min(point.x, point.y) >= 2 && std::max(point.x, point.y) <= 30));
      }
      for (const auto& path : scene.distractors) CHECK(int(path.size()) == dashes / 3);
      CHECK(between(scene.discs[0], scene.discs[1]) >= 5);
    }
}

TEST_CASE("Pathfinder: pictures are bright where discs and dashes are, and dark elsewhere") {
  for (const int dashes : {6, 9, 14})
    for (std::uint32_t index = 0; index < 50; ++index) {
      const PathfinderScene scene = scene_of(dashes, index);
      const chord::GreyPicture picture = chord::render(scene);
      const auto level = [&](double x, double y) { return int(picture[std::size_t(int(y) * 32 + int(x))]); };
      for (const Point& disc : scene.discs) CHECK(level(disc.x, disc.y) > 200);
      const std::vector<Dash> all = visible_dashes(scene, 0);
      for (const Dash& each : all) CHECK(level((each.from.x + each.to.x) / 2, (each.from.y + each.to.y) / 2) > 45);
      for (int y = 0; y < 32; ++y)
        for (int x = 0; x < 32; ++x) {
          const auto far = [&](Point point) { return between(point, {x + 0.5, y + 0.5}) > 5; };
          const bool dark = far(scene.discs[0]) && far(scene.discs[1]) &&
                            std::all_of(all.begin(), all.end(), [&](const Dash& each) { return far(each.from); });
          if (dark) CHECK(level(x, y) < 12);
        }
    }
}

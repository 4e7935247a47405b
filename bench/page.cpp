#include "page.hpp"

#include <algorithm>
#include <chord/chord.hpp>
#include <cmath>
#include <cstdio>
#include <ctime>

#include "common/program.hpp"
#include "common/report/html.hpp"
#include "work.hpp"

namespace {

using namespace program;

const char* const colours[] = {"blue", "orange", "green", "purple", "teal", "brown"};

std::string printed(const char* format, double value) {
  char text[64];
  std::snprintf(text, sizeof text, format, value);
  return text;
}

std::string time_text(double seconds) {
  if (seconds < 1e-3) return printed("%.1f µs", seconds * 1e6);
  return seconds < 1 ? printed("%.2f ms", seconds * 1e3) : printed("%.2f s", seconds);
}

std::string size_text(const Work& work) {
  return "N = " + std::to_string(work.n) + ", D = " + std::to_string(work.d) +
         (work.batch > 1 ? ", batch of " + std::to_string(work.batch) : "");
}

/// What is measured with several runners.
bool same_subject(const Work& a, const Work& b) {
  return a.operation == b.operation && a.n == b.n && a.d == b.d && a.batch == b.batch;
}

std::vector<std::string> runners_of(const std::vector<const Work*>& list) {
  std::vector<std::string> names;
  for (const Work* work : list)
    if (std::find(names.begin(), names.end(), work->runner) == names.end()) names.push_back(work->runner);
  return names;
}

const char* colour_of(const std::vector<std::string>& runners, const std::string& runner) {
  return colours[std::size_t(std::find(runners.begin(), runners.end(), runner) - runners.begin()) % std::size(colours)];
}

struct Bars {
  const Measured& measured;
  std::vector<const Work*> list;  ///< all that has a time
  std::vector<std::string> runners;
  double longest = 1;  ///< share of the roofline at the right end

  explicit Bars(const Measured& from) : measured(from) {
    for (const Work& work : registered_work())
      if (from.seconds.count(name_of(work))) list.push_back(&work);
    runners = runners_of(list);
    for (const Work* work : list) longest = std::max(longest, share(*work));
  }

  double seconds(const Work& work) const { return measured.seconds.at(name_of(work)); }
  double share(const Work& work) const {
    return roofline_seconds(measured.machine, work.operations, work.bytes) / seconds(work);
  }

  std::string change(const Work& work) const {
    const auto found = measured.earlier.find(name_of(work));
    return found == measured.earlier.end() ? ""
                                           : ", " + printed("%.2f × as fast as before", found->second / seconds(work));
  }

  std::string bar(const Work& work) const {
    return "<li class=\"" + std::string(colour_of(runners, work.runner)) +
           "\" style=\"--share:" + printed("%.4f", share(work) / longest) + ";--limit:" + printed("%.4f", 1 / longest) +
           "\"><i></i><span>" + escaped(work.runner) + ": " + printed("%.0f %%", 100 * share(work)) + "<small>, " +
           time_text(seconds(work)) + ", " + printed("%.1f GF/s", work.operations / seconds(work) * 1e-9) +
           change(work) + "</small></span></li>";
  }

  /// One operation at all its sizes.
  std::string section(const std::string& operation) const {
    std::string html = "<h2>" + escaped(operation) + "</h2><div class=\"charts\">";
    for (std::size_t i = 0; i < list.size(); ++i) {
      const Work& first = *list[i];
      const bool seen = std::any_of(list.begin(), list.begin() + std::ptrdiff_t(i),
                                    [&](const Work* before) { return same_subject(*before, first); });
      if (first.operation != operation || seen) continue;
      std::string bars;
      for (const Work* work : list)
        if (same_subject(*work, first)) bars += bar(*work);
      html +=
          "<figure><figcaption>" + size_text(first) + "</figcaption><ul class=\"lengths\">" + bars + "</ul></figure>";
    }
    return html + "</div>";
  }
};

std::string today() {
  const std::time_t now = std::time(nullptr);
  std::tm parts = {};
  gmtime_r(&now, &parts);
  char text[32];
  std::strftime(text, sizeof text, "%Y-%m-%d %H:%M UTC", &parts);
  return text;
}

std::string head(const Measured& measured, const std::vector<std::string>& facts) {
  std::vector<Detail> list = {
      {"version", escaped(version())}, {"compiler", escaped(__VERSION__)}, {"measured", today()}};
  for (const auto& device : chord::devices())
    list.push_back({escaped(device.selector), escaped(std::string(device.name) + ", " + device.backend)});
  for (const std::string& fact : facts) {
    const std::size_t equals = fact.find('=');
    if (equals != std::string::npos)
      list.push_back({escaped(fact.substr(0, equals)), escaped(fact.substr(equals + 1))});
  }
  return key_figures({{printed("%.1f GB/s", measured.machine.bandwidth * 1e-9), "bandwidth of memory, measured"},
                      {printed("%.0f GF/s", measured.machine.peak * 1e-9), "peak of fused multiply-adds, measured"}}) +
         details(list);
}

}  // namespace

std::string bench_page(const Measured& measured, const std::vector<std::string>& facts) {
  const Bars bars(measured);
  std::string legend;
  for (const std::string& runner : bars.runners)
    legend += "<li class=\"" + std::string(colour_of(bars.runners, runner)) + "\">" + escaped(runner) + "</li>";
  std::string body =
      "<h1>chord-bench</h1>" + head(measured, facts) +
      "<p class=\"words-of-it\">A bar is the share of the roofline: of the least time that the arithmetic "
      "and the unavoidable memory traffic allow on this machine, each input read once and each output "
      "written once. The dashed line is that limit; what stays in a cache can be faster.</p>"
      "<ul class=\"legend\">" +
      legend + "</ul>";
  std::vector<std::string> done;
  for (const Work* work : bars.list) {
    if (std::find(done.begin(), done.end(), work->operation) != done.end()) continue;
    done.push_back(work->operation);
    body += bars.section(work->operation);
  }
  return page("chord-bench", body);
}

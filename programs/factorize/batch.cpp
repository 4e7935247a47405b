#include "batch.hpp"

#include <cstdio>
#include <filesystem>
#include <optional>

#include "common/device.hpp"
#include "common/files.hpp"
#include "common/interrupt.hpp"
#include "common/message.hpp"
#include "common/program.hpp"
#include "common/text.hpp"
#include "common/threads.hpp"
#include "json.hpp"
#include "list.hpp"
#include "output.hpp"
#include "plan.hpp"
#include "protocol.hpp"
#include "report/report.hpp"
#include "run.hpp"
#include "sweep.hpp"
#include "table.hpp"

namespace factorize {
namespace {

using namespace program;

std::vector<Job> jobs_of(const Options& options) {
  if (!options.list.empty()) return read_list(options.list);
  std::vector<Job> jobs;
  for (const std::string& file : options.inputs) jobs.push_back({std::filesystem::path(file).stem(), file, {}, {}});
  return jobs;
}

/// What CLI11 cannot see.
void expect_sense(const Options& options, std::size_t jobs) {
  if (jobs == 0) throw program::Misuse::missing("INPUT or --list");
  if (!options.resume.empty() && jobs > 1) throw program::Misuse("--resume", "goes with a single input");
  if (options.factors == 0 && options.rank == 0)
    throw program::Misuse("--rank", "is 0, and so is --factors: one of them must be more");
  if (options.links > 0 && Protocol(options.protocol).custom())
    throw program::Misuse("--links", "a custom protocol has as many links as it lists");
}

class Batch {
 public:
  Batch(const Options& options, const std::string& command_line)
      : options_(options),
        jobs_(jobs_of(options)),
        published_(!options.list.empty()),
        command_line_(command_line),
        report_(jobs_, published_, command_line) {
    expect_sense(options, jobs_.size());
    outputs_ = output_paths(options, jobs_);
    expect_report_fits(options, jobs_, outputs_);
  }

  int run(chord::Context& context, const Fitter& fitter) {
    if (options_.output.empty() && !options_.resume.empty())
      std::fprintf(stderr, "no --output: the result is written back to %s\n", options_.resume.c_str());
    catch_interrupts();
    if (fitter.pieces() > 0)
      std::fprintf(stderr, "columns in %s, shared by %s\n", counted(fitter.pieces(), "piece").c_str(),
                   counted(fitter.ranks(), "rank").c_str());
    for (std::size_t i = 0; i < jobs_.size() && !fitter.interrupted(); ++i)
      guarded(jobs_[i].name, [&] {
        if (options_.sweep)
          keep(sweep(context, fitter, options_, jobs_[i]));
        else
          keep(factorize::run(context, fitter, options_, jobs_[i], outputs_[i]));
      });
    const int signal = fitter.interrupted();
    if (signal) std::fprintf(stderr, "interrupted: the best so far is the result\n");
    if (!options_.json) print_table();
    if (!options_.report.empty() && !(report_.empty() && sweeps_.empty()))
      guarded("report", [&] {
        chord::write_file(options_.report, options_.sweep ? sweep_page(sweeps_, command_line_) : report_.html());
      });
    return signal ? 128 + signal : failed_ ? program::failed : 0;
  }

 private:
  /// One failure does not keep the others from being done.
  template <class Work>
  void guarded(const std::string& what, Work work) {
    try {
      work();
    } catch (const parallel::PeerFailed& problem) {
      complain(what, problem.what());
    } catch (const parallel::PeersLost&) {
      throw;
    } catch (const std::exception& problem) {
      complain(what, program::message_of(problem));
    }
  }

  void complain(const std::string& what, const std::string& problem) {
    std::fprintf(stderr, "chord-factorize: %s: %s\n", what.c_str(), problem.c_str());
    failed_ = true;
  }

  void keep(const Outcome& outcome) {
    const Result& result = outcome.result;
    results_.push_back(result);
    if (options_.json) {
      std::printf("%s\n", to_json(result, published_).c_str());
      std::fflush(stdout);
    }
    if (!outcome.not_saved.empty()) complain(result.job.name, outcome.not_saved);
    if (!options_.report.empty()) report_.add(result, outcome.view);
  }

  void keep(const Sweep& found) {
    sweeps_.push_back(found);
    std::printf("%s\n", (options_.json ? sweep_json(found) : sweep_text(found)).c_str());
    std::fflush(stdout);
  }

  void print_table() const {
    if (results_.empty()) return;
    std::fputs(results_text(results_, published_).c_str(), stdout);
    if (published_) std::printf("\n%s\n", published_summary(jobs_, results_).c_str());
  }

  const Options& options_;
  std::vector<Job> jobs_;
  bool published_;
  std::string command_line_;
  Report report_;
  std::vector<std::string> outputs_;
  std::vector<Result> results_;
  std::vector<Sweep> sweeps_;
  bool failed_ = false;
};

}  // namespace

int run_all(const Options& options, const std::string& command_line, Team& team) {
  use_threads(own_threads(team));
  if (!team.leads()) show_log(Log::warnings);
  team.expect_same("version", version());
  team.expect_same("command line", command_line);
  std::optional<Batch> batch;
  std::optional<chord::Context> context;
  const int precision = options.precision == 32 ? 32 : 64;
  team.together([&] {
    if (team.leads()) batch.emplace(options, command_line);
    context.emplace(open_device(own_device(options.device, precision, team), precision));
  });
  team.expect_same("device", arithmetic_of(context->device()));
  const Fitter fitter(options, team);
  if (batch) return batch->run(*context, fitter);
  fitter.follow(*context);
  return 0;
}

}  // namespace factorize

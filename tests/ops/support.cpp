// chord-ops support: which entry serves an operation on a device.
#include "commands.hpp"
#include "device/entry_table.hpp"
#include "report.hpp"

namespace ops {

int support_command(const Wanted& wanted) {
  std::vector<std::string> head = {"operation", "type"};
  for (const chord::DeviceDescription& device : wanted.devices) head.push_back(device.selector);
  Table table(head.size(), head);
  nlohmann::json json = nlohmann::json::array();
  for (const Subject& subject : subjects()) {
    if (!wanted.has(subject.operation)) continue;
    std::vector<std::string> line = {subject.operation, subject.type};
    nlohmann::json entries;
    for (const chord::DeviceDescription& device : wanted.devices) {
      const int entry = entry_for(subject, device);
      const std::string prefix = "chord_" + subject.operation;
      const std::string name = entry < 0 ? "" : chord::entry_table()[std::size_t(entry)].name;
      line.push_back(entry < 0 ? "–" : "…" + name.substr(prefix.size()));
      entries[device.selector] = entry < 0 ? nlohmann::json() : nlohmann::json(name);
    }
    table.add(line);
    json.push_back({{"operation", subject.operation}, {"type", subject.type}, {"entries", entries}});
  }
  if (wanted.json)
    std::puts(json.dump(2).c_str());
  else
    table.print();
  return 0;
}

}  // namespace ops

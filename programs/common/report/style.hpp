// How reports look.
#pragma once

namespace program {

inline const char* const style = R"(
:root { color-scheme: light dark; --page: #fbfaf8; --card: #fff; --text: #1d1f23; --soft: #5f646d; --edge: #dcdad5;
  --blue: #1a5fd0; --orange: #c4480a; --green: #15803d; --grey: #7a7f88; }
@media (prefers-color-scheme: dark) { :root { --page: #14161a; --card: #1b1e23; --text: #e8e6e1; --soft: #a0a4ab;
  --edge: #343840; --blue: #74aaff; --orange: #ff9f5f; --green: #6fce92; --grey: #a8adb6; } }
* { box-sizing: border-box; }
body { margin: 0; background: var(--page); color: var(--text); font: 16px/1.5 system-ui, "Segoe UI", "Helvetica Neue",
  "Liberation Sans", Arial, sans-serif; }
main { max-width: 1240px; margin: 0 auto; padding: 2rem 1.25rem 4rem; }
h1 { font-size: 1.9rem; line-height: 1.2; margin: 0; overflow-wrap: anywhere; }
h2 { font-size: 1.2rem; margin: 2.5rem 0 .75rem; overflow-wrap: anywhere; }
p { margin: .4rem 0; }
p code { overflow-wrap: anywhere; }
.soft, figcaption small { color: var(--soft); }
.figures { display: flex; flex-wrap: wrap; gap: .75rem; margin: 1.5rem 0; padding: 0; list-style: none; }
.figures li { flex: 1 1 11rem; background: var(--card); border: 1px solid var(--edge); border-radius: .5rem;
  padding: .7rem 1rem; }
.figures b { display: block; font-size: 1.5rem; line-height: 1.3; font-weight: 600; }
.figures span { color: var(--soft); font-size: .875rem; }
.wide { overflow-x: auto; }
table { border-collapse: collapse; font-variant-numeric: tabular-nums; font-size: .9rem; }
th, td { padding: .35rem .7rem; text-align: right; border-bottom: 1px solid var(--edge); white-space: nowrap; }
th { font-weight: 600; vertical-align: bottom; }
thead th { border-bottom: 2px solid var(--edge); color: var(--soft); white-space: normal; }
th:first-child, td:first-child, .tight tr > :first-child { text-align: left; padding-left: 0; }
.tight { font-size: .8125rem; width: 100%; }
.tight th, .tight td { padding: .3rem .45rem; }
tbody tr:hover { background: var(--card); }
.pictures { display: grid; gap: 1.25rem; grid-template-columns: repeat(3, minmax(0, 1fr)); }
.few { grid-template-columns: repeat(4, minmax(0, 1fr)); align-items: start; }
@media (max-width: 50rem) { .pictures { grid-template-columns: repeat(2, minmax(0, 1fr)); } }
@media (max-width: 34rem) { .pictures { grid-template-columns: minmax(0, 1fr); } }
.charts { display: grid; gap: 1.5rem; grid-template-columns: repeat(auto-fit, minmax(min(100%, 26rem), 1fr)); }
figure { margin: 0; min-width: 0; }
.curves { max-width: 640px; }
figcaption { margin-top: .35rem; font-size: .9rem; }
img { display: block; width: 100%; height: auto; border: 1px solid var(--edge); border-radius: 2px; }
.scales { font-size: .875rem; align-self: start; }
.scales h3 { font-size: .9rem; margin: 0 0 .35rem; }
.scales p { margin: .2rem 0 1.2rem; color: var(--soft); }
svg { display: block; width: 100%; height: auto; }
svg.bar { max-width: 340px; }
svg text { font-size: 12.5px; fill: var(--soft); font-variant-numeric: tabular-nums; }
svg .frame { stroke: var(--edge); }
svg .tick { stroke: var(--soft); }
svg .grid { stroke: var(--edge); }
polyline { fill: none; stroke: currentColor; stroke-width: 2; stroke-linejoin: round; }
polyline.grey { stroke-width: 5; opacity: .5; }
circle { fill: currentColor; }
line.reference { stroke: currentColor; stroke-width: 1.5; stroke-dasharray: 7 4; }
.blue { color: var(--blue); } .orange { color: var(--orange); } .green { color: var(--green); } .grey { color: var(--grey); }
.legend { display: flex; flex-wrap: wrap; gap: .1rem 1.2rem; margin: 0 0 .4rem; padding: 0; list-style: none;
  font-size: .875rem; }
.legend li::before { content: ""; display: inline-block; width: 1.5em; margin-right: .45em; vertical-align: .25em;
  border-top: 2px solid currentColor; }
.legend li.reference::before { border-top-style: dashed; }
dl { display: grid; grid-template-columns: max-content minmax(0, 1fr); gap: .35rem 1.5rem; margin: 0;
  font-size: .9rem; }
dt { color: var(--soft); }
dd { margin: 0; overflow-wrap: anywhere; }
code { font: .875em/1.5 ui-monospace, "SF Mono", Menlo, Consolas, "DejaVu Sans Mono", monospace; }
a { color: inherit; }
article { border-top: 1px solid var(--edge); margin-top: 2.25rem; }
article h2 { margin: 1.25rem 0 .1rem; }
article .pictures { margin-top: .9rem; }
@media print { :root { --page: #fff; } article, figure { break-inside: avoid; } }
)";

}  // namespace program

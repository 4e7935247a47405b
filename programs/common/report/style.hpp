// How reports look.
#pragma once

namespace program {

inline const char* const style = R"(
:root { color-scheme: light dark; --page: #fbfaf8; --card: #fff; --text: #1d1f23; --soft: #5f646d; --edge: #dcdad5;
  --blue: #1a5fd0; --orange: #c4480a; --green: #15803d; --grey: #7a7f88; --red: #c02a25; --purple: #7c3aad;
  --teal: #0b7285; --brown: #8a5a1c; }
@media (prefers-color-scheme: dark) { :root { --page: #14161a; --card: #1b1e23; --text: #e8e6e1; --soft: #a0a4ab;
  --edge: #343840; --blue: #74aaff; --orange: #ff9f5f; --green: #6fce92; --grey: #a8adb6; --red: #ff7b72;
  --purple: #c99bf0; --teal: #5fc7d6; --brown: #d3a262; } }
* { box-sizing: border-box; }
body { margin: 0; background: var(--page); color: var(--text); font: 16px/1.5 system-ui, "Segoe UI", "Helvetica Neue",
  "Liberation Sans", Arial, sans-serif; }
main { max-width: 1240px; margin: 0 auto; padding: 2rem 1.25rem 4rem; }
h1 { font-size: 1.9rem; line-height: 1.2; margin: 0; overflow-wrap: anywhere; }
h2 { font-size: 1.2rem; margin: 2.5rem 0 .75rem; overflow-wrap: anywhere; }
p { margin: .4rem 0; }
p code { overflow-wrap: anywhere; }
.command span { display: inline-block; max-width: 100%; overflow-wrap: anywhere; }
.soft, figcaption small { color: var(--soft); }
.figures { display: flex; flex-wrap: wrap; gap: .75rem; margin: 1.5rem 0; padding: 0; list-style: none; }
.figures li { flex: 1 1 11rem; background: var(--card); border: 1px solid var(--edge); border-radius: .5rem;
  padding: .7rem 1rem; }
.figures b { display: block; font-size: 1.5rem; line-height: 1.3; font-weight: 600; }
.figures span { color: var(--soft); font-size: .875rem; }
.wide { overflow-x: auto;
  background: linear-gradient(to right, var(--page) 40%, transparent) left / 3rem 100% no-repeat local,
  linear-gradient(to left, var(--page) 40%, transparent) right / 3rem 100% no-repeat local,
  linear-gradient(to right, var(--soft), transparent) left / .5rem 100% no-repeat,
  linear-gradient(to left, var(--soft), transparent) right / .5rem 100% no-repeat; }
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
.four { grid-template-columns: repeat(4, minmax(0, 1fr)); }
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
svg { display: block; width: 100%; height: auto; overflow: visible; }
svg.bar { max-width: 340px; }
svg text { font-size: 12.5px; fill: var(--soft); font-variant-numeric: tabular-nums; }
svg .frame { stroke: var(--edge); }
svg .tick { stroke: var(--soft); }
svg .band { fill: var(--edge); opacity: .5; }
svg .grid { stroke: var(--edge); }
polyline { fill: none; stroke: currentColor; stroke-width: 2; stroke-linejoin: round; }
polyline.grey { stroke-width: 5; opacity: .5; }
polyline.dashed { stroke-dasharray: 6 4; }
circle { fill: currentColor; }
line.reference { stroke: currentColor; stroke-width: 1.5; stroke-dasharray: 7 4; }
.blue { color: var(--blue); } .orange { color: var(--orange); } .green { color: var(--green); } .grey { color: var(--grey); }
.red { color: var(--red); } .purple { color: var(--purple); } .teal { color: var(--teal); } .brown { color: var(--brown); }
svg .positive { fill: var(--red); } svg .negative { fill: var(--blue); }
.legend { display: flex; flex-wrap: wrap; gap: .1rem 1.2rem; margin: 0 0 .4rem; padding: 0; list-style: none;
  font-size: .875rem; }
.legend li::before { content: ""; display: inline-block; width: 1.5em; margin-right: .45em; vertical-align: .25em;
  border-top: 2px solid currentColor; }
.legend li.band::before { border-top: .8em solid var(--edge); opacity: .7; vertical-align: 0; }
.legend li.reference::before, .legend li.dashed::before { border-top-style: dashed; }
dl { display: grid; grid-template-columns: max-content minmax(0, 1fr); gap: .35rem 1.5rem; margin: 0;
  font-size: .9rem; }
dt { color: var(--soft); }
dd { margin: 0; overflow-wrap: anywhere; }
.lengths { margin: .2rem 0 0; padding: 0; list-style: none; font-size: .8125rem; }
.lengths li { display: grid; grid-template-columns: minmax(6rem, 1fr) minmax(0, 1.4fr); gap: .6rem; align-items: center;
  margin: .15rem 0; }
.lengths i { height: 1rem; background: linear-gradient(to right, currentColor calc(var(--share) * 100%), transparent 0);
  border-left: 1px solid var(--soft); position: relative; }
.lengths i::after { content: ""; position: absolute; left: calc(var(--limit) * 100%); top: -.15rem; bottom: -.15rem;
  border-left: 2px dashed var(--soft); }
.lengths span { color: var(--text); }
.lengths small { color: var(--soft); }
.heat i { font-style: normal; }
.p1 { background: rgba(214,55,45,0.08); } .p2 { background: rgba(214,55,45,0.17); } .p3 { background: rgba(214,55,45,0.26); } .p4 { background: rgba(214,55,45,0.35); }
.p5 { background: rgba(214,55,45,0.44); } .p6 { background: rgba(214,55,45,0.53); } .p7 { background: rgba(214,55,45,0.62); } .p8 { background: rgba(214,55,45,0.71); }
.n1 { background: rgba(30,110,215,0.08); } .n2 { background: rgba(30,110,215,0.17); } .n3 { background: rgba(30,110,215,0.26); } .n4 { background: rgba(30,110,215,0.35); }
.n5 { background: rgba(30,110,215,0.44); } .n6 { background: rgba(30,110,215,0.53); } .n7 { background: rgba(30,110,215,0.62); } .n8 { background: rgba(30,110,215,0.71); }
.heat, .heat-scale, .share, .lengths i { print-color-adjust: exact; -webkit-print-color-adjust: exact; }
.heat-scale { display: flex; flex-wrap: wrap; align-items: center; gap: .2rem .6rem; font-size: .8125rem;
  color: var(--soft); font-variant-numeric: tabular-nums; }
.boxes { display: flex; border: 1px solid var(--edge); }
.boxes i { width: .8rem; height: .8rem; }
.text { white-space: pre-wrap; overflow-wrap: anywhere; line-height: 1.75; max-width: 60rem; }
.tree { font: .875rem/1.7 ui-monospace, "SF Mono", Menlo, Consolas, "DejaVu Sans Mono", monospace; overflow-x: auto; }
.tree div { margin-left: .7rem; padding-left: .4rem; border-left: 1px solid var(--edge); }
.words { display: flex; flex-wrap: wrap; gap: .3rem 1.2rem; margin: 0; padding: 0; list-style: none; }
.words small { color: var(--soft); }
.pair { grid-template-columns: repeat(2, minmax(0, 24rem)); }
.pair img, .many img { image-rendering: pixelated; }
.many { grid-template-columns: repeat(8, minmax(0, 1fr)); gap: .6rem; }
@media (max-width: 50rem) { .many { grid-template-columns: repeat(4, minmax(0, 1fr)); } }
@media (max-width: 34rem) { .chart text { font-size: calc(var(--units) * .03px); } .strip text { font-size: 26px; }
  .pair { grid-template-columns: minmax(0, 1fr); } .pair .bar { max-width: none; }
  .gallery .strip text { font-size: 17px; }
  .gallery .bar text { font-size: 22px; transform: translateY(5px); } .gallery .between { display: none; }
  .gallery .pair { grid-template-columns: repeat(2, minmax(0, 1fr)); } }
@media (max-width: 34rem) { .four { grid-template-columns: repeat(2, minmax(0, 1fr)); } }
.four + .scales, .four + p + .scales { margin-top: 1rem; }
.words-of-it { max-width: 50rem; margin: .75rem 0; }
.verdict { font-size: 1.1rem; max-width: 50rem; margin: 1rem 0; }
h3 { font-size: 1rem; margin: 1.5rem 0 .5rem; }
td.share { background: rgba(214,55,45,calc(var(--s) * .8)); }
td.share.right { background: rgba(21,128,61,calc(var(--s) * .7)); }
.confusion th[scope=row] { text-align: left; padding-left: 0; }
.settings td:nth-child(3) { color: var(--soft); }
.settings .meaning { text-align: left; white-space: normal; min-width: 12rem; color: var(--soft); }
.gallery { display: grid; gap: 1rem; grid-template-columns: repeat(auto-fill, minmax(min(100%, 26rem), 1fr)); margin: 0;
  padding: 0; list-style: none; }
.gallery > li { min-width: 0; background: var(--card); border: 1px solid var(--edge); border-radius: .5rem;
  padding: .7rem 1rem; font-size: .9rem; }
code { font: .875em/1.5 ui-monospace, "SF Mono", Menlo, Consolas, "DejaVu Sans Mono", monospace; }
a { color: inherit; }
article { border-top: 1px solid var(--edge); margin-top: 2.25rem; }
article h2 { margin: 1.25rem 0 .1rem; }
article .pictures { margin-top: .9rem; }
@media (max-width: 34rem) { th, td { padding: .35rem .35rem; font-size: .8125rem; }
  td:first-child, .sweep td:last-child { white-space: normal; } }
@media print { :root { --page: #fff; } h2, h3 { break-after: avoid; } article, figure, .gallery > li, tr { break-inside: avoid; }
  .gallery { grid-template-columns: repeat(2, minmax(0, 1fr)); }
  .pictures:not(.pair, .many) { grid-template-columns: repeat(3, minmax(0, 1fr)); }
  .four, .few { grid-template-columns: repeat(4, minmax(0, 1fr)) !important; gap: .6rem; }
  .few .bar text { font-size: 20px; transform: translateY(4px); } .few .between { display: none; }
  .charts { grid-template-columns: repeat(2, minmax(0, 1fr)); } .chart text { font-size: 16px; }
  .figures { flex-wrap: nowrap; } .figures li { flex-basis: 0; min-width: 0; padding: .5rem .6rem; }
  .figures b { font-size: 1.15rem; } }
@media print, (max-width: 34rem) { .settings { width: 100%; } .settings th, .settings td { border: 0; }
  .settings tr { display: grid; grid-template-columns: minmax(0, 1fr) max-content 5rem; border-bottom: 1px solid var(--edge); }
  .settings .meaning { grid-column: 1 / -1; min-width: 0; padding: 0 0 .35rem; } .settings th:last-child { display: none; } }
)";

}  // namespace program

//===----------------------------------------------------------------------===//
// The style sheet of the page of a search. Shapes and labels tell marks from
// each other; colours, which differ in lightness too, only help.
//===----------------------------------------------------------------------===//

#include "PageStyle.h"

static constexpr llvm::StringLiteral style = R"(
:root { color-scheme: light dark;
  --back: #f7f8fa; --card: #ffffff; --ink: #1b2230; --soft: #566072;
  --line: #dfe3e9; --faint: #eef1f5; --link: #1d5fa8; --dot: #5b7fb4;
  --chosen: #0b7350; --untuned: #b04e06; --marked: #e2f2ea; --note: #fdf3e3; }
@media (prefers-color-scheme: dark) { :root {
  --back: #11151b; --card: #191f28; --ink: #e3e8ef; --soft: #9ba6b6;
  --line: #303946; --faint: #222a35; --link: #86b8f5; --dot: #7f9fcc;
  --chosen: #54cfa1; --untuned: #f2a560; --marked: #1d4436; --note: #3a2e1b; } }
* { box-sizing: border-box; }
body { margin: 0; background: var(--back); color: var(--ink);
  font: 15px/1.5 Segoe UI, Roboto, Helvetica Neue, Noto Sans,
    Liberation Sans, Arial, sans-serif; }
main { max-width: 74rem; margin: 0 auto; padding: 2rem 1.25rem 4rem; }
h1 { font-size: 1.6rem; line-height: 1.25; margin: 0 0 .25rem; font-weight: 650; }
h2 { font-size: 1.15rem; margin: 2.5rem 0 .75rem; font-weight: 650; }
h3 { font-size: 1rem; margin: 0 0 .75rem; font-weight: 650; overflow-wrap: anywhere; }
a { color: var(--link); text-decoration-thickness: 1px; text-underline-offset: 2px; }
p { margin: .25rem 0 .75rem; }
code { font: .85em/1.5 ui-monospace, DejaVu Sans Mono, Liberation Mono, monospace;
  overflow-wrap: anywhere; }
mark { background: var(--marked); color: inherit; font-weight: 700;
  border-radius: 3px; padding: 0 .15em; }
.soft { color: var(--soft); }
.note { background: var(--note); border-left: 4px solid var(--untuned);
  border-radius: 4px; padding: .6rem .9rem; margin: 1rem 0; }
.tiles { display: grid; gap: .75rem; margin: 1.25rem 0; padding: 0;
  grid-template-columns: repeat(auto-fit, minmax(11rem, 1fr)); }
.tile, .card { background: var(--card); border: 1px solid var(--line);
  border-radius: 8px; }
.tile { padding: .8rem 1rem; margin: 0; }
.tile dt { color: var(--soft); font-size: .85rem; }
.tile dd { margin: 0; }
.tile .value { font-size: 1.55rem; line-height: 1.3; font-weight: 650;
  font-variant-numeric: tabular-nums; }
.tile .more { color: var(--soft); font-size: .85rem; line-height: 1.4; }
.card { padding: 1.1rem 1.25rem; margin: 0 0 1rem; }
.scroll { overflow-x: auto; }
table { border-collapse: collapse; width: 100%; font-variant-numeric: tabular-nums; }
th, td { text-align: left; vertical-align: top; padding: .45rem .75rem .45rem 0;
  border-bottom: 1px solid var(--line); }
th { color: var(--soft); font-weight: 550; font-size: .85rem; white-space: nowrap; }
tbody tr:last-child td { border-bottom: 0; }
td.number, th.number { text-align: right; white-space: nowrap; }
td.name { min-width: 15rem; overflow-wrap: anywhere; }
td.why { min-width: 12rem; }
td.schedule { min-width: 20rem; }
td .soft, td.soft { font-size: .85rem; }
tr.chosen td, tr.untuned td { background: var(--faint); }
.tag { display: inline-block; font-size: .78rem; font-weight: 650; line-height: 1.3;
  border: 1px solid currentColor; border-radius: 4px; padding: 0 .35em; margin: 0 .3em .15em 0; }
.tag.chosen { color: var(--chosen); }
.tag.untuned { color: var(--untuned); }
td.times { width: 9rem; min-width: 7rem; padding-top: .7rem; }
.bar { display: block; height: 6px; min-width: 1px; border-radius: 1px; margin-bottom: 3px; }
.bar.chosen { background: var(--chosen); }
.bar.untuned { border: 1.5px solid var(--untuned); }
.columns { display: grid; gap: 1.5rem; grid-template-columns: minmax(0, 29rem) minmax(0, 1fr); }
@media (max-width: 52rem) { .columns { grid-template-columns: minmax(0, 1fr); }
  main { padding: 1.25rem .75rem 3rem; } .card { padding: .9rem; } }
dl.facts { margin: 0; }
.facts dt { color: var(--soft); font-size: .85rem; }
.facts dd { margin: 0 0 .8rem; }
figure { margin: 0; }
figcaption { color: var(--soft); font-size: .85rem; line-height: 1.45; }
details { margin-top: .75rem; }
summary { cursor: pointer; color: var(--link); }
ul.places { margin: 0; padding-left: 1.1rem; max-height: 15rem; overflow-y: auto; }
.facts details { margin-top: 0; }
ul.legend { list-style: none; display: flex; flex-wrap: wrap; gap: .1rem .9rem;
  padding: 0; margin: 0 0 .25rem; }
ul.legend svg { width: 16px; height: 16px; vertical-align: -3px; margin-right: .3em; }
svg { display: block; max-width: 100%; height: auto; }
ul.legend svg { display: inline; }
.scroll svg { max-width: none; }
svg text { fill: var(--soft); font-size: 12.5px; font-variant-numeric: tabular-nums; }
svg text.label { font-weight: 650; paint-order: stroke; stroke: var(--card);
  stroke-width: 4px; stroke-linejoin: round; }
svg text.chosen { fill: var(--chosen); }
svg text.untuned { fill: var(--untuned); }
svg text.bit { fill: var(--ink); }
.grid { stroke: var(--line); stroke-width: 1; }
.frame { fill: none; stroke: var(--soft); stroke-width: 1; }
.band { fill: var(--faint); }
.diagonal { stroke: var(--soft); stroke-width: 1.25; stroke-dasharray: 5 4; }
.mark { fill: none; stroke: var(--dot); stroke-width: 1.75; }
.mark.measured { fill: var(--dot); fill-opacity: .75; stroke: var(--card); stroke-width: 1; }
.mark.known { fill: var(--card); }
.mark.failed { stroke: var(--ink); }
.mark.unmeasured { stroke: var(--soft); stroke-width: 1.5; }
.mark.untuned { stroke: var(--untuned); stroke-width: 2.5; }
.mark.chosen { fill: var(--chosen); stroke: var(--card); stroke-width: 1; }
.length { fill: var(--dot); }
.group { fill: var(--faint); stroke: var(--soft); stroke-width: 1.25; }
.cell { stroke: var(--line); stroke-width: 1; }
.moved { stroke: var(--chosen); stroke-width: 3; }
.moved.untuned { stroke: var(--untuned); stroke-dasharray: 3 2; }
@media print { body { background: none; } .tile, .card { break-inside: avoid; } }
)";

llvm::StringRef stof::getPageStyle() { return style; }

/** The style and the script of the page. */
export const style = `
:root { color-scheme: light dark; --text: #1b1f24; --soft: #57606a; --page: #fff; --card: #f6f8fa; --line: #d0d7de;
  --major: #b3261e; --approved: #0a6b52; --minor: #7a5200; --patch: #2f6b1f; --none: #57606a; --link: #0550ae; }
@media (prefers-color-scheme: dark) {
  :root { --text: #e6edf3; --soft: #9da7b3; --page: #0d1117; --card: #161b22; --line: #373e47;
    --major: #ff9a92; --approved: #5fd3ae; --minor: #e3b341; --patch: #7ee787; --none: #9da7b3; --link: #79b8ff; } }
* { box-sizing: border-box; }
body { margin: 0; font: 16px/1.5 system-ui, sans-serif; color: var(--text); background: var(--page); }
header, main { max-width: 72rem; margin: 0 auto; padding: 1rem; }
main { padding-top: 0; }
h1 { font-size: 1.5rem; line-height: 1.25; margin: 0; }
h2 { font-size: 1.25rem; margin: 1.5rem 0 .75rem; }
h3 { font-size: 1rem; margin: 0; overflow-wrap: anywhere; }
h4 { font-size: .8rem; font-weight: 600; margin: 0 0 .25rem; color: var(--soft); overflow-wrap: anywhere; }
p { margin: .5rem 0; }
a { color: var(--link); }
code, pre { font: .85em/1.5 ui-monospace, monospace; overflow-wrap: anywhere; }
pre { margin: 0; padding: .5rem; border: 1px solid var(--line); border-radius: 4px; background: var(--page); white-space: pre-wrap; }
article { border: 1px solid var(--line); border-radius: 6px; background: var(--card); padding: .75rem 1rem; margin: 0 0 1rem; }
article:target { outline: 2px solid var(--link); }
.change + .change { border-top: 1px solid var(--line); margin-top: .75rem; padding-top: .25rem; }
.sides { display: grid; grid-template-columns: 1fr 1fr; gap: .75rem; margin-bottom: .5rem; }
.sides > div { min-width: 0; }
@media (max-width: 40rem) { .sides { grid-template-columns: 1fr; } }
.filters { display: flex; flex-wrap: wrap; gap: .75rem; align-items: end; position: sticky; top: 0; z-index: 1;
  padding: .75rem 0; background: var(--page); border-bottom: 1px solid var(--line); }
.filters label { display: flex; flex-direction: column; font-size: .85rem; flex: 1 1 10rem; min-width: 0; }
.filters input, .filters select { font: inherit; min-width: 0; width: 100%; padding: .3rem; min-height: 2.25rem; }
.filters output { flex: 1 0 100%; color: var(--soft); font-size: .85rem; }
@media (max-width: 40rem) { .filters { position: static; } }
.badge { display: inline-block; font-size: .75rem; font-weight: 600; padding: 0 .5em; border: 1px solid; border-radius: 1em; }
.badge.major { color: var(--major); } .badge.approved { color: var(--approved); } .badge.minor { color: var(--minor); }
.badge.patch { color: var(--patch); } .badge.none { color: var(--none); }
.branch { border-left: 2px solid var(--line); padding-left: .75rem; margin: .25rem 0; }
summary { cursor: pointer; padding: .25rem 0; overflow-wrap: anywhere; }
.count, .pair, .place { color: var(--soft); }
.branch ul { margin: 0; padding-left: 1rem; list-style: none; }
li { margin: .25rem 0; overflow-wrap: anywhere; }
[hidden] { display: none !important; }
:focus-visible { outline: 2px solid var(--link); outline-offset: 2px; }
`;

export const script = `
const form = document.querySelector(".filters");
const items = [...document.querySelectorAll("[data-rule]")];
function filter() {
  const wanted = new FormData(form);
  const operation = wanted.get("operation").trim().toLowerCase();
  let shown = 0;
  for (const item of items) {
    const { rule, severity, operations } = item.dataset;
    item.hidden = !(
      operations.toLowerCase().includes(operation) &&
      (wanted.get("rule") === "" || wanted.get("rule") === rule) &&
      (wanted.get("severity") === "" || wanted.get("severity") === severity));
    if (!item.hidden && item.localName === "article") shown += 1;
  }
  for (const branch of document.querySelectorAll(".branch, .more")) {
    branch.hidden = branch.querySelector("[data-rule]:not([hidden])") === null;
    if (operation !== "" && !branch.hidden) branch.open = true;
  }
  form.querySelector("output").textContent = shown + " of " + document.querySelectorAll("article").length + " causes shown";
}
form?.addEventListener("input", filter);
form?.addEventListener("submit", (event) => event.preventDefault());
`;

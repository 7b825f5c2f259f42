import { expect, test } from "vitest";
import { judgingPage, readCorpus, readJudging } from "./judging-page.ts";

test("shows what the data of the gate says, by family, oracle and real pair", () => {
  const judging = readJudging();
  const page = judgingPage(judging, readCorpus());
  for (const { family, verdicts, right } of judging.families) {
    expect(page).toContain(
      `| ${family} | ${verdicts.toLocaleString("en")} | ${right.toLocaleString("en")} |`,
    );
  }
  for (const { family, cases } of judging.oracle) {
    expect(page).toContain(`| ${family} | ${cases.toLocaleString("en")} |`);
  }
  for (const { from, to, verdict } of judging.pairs) {
    expect(page).toContain(`| ${from} | ${to} |`);
    expect(page).toContain(verdict);
  }
  expect(judging.families.length).toBeGreaterThan(20);
});

test("counts the kinds of the corpus that a tool judges right", () => {
  const corpus = [
    "kind\texpected\tspec-gate\tredocly diff\toasdiff check\toasdiff level",
    "a\tbreaking\tmajor\tminor",
    "b\tbreaking\tminor\tfails",
    "c\tsafe\tpatch\tpatch",
  ].join("\n");
  const none = { oasdiff: null, families: [], oracle: [], pairs: [] };
  const page = judgingPage(none, corpus);
  expect(page).toContain("| breaking | 2 | 1 | 0 of 1 |");
  expect(page).toContain("| safe | 1 | 1 | 1 of 1 |");
});

import { readFileSync } from "node:fs";
import { joinBlocks, prose, table } from "./reference/markdown.ts";

const gate = new URL("../../packages/spec-gate/", import.meta.url);

/** `judging.json` of the package, which `npm run corpus` writes there. */
export interface Judging {
  readonly oasdiff: {
    readonly version: string;
    readonly families: readonly {
      readonly family: string;
      readonly verdicts: number;
      readonly right: number;
      readonly refused: number;
    }[];
  } | null;
  readonly families: readonly {
    readonly family: string;
    readonly verdicts: number;
    readonly right: number;
  }[];
  readonly oracle: readonly {
    readonly kind: "schemas" | "messages";
    readonly family: string;
    readonly cases: number;
    readonly explained: number;
    readonly reasons: readonly string[];
  }[];
  readonly pairs: readonly {
    readonly document: string;
    readonly from: string;
    readonly to: string;
    readonly megabytes: number;
    readonly verdict: string;
    readonly major: number;
    readonly causes: number;
    readonly seconds: number;
    readonly memory: number;
    readonly oasdiff: {
      readonly errors: number;
      readonly warnings: number;
      readonly seconds: number;
    } | null;
  }[];
}

export const readJudging = (): Judging =>
  JSON.parse(readFileSync(new URL("judging.json", gate), "utf8")) as Judging;
export const readCorpus = (): string => readFileSync(new URL("corpus.tsv", gate), "utf8");

/** The page that shows how well the gate judges, from the data in its package. */
export function judgingPage(judging: Judging, corpus: string): string {
  const { oasdiff, oracle, pairs } = judging;
  const explained = oracle.filter(({ reasons }) => reasons.length > 0);
  const count = (all: readonly { readonly cases: number }[]): string =>
    number(all.reduce((sum, { cases }) => sum + cases, 0));
  return joinBlocks([
    "# How the gate judges",
    "This page shows how often [`spec-gate`](/guides/gate) is right, and how it compares to other tools. " +
      "`npm run corpus` in `packages/spec-gate` measures it again; the data is in `judging.json` and `corpus.tsv` there.",
    "## Edits of a real document",
    "Each kind of edit is applied to the document of this project at every place where it fits. The gate has to be " +
      "right at all of them. `redocly diff` judges one place of each kind.",
    corpusTable(corpus),
    "## Minimal pairs by family",
    "A pair is two small documents with one difference, which is judged there and back. The verdicts are written by " +
      `hand. ${
        oasdiff === null
          ? "oasdiff was not run."
          : `oasdiff ${oasdiff.version} judges the same documents; it is right if it has an error exactly where ` +
            "the change breaks clients."
      }`,
    familiesTable(judging),
    "## Generated pairs with an oracle",
    "Here the expected verdict is computed without the gate: the validator Ajv says which of many instances each " +
      "schema allows. A request that was valid must remain valid, and a new response must have been valid before. For " +
      "parameters and headers, the texts that instances become in a message are compared instead.",
    table(
      ["Kind", "Family", "Cases", "Disagreements, with a reason"],
      oracle.map(({ kind, family, cases, explained: differing }) => [
        kind,
        family,
        number(cases),
        number(differing),
      ]),
    ),
    `All disagreements of the ${count(oracle)} cases have a reason:`,
    [...new Set(explained.flatMap(({ reasons }) => reasons))]
      .map((reason) => `- ${prose(reason)}.`)
      .join("\n"),
    ...(pairs.length === 0 ? [] : [pairsBlock(pairs)]),
  ]);
}

const number = (value: number): string => value.toLocaleString("en");

function corpusTable(corpus: string): string {
  const rows = corpus
    .trimEnd()
    .split("\n")
    .slice(1)
    .map((row) => row.split("\t"));
  const isRight = (expected: string, verdict: string): boolean =>
    (verdict === "major") === (expected === "breaking");
  const summary = ["breaking", "safe"].map((wanted) => {
    const own = rows.filter(([, expected]) => expected === wanted);
    const judged = own.filter(([, , , engine = ""]) => engine !== "fails");
    return [
      wanted,
      number(own.length),
      number(own.filter(([, , verdict = ""]) => isRight(wanted, verdict)).length),
      `${number(judged.filter(([, , , engine = ""]) => isRight(wanted, engine)).length)} of ${number(judged.length)}`,
    ];
  });
  return table(["Kinds of edits", "Kinds", "Right: the gate", "Right: redocly diff"], summary);
}

function familiesTable({ families, oasdiff }: Judging): string {
  const others = new Map((oasdiff?.families ?? []).map((each) => [each.family, each]));
  const rows = families.map(({ family, verdicts, right }) => {
    const other = others.get(family);
    return [
      prose(family),
      number(verdicts),
      number(right),
      ...(oasdiff === null ? [] : [other === undefined ? "" : number(other.right)]),
      ...(oasdiff === null ? [] : [other === undefined ? "" : number(other.refused)]),
    ];
  });
  const sum = (pick: (each: { verdicts: number; right: number; refused?: number }) => number) =>
    number(families.reduce((total, each) => total + pick(each), 0));
  const otherSum = (pick: (each: { right: number; refused: number }) => number) =>
    number((oasdiff?.families ?? []).reduce((total, each) => total + pick(each), 0));
  return table(
    [
      "Family",
      "Verdicts",
      "Right: the gate",
      ...(oasdiff === null ? [] : ["Right: oasdiff", "Refused by oasdiff"]),
    ],
    [
      ...rows,
      [
        "**All**",
        sum(({ verdicts }) => verdicts),
        sum(({ right }) => right),
        ...(oasdiff === null
          ? []
          : [otherSum(({ right }) => right), otherSum(({ refused }) => refused)]),
      ],
    ],
  );
}

function pairsBlock(pairs: Judging["pairs"]): string {
  return joinBlocks([
    "## Versions of public documents",
    "Two states of a document in a public repository, months apart. The documents are not part of this project. " +
      "Causes are the rows of the report; a cause is one change, and may break many places. Time and memory are of one " +
      "run of the whole program, on two processors that other work shared.",
    table(
      [
        "Document",
        "From",
        "To",
        "MB",
        "Verdict",
        "Breaking: places",
        "Breaking: causes",
        "Seconds",
        "Memory in MB",
        "oasdiff: errors",
        "oasdiff: warnings",
        "oasdiff: seconds",
      ],
      pairs.map((pair) => [
        prose(pair.document),
        pair.from,
        pair.to,
        String(pair.megabytes),
        prose(pair.verdict),
        number(pair.major),
        number(pair.causes),
        String(pair.seconds),
        number(pair.memory),
        pair.oasdiff === null ? "–" : number(pair.oasdiff.errors),
        pair.oasdiff === null ? "–" : number(pair.oasdiff.warnings),
        pair.oasdiff === null ? "–" : String(pair.oasdiff.seconds),
      ]),
    ),
    "MB: the size of the main file. –: oasdiff did not read one of the documents, or the document has several files.",
  ]).trim();
}

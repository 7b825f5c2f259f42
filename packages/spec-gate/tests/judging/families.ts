import { groupBy } from "../../src/group-by.ts";
import { compare } from "../../src/testing/documents.ts";
import { pairs } from "../families/all.ts";
import type { Pair } from "../families/pair.ts";
import * as messages from "../oracle/message-cases.ts";
import * as schemas from "../oracle/schema-cases.ts";
import type { JudgedFamily, JudgedOracle } from "./model.ts";

/** The family without the part that says where it is collected. */
export const familyName = ({ family }: Pair): string =>
  family.replace(/, siblings$/, "").toLowerCase();

/** A part of the data, which takes up to some seconds to compute. */
interface Judged<Part> {
  readonly name: string;
  readonly judge: () => Part;
}

export const judgedFamilies: readonly Judged<JudgedFamily>[] = [...groupBy(pairs, familyName)].map(
  ([family, all]) => ({
    name: family,
    judge: () => ({
      family,
      verdicts: all.length * 2,
      right: all.reduce(
        (count, { base, revision, forward, backward }) =>
          count +
          Number(compare(base, revision).verdict === forward) +
          Number(compare(revision, base).verdict === backward),
        0,
      ),
    }),
  }),
);

export const judgedOracle: readonly Judged<JudgedOracle>[] = [
  ...judged("schemas", schemas.cases, schemas.difference, schemas.reasons),
  ...judged("messages", messages.cases, messages.difference, messages.reasons),
];

function judged<Case extends { readonly family: string }>(
  kind: JudgedOracle["kind"],
  cases: readonly Case[],
  difference: (each: Case) => string | undefined,
  reasons: readonly (readonly [RegExp, string])[],
): readonly Judged<JudgedOracle>[] {
  return [...groupBy(cases, ({ family }) => family)].map(([family, all]) => ({
    name: `${kind}, ${family}`,
    judge: () => {
      const found = all.flatMap((each) => difference(each) ?? []);
      const used = reasons.filter(([pair]) => found.some((words) => pair.test(words)));
      return {
        kind,
        family,
        cases: all.length,
        explained: found.length,
        reasons: used.map(([, reason]) => reason),
      };
    },
  }));
}

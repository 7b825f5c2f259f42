import type { Explanation } from "@security-platform/fql";

/** An explanation as one sentence: `Records for which type is 'domain' and (…).` */
export function sentenceOf(explanation: Explanation): string {
  if (explanation.kind !== "condition" && explanation.parts.length === 0) return "All records.";
  return `Records for which ${clauseOf(explanation)}.`;
}

function clauseOf(explanation: Explanation): string {
  if (explanation.kind === "condition") return explanation.text;
  return explanation.parts
    .map((part) => (part.kind === "condition" ? part.text : `(${clauseOf(part)})`))
    .join(` ${explanation.kind} `);
}

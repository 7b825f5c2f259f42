import { explainFilter, type Explanation, type Fields, type Filter } from "@security-platform/fql";
import { printable } from "../../terminal/printable.ts";

/** What a valid filter finds, in words: one condition a line, indented by its groups. */
export function explanationText(filter: Filter, fields: Fields): string {
  if (filter.kind === "everything") return "all records";
  return ["records for which:", ...lines(explainFilter(filter, fields), "  ")].join("\n");
}

const headings = { and: "all of these are true:", or: "at least one of these is true:" };

const lines = (explanation: Explanation, indent: string): readonly string[] =>
  explanation.kind === "condition"
    ? [`${indent}${printable(explanation.text)}`]
    : [
        `${indent}${headings[explanation.kind]}`,
        ...explanation.parts.flatMap((part) => lines(part, `${indent}  `)),
      ];

import type { Requirement } from "./requirement.ts";
import { simpleRequirements } from "./simple-requirements.ts";
import { treeOf, type Node } from "../../../expressions/tree.ts";

/** Maximum number of alternatives. More of them do not narrow the search. */
const mostAlternatives = 16;

/**
 * Folds case for the search of required texts. Matching uses Unicode's simple case folding. Only characters
 * for which both foldings agree are required, so the search misses no match.
 */
export const foldProcessText = (text: string): string =>
  text.toLowerCase().replaceAll("\u017f", "s");

/** ASCII, and letters of scripts without case. Other characters may fold differently. */
const plain = /^[\p{ASCII}\p{Lo}]$/u;

/** Texts that every match of the expression contains. Each entry is a separate requirement. */
export function requiredBy(text: string): readonly Requirement[] {
  const simple = simpleRequirements(text, foldProcessText);
  if (simple !== null) return simple;
  const tree = treeOf(text);
  return tree === null ? [] : requirementsOf(tree);
}

export function requirementsOf(node: Node): readonly Requirement[] {
  switch (node.kind) {
    case "text":
      return plain.test(node.text) ? [[foldProcessText(node.text)]] : [];
    case "choice":
      return [];
    case "repeat":
      return node.least === 0 ? [] : requirementsOf(node.part);
    case "any":
      return alternatives(node.parts);
    case "all":
      return sequence(node.parts);
  }
}

function alternatives(parts: readonly Node[]): readonly Requirement[] {
  const together: string[] = [];
  for (const part of parts) {
    const strongest = longest(requirementsOf(part));
    if (strongest === undefined) return [];
    together.push(...strongest);
  }
  return together.length > mostAlternatives ? [] : [[...new Set(together)]];
}

function sequence(parts: readonly Node[]): readonly Requirement[] {
  const requirements: Requirement[] = [];
  let run = "";
  const finishRun = (): void => {
    if (run !== "") requirements.push([run]);
    run = "";
  };
  for (const part of parts) {
    if (part.kind === "text" && plain.test(part.text)) run += foldProcessText(part.text);
    else {
      finishRun();
      requirements.push(...requirementsOf(part));
    }
  }
  finishRun();
  return requirements;
}

const shortest = (requirement: Requirement): number =>
  Math.min(...requirement.map(({ length }) => length));

const longest = (requirements: readonly Requirement[]): Requirement | undefined =>
  requirements.toSorted((left, right) => shortest(right) - shortest(left))[0];

import type { Requirement } from "./requirement.ts";
import { simpleRequirements } from "./simple-requirements.ts";
import { treeOf, type Node } from "../../../expressions/tree.ts";

/** More alternatives than this narrow nothing down. */
const mostAlternatives = 16;

/**
 * The form in which required texts are looked for. Matching ignores case as Unicode's simple folding
 * does; folded like this, no match is lost, as only characters of which that is true are required.
 */
export const foldProcessText = (text: string): string =>
  text.toLowerCase().replaceAll("\u017f", "s");

/** ASCII, and letters of scripts without case; every other character may have forms of its own. */
const plain = /^[\p{ASCII}\p{Lo}]$/u;

/** What a text that the expression matches has to contain; one entry for each separate condition. */
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
  const found: Requirement[] = [];
  let run = "";
  const finishRun = (): void => {
    if (run !== "") found.push([run]);
    run = "";
  };
  for (const part of parts) {
    if (part.kind === "text" && plain.test(part.text)) run += foldProcessText(part.text);
    else {
      finishRun();
      found.push(...requirementsOf(part));
    }
  }
  finishRun();
  return found;
}

const shortest = (requirement: Requirement): number =>
  Math.min(...requirement.map(({ length }) => length));

const longest = (requirements: readonly Requirement[]): Requirement | undefined =>
  requirements.toSorted((left, right) => shortest(right) - shortest(left))[0];

import { matches } from "./expression.ts";
import { DFA, JS, NFA, type Element } from "refa";

/** Larger automata are not built: the patterns then count as different. */
const mostNodes = 3_000;
const answers = new Map<string, boolean>();

/** Whether every string that matches one pattern matches another; false if it cannot be proven. */
export function isPatternWithin(narrow: string, wide: string): boolean {
  if (narrow === wide) return true;
  const key = JSON.stringify([narrow, wide]);
  const cachedAnswer = answers.get(key);
  if (cachedAnswer !== undefined) return cachedAnswer;
  const answer = prove(narrow, wide);
  answers.set(key, answer);
  return answer;
}

/** Whether every string matches a pattern. Authors of `^.*$` mean texts with line breaks, too. */
export const matchesAll = (pattern: string): boolean =>
  pattern === "^.*$" ||
  // Most patterns do not match one of these, which is faster to find out.
  (["", "a", "0 ", "\n-"].every((text) => matches(pattern, text) === true) &&
    isPatternWithin("", pattern));

const noLengths = [0, Infinity] as const;
const lengths = new Map<string, readonly [least: number, largest: number]>();

/** The lengths of the strings that match a pattern. */
export function lengthsOfPattern(pattern: string): readonly [least: number, largest: number] {
  const known = lengths.get(pattern);
  if (known !== undefined) return known;
  const found = measure(pattern);
  lengths.set(pattern, found);
  return found;
}

function measure(pattern: string): readonly [least: number, largest: number] {
  try {
    const parser = JS.Parser.fromLiteral({ source: pattern, flags: "u" });
    const { expression } = parser.parse({ maxNodes: mostNodes, assertions: "parse" });
    const ranges = expression.alternatives.map(({ elements }) => {
      const [least, largest] = lengthOf(elements);
      const starts = isEdge(elements[0], "behind");
      const ends = elements.length > 1 && isEdge(elements.at(-1), "ahead");
      return [least, starts && ends ? largest : Infinity] as const;
    });
    return widest(ranges);
  } catch {
    return noLengths;
  }
}

function lengthOf(elements: readonly Element[]): readonly [number, number] {
  let [least, largest] = [0, 0];
  for (const element of elements) {
    const [fewest, most] = lengthOfElement(element);
    least += fewest;
    largest += most;
  }
  return [least, largest];
}

function lengthOfElement(element: Element): readonly [number, number] {
  switch (element.type) {
    case "CharacterClass":
      return [1, 1];
    case "Assertion":
      return [0, 0];
    case "Alternation":
      return widest(element.alternatives.map((each) => lengthOf(each.elements)));
    case "Quantifier": {
      const [least, largest] = widest(element.alternatives.map((each) => lengthOf(each.elements)));
      return [least * element.min, largest === 0 || element.max === 0 ? 0 : largest * element.max];
    }
    default:
      return noLengths;
  }
}

const widest = (ranges: readonly (readonly [number, number])[]): readonly [number, number] => [
  Math.min(...ranges.map(([least]) => least)),
  Math.max(...ranges.map(([, largest]) => largest)),
];

/** A pattern that only these strings match. */
export const patternOf = (texts: readonly string[]): string =>
  `^(?:${texts.map((text) => text.replaceAll(/[\\^$.*+?()[\]{}|/-]/g, (each) => `\\${each === "-" ? "x2d" : each}`)).join("|")})$`;

function prove(narrow: string, wide: string): boolean {
  // Repetitions such as {1,4096} make automata of that many states.
  if ([narrow, wide].some((each) => /\{(?:\d+,)?\d{4,}\}/.test(each) || each.length > 500))
    return false;
  try {
    const outside = deterministic(wide);
    outside.complement();
    const both = NFA.fromIntersection(
      automaton(narrow),
      outside,
      new NFA.LimitedNodeFactory(mostNodes),
    );
    return both.isEmpty;
  } catch {
    return false;
  }
}

function deterministic(pattern: string): DFA {
  return DFA.fromFA(automaton(pattern), new DFA.LimitedNodeFactory(mostNodes));
}

/**
 * The automaton of all strings that contain a match, because patterns of JSON Schema are not
 * anchored.
 */
function automaton(pattern: string): NFA {
  const parser = JS.Parser.fromLiteral({ source: pattern, flags: "u" });
  const { expression, maxCharacter } = parser.parse({ maxNodes: mostNodes });
  const anything = JS.Parser.fromLiteral({ source: "[^]*", flags: "u" });
  const padding = () => anything.parse().expression.alternatives[0]?.elements ?? [];
  for (const alternative of expression.alternatives) {
    const { elements } = alternative;
    const starts = isEdge(elements[0], "behind");
    const ends = elements.length > (starts ? 1 : 0) && isEdge(elements.at(-1), "ahead");
    if (starts) elements.shift();
    else elements.unshift(...padding());
    if (ends) elements.pop();
    else elements.push(...padding());
  }
  return NFA.fromRegex(
    expression,
    { maxCharacter },
    { assertions: "throw" },
    new NFA.LimitedNodeFactory(mostNodes),
  );
}

/** Whether an element is `^` or `$`. The parser represents them as look-around assertions. */
const isEdge = (element: Element | undefined, kind: "ahead" | "behind"): boolean =>
  element?.type === "Assertion" &&
  element.kind === kind &&
  element.negate &&
  element.alternatives.length === 1 &&
  element.alternatives[0]?.elements.length === 1 &&
  element.alternatives[0].elements[0]?.type === "CharacterClass" &&
  element.alternatives[0].elements[0].characters.isAll;

import { checkSync } from "recheck";
import { parseSync, Visitor } from "rolldown/utils";

/** A regular expression in a text. */
export interface Pattern {
  readonly source: string;
  readonly flags: string;
  /** From 1. */
  readonly line: number;
}

/**
 * The regular expressions of a text: literals, and those that are made of texts. A value inserted into a text is read
 * as a name. Patterns that are values as a whole are not ours.
 */
export function patternsOf(name: string, text: string): readonly Pattern[] {
  const { program, errors } = parseSync(name, text);
  if (errors.length > 0) throw new Error(`${name}: ${errors[0]?.message}`);
  const found: Pattern[] = [];
  const add = (start: number, source: string, flags: string): void => {
    found.push({ source, flags, line: text.slice(0, start).split("\n").length });
  };
  const made = ({ start, callee, arguments: values }: Made): void => {
    if (callee.type !== "Identifier" || callee.name !== "RegExp") return;
    const source = textOf(values[0]);
    if (source !== undefined) add(start, source, textOf(values[1]) ?? "");
  };
  new Visitor({
    Literal: (node) => {
      if ("regex" in node) add(node.start, node.regex.pattern, node.regex.flags);
    },
    NewExpression: (node) => made(node as unknown as Made),
    CallExpression: (node) => made(node as unknown as Made),
  }).visit(program);
  return found;
}

interface Made {
  readonly start: number;
  readonly callee: { readonly type: string; readonly name?: string };
  readonly arguments: readonly Value[];
}

interface Value {
  readonly type: string;
  readonly value?: unknown;
  readonly tag?: unknown;
  readonly quasi?: Value;
  readonly quasis?: readonly {
    readonly value: { readonly raw: string; readonly cooked: string };
  }[];
}

function textOf(value: Value | undefined): string | undefined {
  if (value?.type === "TaggedTemplateExpression") {
    return value.quasi?.quasis?.map((part) => part.value.raw).join("name");
  }
  if (value?.type === "TemplateLiteral") {
    return value.quasis?.length === 2 && value.quasis.every((part) => part.value.cooked === "")
      ? undefined
      : value.quasis?.map((part) => part.value.cooked).join("name");
  }
  return typeof value?.value === "string" ? value.value : undefined;
}

/** A repetition that has no maximum; classes and escaped characters are left out. */
const isUnbounded = (source: string): boolean =>
  /[*+]|\{\d+,\}/.test(source.replaceAll(/\\.|\[(?:[^\]\\]|\\.)*\]/gs, "x"));

/**
 * By default a match that takes a second counts as a fault, too, which depends on what else the machine does. So only
 * steps count in the last stage, which decides.
 */
const options = {
  timeout: 600_000,
  randomSeed: 1,
  attackTimeout: null,
  // Of about 3,000 characters, which a quadratic pattern needs for as many squared.
  attackLimit: 10_000_000,
};

/**
 * Why the steps of a match may grow faster than the text; null if they grow as the text does. A pattern whose
 * repetitions all have a maximum looks at a limited part of the text from each place.
 */
export function superLinear({ source, flags }: Pick<Pattern, "source" | "flags">): string | null {
  if (!isUnbounded(source)) return null;
  const found = checkSync(source, flags, options);
  if (found.status === "safe") return null;
  return found.status === "vulnerable" ? `vulnerable ${found.complexity.summary}` : found.status;
}

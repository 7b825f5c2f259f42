import { readFileSync } from "node:fs";
import { join, relative, sep } from "node:path";
import { rolldown } from "rolldown";
import { parseSync, Visitor } from "rolldown/utils";

type Node = { readonly type: string; readonly start: number } & Readonly<Record<string, unknown>>;

/** A call whose result nothing uses. */
export interface UnusedResult {
  /** The called function as it is written, without `new`. */
  readonly callee: string;
  /** The line of the call, from 1. */
  readonly line: number;
}

/** The calls of a text whose results are unused: those that are statements, or end a statement. */
export function unusedResults(name: string, text: string): readonly UnusedResult[] {
  const { program, errors } = parseSync(name, text);
  if (errors.length > 0) throw new Error(`${name}: ${errors[0]?.message}`);
  const found: UnusedResult[] = [];
  const visitor = new Visitor({
    ExpressionStatement: ({ expression }) => {
      for (const { type, start, callee } of discarded(expression as unknown as Node)) {
        if (type !== "CallExpression" && type !== "NewExpression") continue;
        const { start: from, end } = callee as { readonly start: number; readonly end: number };
        const line = text.slice(0, start).split("\n").length;
        found.push({ callee: text.slice(from, end), line });
      }
    },
  });
  visitor.visit(program);
  return found;
}

/** The parts of an expression whose values are the value of the whole, or unused. */
function discarded(node: Node): readonly Node[] {
  const parts = (...names: readonly string[]): readonly Node[] =>
    names.flatMap((name) => node[name] as Node | readonly Node[]).flatMap(discarded);
  switch (node.type) {
    case "AwaitExpression":
    case "UnaryExpression":
      return parts("argument");
    case "ChainExpression":
    case "ParenthesizedExpression":
    case "TSAsExpression":
    case "TSNonNullExpression":
    case "TSSatisfiesExpression":
      return parts("expression");
    case "SequenceExpression":
      return parts("expressions");
    case "LogicalExpression":
      return parts("right");
    case "ConditionalExpression":
      return parts("consequent", "alternate");
    default:
      return [node];
  }
}

/** What is left of the files in a bundle that exports all that they export, by the path of the file. */
export async function bundled(
  root: string,
  files: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  const bundle = await rolldown({
    cwd: root,
    input: files.map((file) => join(root, file)),
    platform: "node",
    external: (id, importer) => importer !== undefined && !id.startsWith("."),
    onLog: (_level, { message }) => {
      throw new Error(message);
    },
  });
  const { output } = await bundle.generate({
    preserveModules: true,
    preserveModulesRoot: root,
    comments: false,
  });
  const chunks = output.filter((file) => file.type === "chunk");
  return new Map(
    chunks.flatMap(({ facadeModuleId, code }) =>
      facadeModuleId === null
        ? []
        : [[relative(root, facadeModuleId).split(sep).join("/"), code] as const],
    ),
  );
}

/** The calls of files with unused results that a bundler leaves out. */
export async function removedCalls(
  root: string,
  files: readonly string[],
): Promise<readonly string[]> {
  const outputs = await bundled(root, files);
  return files.flatMap((file) => {
    const code = outputs.get(file);
    if (code === undefined) throw new Error(`${file} is not in the bundle`);
    const before = unusedResults(file, readFileSync(join(root, file), "utf8"));
    const missing = before.length - unusedResults(`${file}.mjs`, code).length;
    if (missing <= 0) return [];
    const calls = before.map(({ callee, line }) => `${callee} (line ${line})`);
    return [`${file}: ${missing} of ${calls.join(", ")}`];
  });
}

/** Functions of the language and of the platform that change something, or call a function that may. */
const effective =
  /^(?:Atomics|Promise|Reflect|console|process)\b|^Object\.(?:assign|define\w+|freeze|preventExtensions|seal|setPrototypeOf)$|^Error\.captureStackTrace$|^crypto\.getRandomValues$|^(?:set|clear)(?:Timeout|Interval|Immediate)$|^(?:queueMicrotask|fetch|postMessage|close)$/;

/** Methods of texts, numbers and dates that change nothing, and that no other object has. */
const pure =
  /\.(?:normalize|to(?:ISOString|JSON|Fixed|Precision|Exponential|LowerCase|UpperCase|Locale\w+|Sorted|Reversed|Spliced)|char(?:At|CodeAt)|codePointAt|localeCompare|padStart|padEnd|repeat|trim(?:Start|End)?|get(?:UTC)?(?:Time|Date|Day|Month|FullYear|Hours|Minutes|Seconds)|isWellFormed|toWellFormed)$/;

/**
 * Whether a bundler may treat a call as free of effects and remove it: a constructor or function of the language or
 * the platform that only computes its result. Such a call can still throw.
 */
export function mayBeRemoved(callee: string): boolean {
  if (pure.test(callee)) return true;
  const written = callee.replace(/^\((.*)\)$/s, "$1");
  const name = written.replaceAll(/^globalThis\.|[!?\s]/g, "");
  const [first = ""] = name.split(".", 1);
  return /^[\w$.]+$/.test(name) && first in globalThis && !effective.test(name);
}

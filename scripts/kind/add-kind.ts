import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";

/** The kind that is copied: it is listed, read, created, updated and deleted, and has one rule of its own. */
const model = ["Enterprise", "account"] as const;
/** Its paths follow those of the model in the order of the document. */
const added = ["External", "printer"] as const;

/** How a kind is spelled in names and texts. */
const spellings = ([first, second]: readonly [string, string]): readonly string[] => {
  const [lower, capital] = [first.toLowerCase(), second[0]?.toUpperCase() + second.slice(1)];
  return [
    first + capital,
    lower + capital,
    `${lower}-${second}`,
    `${lower}_${second}`,
    `${lower} ${second}`,
    `${first} ${second}`,
  ];
};

const renamed = (text: string): string =>
  spellings(model).reduce(
    (result, spelling, index) => result.replaceAll(spelling, spellings(added)[index] ?? spelling),
    text,
  );

/** Files of the model's own, without what concerns other kinds. */
const ownFiles: readonly { readonly path: string; readonly without?: readonly RegExp[] }[] = [
  { path: "spec/data-protection/components/enterprise-accounts.yaml" },
  { path: "spec/data-protection/fql/enterprise-accounts.yaml" },
  {
    path: "spec/data-protection/paths/data-protection_entities_enterprise-accounts_v1.yaml",
    // No other kind uses the added one, so nothing prevents a deletion.
    without: [/(?<=any-request-404)-409(?=\.yaml)/],
  },
  { path: "spec/data-protection/paths/data-protection_queries_enterprise-accounts_v2.yaml" },
  {
    path: "packages/server/src/domain/data-protection/enterprise-accounts.ts",
    without: [/^ {2}conflicts: [^]*?^ {2}\},\n/m, /^import \{ (useProblems|labelsSynced).*\n/gm],
  },
];

/** Parts of shared files that a kind has. A copy is added behind each, `without` what concerns other kinds. */
const parts: readonly {
  readonly path: string;
  readonly part: RegExp;
  readonly without?: readonly [RegExp, string];
}[] = [
  { path: "spec/openapi.yaml", part: /^ {2}\/data-protection.*\/enterprise-accounts\/.*\n.*\n/gm },
  {
    path: "spec/data-protection/components/lists.yaml",
    part: /^ {2}EnterpriseAccount(?:Ids|IdsToDelete|Filter|Sort):(?: &[\w-]+)?\n(?: {4}.*\n)+\n/gm,
  },
  {
    path: "packages/server/src/domain/data-protection/kinds.ts",
    part: /^export type EnterpriseAccount = .*\n|^(?:\/\*\*.*\n)?export const enterpriseAccounts\b[^]*?^\};\n\n|^ {2}enterpriseAccounts\.resource,\n/gm,
  },
  {
    path: "packages/server/src/operations/data-protection/index.ts",
    part: /^import \{ enterpriseAccountRules.*\n|^ {2}enterpriseAccounts,\n|^ {2}"(?:entities|queries)\.enterprise-account\.[^]*?\),\n/gm,
    without: [/\n {4}(enterpriseAccountRules),\n.*\n {2}/, "$1"],
  },
  {
    path: "packages/contract-tests/src/recipes/data-protection-resources.ts",
    part: /^ {2}"enterprise-accounts": \{[^]*?^ {2}\},\n/gm,
    without: [/^ {4}usedBy: (?:\{[^]*?^ {4}\},|.*,)\n/m, ""],
  },
  {
    path: "packages/client/tests/examples/data-protection.ts",
    part: /^ {2}"(?:entities|queries)\.enterprise-account\.[^]*?(?:\),|^ {2}\},|\}\)?,)\n(?=\n| {2}")/gm,
  },
  { path: "packages/spec/src/fql-members.test.ts", part: /^ {2}"enterprise-accounts": .*\n/gm },
  {
    path: "packages/spec/src/testing/reference-operations.tsv",
    part: /^\w+\.enterprise-account\..*\n/gm,
  },
];

/** Lines that a kind adds. */
export interface Cost {
  readonly yaml: number;
  readonly typescript: number;
}

const countLines = (text: string): number => text.match(/\n/g)?.length ?? 0;

/** Adds a kind of record to a copy of the repository, as a contributor would. Throws if a part of the model is gone. */
export function addKind(folder: string): Cost {
  const lines = { yaml: 0, ts: 0, tsv: 0 };
  const count = (path: string, text: string): void => {
    lines[path.slice(path.lastIndexOf(".") + 1) as keyof typeof lines] += countLines(text);
  };
  for (const { path, without = [] } of ownFiles) {
    const source = readFileSync(join(folder, path), "utf8");
    const text = renamed(
      without.reduce((rest, removed) => removeFrom(rest, removed, path), source),
    );
    writeFileSync(join(folder, renamed(path)), text);
    count(path, text);
  }
  for (const { path, part, without } of parts) {
    const source = readFileSync(join(folder, path), "utf8");
    if (source.match(part) === null) throw new Error(`${path} has no part of the copied kind`);
    const changed = source.replace(part, (found) => {
      const copy = renamed(without === undefined ? found : found.replace(...without));
      count(path, copy);
      return found + copy;
    });
    writeFileSync(join(folder, path), changed);
  }
  const test = "packages/spec/src/reference-operations.test.ts";
  const source = readFileSync(join(folder, test), "utf8");
  const operations = /(?<=reference\.length\)\.toBe\()\d+/;
  writeFileSync(
    join(folder, test),
    source.replace(operations, (number) => String(Number(number) + lines.tsv)),
  );
  return { yaml: lines.yaml, typescript: lines.ts };
}

function removeFrom(text: string, removed: RegExp, path: string): string {
  const rest = text.replace(removed, "");
  if (rest === text) throw new Error(`${path} has no ${removed.source}`);
  return rest;
}

/** Files that documentation and comments name exist. */
import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { posix, resolve } from "node:path";
import { expect, test } from "vitest";

const root = resolve(import.meta.dirname, "..");
const tracked = execFileSync(
  "git",
  ["ls-files", "-z", "--cached", "--others", "--exclude-standard"],
  {
    cwd: root,
    encoding: "utf8",
  },
)
  .split("\0")
  .filter((file) => file !== "");

/** Ends of paths, by the whole words between slashes: `store/index.ts` of `server/src/store/index.ts`. */
const endsOf = (file: string): readonly string[] =>
  [...file.matchAll(/(?<=^|\/)[^/]/g)].map(({ index }) => file.slice(index));
const known = new Set(tracked.flatMap(endsOf));

/** Names in text, such as `http/responses/represent.ts`, without those with a placeholder or pattern. */
const name =
  /(?<![\w./:@*<>{}$…%~-])(?:\.{0,2}\/)?(?:[\w@.-]+\/)*[\w.-]*\w\.(?:ts|mjs|vue|md|yaml|yml|tsv|sh|svg|py)(?![\w*<>{}…/(-]|\.\w)/g;

interface Mention {
  readonly file: string;
  readonly line: number;
  readonly name: string;
}

/** The parts of a file that name other files. The rest has the same length, so that lines stay. */
function prose(file: string, text: string): string {
  const blank = (code: string): string => code.replaceAll(/[^\n]/g, " ");
  if (file.endsWith(".md")) return text.replaceAll(/^( *)(```+)[^]*?^\1\2$/gm, blank);
  const comment = file.endsWith(".yaml")
    ? /(?<=^|\s)#.*$/gm
    : /\/\*[^]*?\*\/|(?<=^|\s)\/\/ .*$|<!--[^]*?-->/gm;
  let rest = "";
  let end = 0;
  for (const { index, 0: found } of text.matchAll(comment)) {
    rest += blank(text.slice(end, index)) + found;
    end = index + found.length;
  }
  return rest;
}

const mentionsIn = (file: string, text: string): readonly Mention[] =>
  prose(file, text)
    .split("\n")
    .flatMap((line, index) =>
      [...line.matchAll(name)].map((match) => ({ file, line: index + 1, name: match[0] })),
    );

/** Whether a file is named by its path from the root, from the folder of the text, or by the end of its path. */
const exists = ({ file, name: named }: Mention): boolean =>
  known.has(posix.normalize(posix.join(posix.dirname(file), named))) ||
  known.has(posix.normalize(named));

/** Names of files that users have or that samples write, and of generated files. */
const elsewhere: ReadonlySet<string> = new Set([
  "../components/local-applications.yaml",
  "/etc/patroni/config.yml",
  "404.md",
  "docs/api.yaml",
  "docs/other.yaml",
  "fql-tables.ts",
  "ioc/components/indicators.yaml",
  "ioc/paths/things_v1.yaml",
  "ioc/paths/x.yaml",
  "operation-ids.ts",
  "scan.ts",
  "secplat.yaml",
  "spec-gate.yaml",
]);

/** Guides name files that their readers have, and a few of the repository by their whole path. */
const isGuide = (file: string): boolean => file.startsWith("docs/guides/");
const folders: ReadonlySet<string> = new Set(tracked.map((file) => file.split("/", 1)[0] ?? ""));
const isOfRepository = (named: string): boolean =>
  named.includes("/") && folders.has(named.split("/", 1)[0] ?? "");

const isChecked = (file: string): boolean =>
  /\.(?:ts|mjs|vue|yaml|md)$/.test(file) &&
  !/(?:^|\/)CHANGELOG\.md$|^\.changeset\/|^scripts\/file-names\.test\.ts$/.test(file);

test("every file that documentation and comments name exists", () => {
  const missing = tracked
    .filter(isChecked)
    .flatMap((file) => mentionsIn(file, readFileSync(resolve(root, file), "utf8")))
    .filter((mention) => !exists(mention) && !elsewhere.has(mention.name))
    .filter(({ file, name: named }) => !isGuide(file) || isOfRepository(named))
    .map(({ file, line, name: named }) => `${file}:${line} names ${named}`);
  expect(missing).toEqual([]);
});

test.each([
  ["README.md", "See `scripts/gate.ts` and [the guide](docs/index.md).", []],
  ["README.md", "See `scripts/gone.ts`.", ["scripts/gone.ts"]],
  ["README.md", "```\nnode gone.ts\n```\nSee gone-too.mjs.", ["gone-too.mjs"]],
  [
    "a.ts",
    "// See bench/gone.ts.\nconst file = 'code.ts';\n/** As in\n * gone/b.ts. */",
    ["bench/gone.ts", "gone/b.ts"],
  ],
  [
    "a.ts",
    "/** `<operationId>.ts`, `*.test.ts` and `https://example.com/a.ts` are no names. */",
    [],
  ],
  ["a.yaml", "# As in gone.yaml\nfile: code.yaml", ["gone.yaml"]],
] as const)("%s: %j", (file, text, expected) => {
  const missing = mentionsIn(file, text).filter((mention) => !exists(mention));
  expect(missing.map((mention) => mention.name)).toEqual(expected);
});

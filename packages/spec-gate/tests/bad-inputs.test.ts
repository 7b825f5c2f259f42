import { expect, test } from "vitest";
import { formats } from "../src/command-line.ts";
import { none, one, project } from "./settings-project.ts";

const approval = (rule: string): string =>
  `- { rule: ${rule}, place: GET /none, reason: Unused, expiry: 2030-01-01 }`;

/** YAML of a few lines that stands for more values than memory holds. */
const bomb = [
  "openapi: 3.1.0",
  "paths: {}",
  "x0: &x0 [0]",
  ...Array.from({ length: 9 }, (_, level) => {
    const names = Array.from({ length: 10 }, () => `*x${level}`).join(", ");
    return `x${level + 1}: &x${level + 1} [${names}]`;
  }),
].join("\n");

/** A file that is wrong, the words to run, and the sentence with its place and its cure. */
const cases: readonly (readonly [
  name: string,
  files: Readonly<Record<string, string>>,
  words: readonly string[],
  sentence: RegExp,
])[] = [
  [
    "a list",
    { "b.yaml": "- 1" },
    ["a.json", "b.yaml"],
    /b\.yaml: expected an OpenAPI 3\.0, 3\.1 or 3\.2 document, got a list/,
  ],
  [
    "a page",
    { "b.yaml": "<html></html>" },
    ["a.json", "b.yaml"],
    /b\.yaml: expected an OpenAPI 3\.0, 3\.1 or 3\.2 document, got a string/,
  ],
  [
    "broken YAML",
    { "b.yaml": "openapi: 3.1.0\npaths: [" },
    ["a.json", "b.yaml"],
    /b\.yaml:\d+:\d+ is neither JSON nor YAML: /,
  ],
  [
    "two versions",
    { "b.yaml": "openapi: 3.1.0\nswagger: '2.0'\npaths: {}" },
    ["a.json", "b.yaml"],
    /b\.yaml declares two versions, openapi 3\.1\.0 and swagger 2\.0; keep one/,
  ],
  [
    "Swagger 2",
    { "b.yaml": "swagger: '2.0'\npaths: {}" },
    ["a.json", "b.yaml"],
    /b\.yaml is a Swagger 2\.0 document; convert it to OpenAPI 3 first, for example with npx swagger2openapi/,
  ],
  [
    "a cycle of aliases",
    { "b.yaml": "openapi: 3.1.0\npaths: {}\nx-a: &a\n  b: [*a]" },
    ["a.json", "b.yaml"],
    /b\.yaml:4:\d: a YAML alias refers to a node that contains the alias; write the value out/,
  ],
  [
    "aliases that stand for too much",
    { "b.yaml": bomb },
    ["a.json", "b.yaml"],
    /b\.yaml:\d+:\d+: with its YAML aliases written out .* more than 20000000 values; use fewer aliases/,
  ],
  [
    "a base that does not exist",
    {},
    ["none.json", "a.json"],
    /none\.json does not exist; expected a file, a URL or git:REVISION:PATH/,
  ],
  [
    "a reference that leads nowhere",
    {
      "b.yaml":
        "openapi: 3.1.0\npaths:\n  /things:\n    get: { responses: { 200: { $ref: '#/components/responses/No' } } }",
    },
    ["a.json", "b.yaml"],
    /b\.yaml#\/paths\/~1things\/get\/responses\/200: \$ref #\/components\/responses\/No leads nowhere/,
  ],
  [
    "a map that refers into itself",
    {
      "b.yaml":
        "openapi: 3.1.0\npaths: {}\ncomponents:\n  schemas: { $ref: '#/components/schemas/A' }",
    },
    ["a.json", "b.yaml"],
    /b\.yaml#\/components\/schemas: \$ref #\/components\/schemas\/A leads back to itself/,
  ],
  [
    "approvals that are not YAML",
    { "ok.yaml": "- { rule: [" },
    ["a.json", "a.json", "--approvals", "ok.yaml"],
    /ok\.yaml:\d+:\d+ is neither JSON nor YAML/,
  ],
  [
    "approvals that are no list",
    { "ok.yaml": "rule: x" },
    ["a.json", "a.json", "--approvals", "ok.yaml"],
    /ok\.yaml:1:1: expected a list of approvals with rule, place, reason, expiry, got \{"rule":"x"\}/,
  ],
  [
    "an approval of an unknown rule",
    { "ok.yaml": `# known\n${approval("operation-remved")}` },
    ["a.json", "a.json", "--approvals", "ok.yaml"],
    /ok\.yaml:2:3: approval 1: there is no rule operation-remved; did you mean operation-removed\?/,
  ],
];

test.each(cases)(
  "%s is answered in every format with a sentence and exit code 2",
  async (_, files, words, sentence) => {
    const { run } = project({ "a.json": one, ...files });
    for (const format of formats) {
      const { code, stdout, stderr } = await run([...words, "--format", format]);
      expect([code, stderr], format).toEqual([2, expect.stringMatching(sentence)]);
      expect(stdout === "", format).toBe(format === "text");
      if (format === "json") expect(stdout).toMatch(/"outcome": "cannot-judge"/);
    }
  },
);

test.each([
  ["an addition", none, one],
  ["no change", one, one],
  ["another version", one, { ...one, info: { title: "Things", version: "1.0.1" } }],
])(
  "an unused approval beside %s is answered in every format with a sentence and exit code 2",
  async (_, base, revision) => {
    const { run } = project({
      "a.json": base,
      "b.json": revision,
      "ok.yaml": approval("operation-removed"),
    });
    for (const format of formats) {
      const words = ["a.json", "b.json", "--approvals", "ok.yaml", "--format", format];
      const { code, stdout } = await run(words);
      expect([code, stdout], format).toEqual([
        2,
        expect.stringMatching(
          /ok\.yaml:1:3(?:: |&#58; |%3A )?.*the approval of operation-removed/s,
        ),
      ]);
      expect(stdout, format).toContain("remove it");
    }
  },
);

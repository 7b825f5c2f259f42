import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import {
  FolderProblems,
  readFolder,
} from "../../../packages/cli/src/commands/tenant/read-folder.ts";
import { readSettings } from "../../../packages/cli/src/settings/read-settings.ts";
import { kinds } from "../../../packages/cli/src/commands/tenant/kinds.ts";
import { parseText } from "../../../packages/spec-gate/src/read/parse.ts";
import { mutateText } from "../mutate.ts";
import { judged, type Target } from "../target.ts";

interface TextInput {
  readonly text: string;
}

interface FolderInput extends TextInput {
  /** The kind of the file. */
  readonly kind: string;
}

const words: readonly string[] = [
  "- ",
  ": ",
  "&a ",
  "*a",
  "<<: *a",
  "!!binary aGk=",
  "!!map",
  "? ",
  "|\n",
  ">-\n",
  "{",
  "}",
  "[",
  "]",
  "---\n",
  "...\n",
  "\t",
  "~",
  "0x1F",
  ".nan",
  "a: &a [*a, *a, *a]\n",
  "name: a\n",
  "${SECRET}",
  "${",
  "\ufeff",
];

const file = `name: &n Ferry desks
group_type: dynamic
description: *n
assignment_rule: hostname:*'FERRY-*'
settings:
  - id: a
    value: { enabled: true, level: 3 }
channels:
  - type: webhook
    params: { url: https://a.example/x, secret: "\${ON_CALL}" }
`;

const named = kinds.filter(({ create }) => create !== undefined).map(({ name }) => name);

/** The YAML files of a tenant's folder. */
export const tenantFolders = (): Target<FolderInput> => ({
  name: "folders",
  runsIn: "own",
  generate: (random) => ({
    kind: random.pick([...named, "."]) ?? "",
    text: mutateText(random, file, words),
  }),
  send: async ({ kind, text }) => {
    const folder = mkdtempSync(join(tmpdir(), "fuzz-folder-"));
    try {
      mkdirSync(join(folder, kind), { recursive: true });
      writeFileSync(join(folder, kind, kind === "." ? "precedence.yaml" : "a.yaml"), text);
      return await judged(["CommandError"], () => {
        const problems = new FolderProblems(folder);
        readFolder(folder, folder, kinds, problems);
        problems.throwIfAny();
      });
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  },
});

const settingsFile = `# Settings
port: 8080
rate-limit: 600
cors-origin: &o [https://a.example, https://b.example]
log-level: info
database: \${DATABASE}
allow-network: *o
`;

/** Files of the settings of `secplat serve`. */
export const settingsFiles = (): Target<TextInput> => ({
  name: "settings",
  runsIn: "own",
  generate: (random) => ({ text: mutateText(random, settingsFile, words) }),
  send: async ({ text }) => {
    const folder = mkdtempSync(join(tmpdir(), "fuzz-settings-"));
    try {
      const path = join(folder, "secplat.yaml");
      writeFileSync(path, text);
      return await judged(["CommandError"], () => readSettings({ name: "secplat.yaml", path }));
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  },
});

const specification = `openapi: 3.1.0
info: { title: A, version: 1.0.0 }
paths:
  /a:
    get:
      operationId: a
      parameters: &p
        - { name: limit, in: query, schema: { type: integer, minimum: 0x01, maximum: 1e3 } }
      responses: { "200": { description: ok, content: { application/json: { schema: { $ref: "#/components/schemas/A" } } } } }
    post: { operationId: b, parameters: *p, responses: { default: { description: no } } }
components:
  schemas:
    A: { type: object, properties: { a: { $ref: "#/components/schemas/A" } } }
`;

/** The text of a specification, in YAML and JSON. */
export const specificationTexts = (): Target<TextInput> => ({
  name: "documents",
  runsIn: "own",
  generate: (random) => ({
    text: mutateText(random, specification, [...words, "$ref: '#/a'", "9".repeat(400)]),
  }),
  send: ({ text }) => judged(["CannotJudge"], () => parseText(text, "a.yaml")),
});

import { buffer } from "node:stream/consumers";
import { ZipFile } from "yazl";
import { mutateBytes, mutateText } from "../mutate.ts";
import type { FuzzedServer } from "../server.ts";
import { answerProblem, type Outcome, type Target } from "../target.ts";

interface FileInput {
  readonly name: string;
  /** In base64. */
  readonly content: string;
}

interface File {
  readonly name: string;
  readonly text: string;
}

/** An archive of changed files. */
interface ArchiveInput {
  readonly files: readonly File[];
}

const template = `format: 1
template:
  name: Phishing
  description: &d For mails that want something
  fields:
    - name: Reported by
      data_type: string
      input_type: text
    - name: Kind
      data_type: string
      input_type: dropdown
      options: [{ value: a }, { value: b }]
      default_value: a
      description: *d
`;

const yamlWords: readonly string[] = [
  "- ",
  ": ",
  "&a ",
  "*a",
  "*d",
  "<<: *d",
  "!!binary aGk=",
  "!!js/function",
  "!!set",
  "? ",
  "|\n",
  ">-\n",
  "{",
  "[",
  "---\n",
  "...\n",
  "%YAML 9.9\n",
  "\t",
  "~",
  "0o17",
  ".inf",
  "2026-01-01",
  "template:",
  "fields:",
  "sla:",
  "a: &a [*a, *a, *a]\n",
];

const zipWords: readonly string[] = [
  "PK\u0001\u0002",
  "PK\u0003\u0004",
  "PK\u0005\u0006",
  "PK\u0006\u0006",
  "../a.yaml",
  "a.yaml/",
  ".zip",
];

async function archive(files: readonly File[], compress: boolean): Promise<Buffer> {
  const zip = new ZipFile();
  for (const { name, text } of files) zip.addBuffer(Buffer.from(text), name, { compress });
  zip.end();
  return buffer(zip.outputStream);
}

async function importFile(server: FuzzedServer, { name, content }: FileInput): Promise<Outcome> {
  const form = new FormData();
  // Nothing is stored, so that each import has the same effect.
  form.set("dry_run", "true");
  form.set("file", new Blob([Buffer.from(content, "base64")]), name);
  const request = new Request("http://server.test", { method: "POST", body: form });
  const body = Buffer.from(await request.arrayBuffer());
  const answer = await server.send({
    method: "POST",
    address: "/casemgmt/entities/templates/import/v1",
    headers: { "content-type": request.headers.get("content-type") ?? "" },
    body,
  });
  const problem = answerProblem(answer.status, answer.text, body.toString("latin1"));
  return { label: String(answer.status), ...(problem === undefined ? {} : { problem }) };
}

/** ZIP archives of templates, by their headers and by their content. */
export async function zips(server: FuzzedServer): Promise<Target<FileInput | ArchiveInput>> {
  const corpus = await Promise.all([
    archive([{ name: "a.yaml", text: template }], true),
    archive(
      ["a.yaml", "b.yml"].map((name) => ({ name, text: template })),
      false,
    ),
    archive([], true),
  ]);
  return {
    name: "zips",
    runsIn: "server",
    generate: (random) => {
      if (random.below(3) === 0) {
        const names = ["a.yaml", "b.json", "c.yml"].slice(random.below(3));
        return {
          files: names.map((name) => ({ name, text: mutateText(random, template, yamlWords) })),
        };
      }
      const bytes = mutateBytes(random, random.pick(corpus) ?? Buffer.alloc(0), zipWords, corpus);
      return { name: "a.zip", content: bytes.toString("base64") };
    },
    send: async (input) => {
      if ("content" in input) return importFile(server, input);
      const bytes = await archive(input.files, true);
      return importFile(server, { name: "a.zip", content: bytes.toString("base64") });
    },
  };
}

/** YAML files of templates. */
export const yamlTemplates = (server: FuzzedServer): Target<FileInput> => ({
  name: "yaml",
  runsIn: "server",
  generate: (random) => {
    const text = mutateText(random, template, yamlWords);
    return { name: "a.yaml", content: Buffer.from(text).toString("base64") };
  },
  send: (input) => importFile(server, input),
});

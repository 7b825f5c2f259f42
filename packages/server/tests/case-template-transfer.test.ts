import { once } from "node:events";
import { expect, test } from "vitest";
import { parse } from "yaml";
import { ZipFile } from "yazl";
import {
  CaseConfiguration,
  email,
  only,
  problemsOf,
  webhook,
  type Template,
} from "./support/case-configuration.ts";
import type { Answer } from "./support/api.ts";
import { forEachEngine } from "./support/engines.ts";
import { minutes } from "./support/manual-clock.ts";
import { sharedApi } from "./support/shared-api.ts";
import { filesOf } from "./support/zip-files.ts";

const templates = "templates/v1";
const path = "/casemgmt/entities/templates";

type Imported = Template & { readonly difference?: string };

async function upload(
  { api }: CaseConfiguration,
  content: string | Buffer,
  { name = "templates.yaml", dryRun = false } = {},
): Promise<Answer<Imported[]>> {
  const form = new FormData();
  form.set("dry_run", String(dryRun));
  form.set("file", new Blob([content]), name);
  const response = await fetch(`${api.url}${path}/import/v1`, {
    method: "POST",
    headers: { authorization: `Bearer ${api.token}` },
    body: form,
  });
  const text = await response.text();
  const { status, headers } = response;
  return { status, headers, text, body: JSON.parse(text) as Imported[] };
}

async function exported({ api }: CaseConfiguration, query: Readonly<Record<string, string>> = {}) {
  const answer = await api.request<{ link: string }>("GET", `${path}/export/v1`, { query });
  expect(answer.status, answer.text).toBe(200);
  const response = await fetch(answer.body.link);
  expect(response.status).toBe(200);
  return Buffer.from(await response.arrayBuffer());
}

interface ArchiveEntry {
  readonly name: string;
  readonly content: string;
  readonly mode?: number;
}

async function archiveOf(entries: readonly ArchiveEntry[]): Promise<Buffer> {
  const zip = new ZipFile();
  for (const { name, content, mode = 0o100644 } of entries) {
    zip.addBuffer(Buffer.from(content), name, { mode });
  }
  zip.end();
  const chunks: Buffer[] = [];
  zip.outputStream.on("data", (chunk: Buffer) => chunks.push(chunk));
  await once(zip.outputStream, "end");
  return Buffer.concat(chunks);
}

/**
 * Renames an entry in place to a name of the same length, because the writer itself rejects invalid
 * names.
 */
const renamed = (archive: Buffer, from: string, to: string): Buffer =>
  Buffer.from(archive.toString("latin1").replaceAll(from, to), "latin1");

const phishing = `format: 1
template:
  name: Phishing
  description: For mails that want something
  fields:
    - name: Reported by
      data_type: string
      input_type: text
`;

forEachEngine((engine) => {
  const shared = sharedApi(engine);
  const open = async () => new CaseConfiguration(await shared.open());
  const refused = async (
    configuration: CaseConfiguration,
    content: string | Buffer,
    options = {},
  ) => {
    const answer = await upload(configuration, content, options);
    expect(answer.status, answer.text).toBe(400);
    expect((await configuration.query(templates)).body).toEqual([]);
    return problemsOf(answer);
  };

  /** A tenant with everything that a file can contain. */
  async function filled() {
    const configuration = await open();
    const group = await configuration.created("notification-groups/v2", {
      name: "On-call",
      description: "Day and night",
      channels: [
        email("a@example.com"),
        webhook("https://hooks.example/cases", "a secret of sixteen"),
        { type: "slack", config_name: "Chat", params: { url: "https://slack.example/T0/x" } },
        { type: "pagerduty", params: { routing_key: "R0", severity: "error" } },
      ],
    });
    const sla = await configuration.sla("Critical", group.id, group.id);
    const template = await configuration.created(templates, {
      name: "Ransomware / extortion",
      description: "For everything: that encrypts",
      fields: [
        {
          name: "Unit",
          data_type: "string",
          input_type: "select",
          required: true,
          options: [{ value: "yes" }, { value: "0123" }],
          display_order: 5,
        },
        { name: "Seen", data_type: "datetime", input_type: "date" },
      ],
      sla_id: sla.id,
      sla_rules: [{ type: "fql", condition: "severity:>=80", sla_id: sla.id }],
      access_tags: [{ key: "EMBERFALL" }],
      workflows: [{ id: "isolate", display_order: 1 }],
    });
    await configuration.created(templates, { name: "Phishing" });
    return { configuration, group, sla, template };
  }

  test.each(["yaml", "json"])(
    "an export as %s that is imported again changes nothing",
    async (format) => {
      const { configuration, group, sla, template } = await filled();
      const archive = await exported(configuration, { format });
      const files = await filesOf(archive);
      expect([...files.keys()]).toEqual([`Ransomware-extortion.${format}`, `Phishing.${format}`]);
      const text = files.get(`Ransomware-extortion.${format}`) ?? "";
      expect(parse(text)).toMatchObject({
        format: 1,
        template: {
          name: "Ransomware / extortion",
          sla: "Critical",
          fields: [
            { name: "Seen" },
            { name: "Unit", options: [{ value: "yes" }, { value: "0123" }] },
          ],
          sla_rules: [{ condition: "severity:>=80", sla: "Critical" }],
          access_tags: ["EMBERFALL"],
        },
        slas: [{ name: "Critical" }],
        notification_groups: [{ name: "On-call" }],
      });
      for (const secret of ["a secret of sixteen", "R0", "T0", template.id]) {
        expect(text).not.toContain(secret);
      }
      configuration.api.clock.advance(minutes(5));
      const dry = await upload(configuration, archive, { name: "all.zip", dryRun: true });
      expect(dry.body.map(({ difference }) => difference)).toEqual(["", ""]);
      const imported = await upload(configuration, archive, { name: "all.zip" });
      expect(imported.status, imported.text).toBe(200);
      expect(imported.body[0]).toEqual(template);
      expect(await configuration.read(templates, template.id)).toEqual(template);
      expect(await configuration.read("slas/v1", sla.id)).toEqual(sla);
      expect(await configuration.read("notification-groups/v2", group.id)).toEqual(group);
      const snapshots = await configuration.query("template-snapshots/v1");
      expect(snapshots.body).toHaveLength(2);
    },
  );

  test("an export contains the requested templates", async () => {
    const { configuration, template } = await filled();
    const one = await filesOf(await exported(configuration, { ids: template.id }));
    expect(one.size).toBe(1);
    const filter = "name:'phishing'";
    expect([...(await filesOf(await exported(configuration, { filter }))).keys()]).toEqual([
      "Phishing.yaml",
    ]);
    const none = await filesOf(await exported(configuration, { filter, ids: template.id }));
    expect(none.size).toBe(0);
    const unknown = await configuration.api.request("GET", `${path}/export/v1`, {
      query: { ids: "0".repeat(32) },
    });
    expect(unknown.status).toBe(404);
  });

  test("a file creates missing records, and a dry run only reports them", async () => {
    const configuration = await open();
    const dry = await upload(configuration, phishing, { dryRun: true });
    expect(only(dry)).toMatchObject({
      name: "Phishing",
      has_access: true,
      difference: expect.stringContaining("+  description: For mails that want something\n"),
    });
    expect(only(dry).difference).toMatch(/^=+\n--- stored\t?\n\+\+\+ imported\t?\n@@/);
    expect((await configuration.query(templates)).body).toEqual([]);
    const created = only(await upload(configuration, phishing));
    expect(created).not.toHaveProperty("difference");
    expect(await configuration.read(templates, created.id)).toEqual(created);
    expect(created.fields).toMatchObject([{ name: "Reported by", required: false }]);
  });

  test("an import makes a template equal to the file, and remaining parts keep their ids", async () => {
    const { configuration, group, sla, template } = await filled();
    const files = await filesOf(await exported(configuration, { ids: template.id }));
    const changed = (files.get("Ransomware-extortion.yaml") ?? "")
      .replace('  description: "For everything: that encrypts"\n', "")
      .replace('value: "0123"', "value: other")
      .replace("duration_seconds: 28800", "duration_seconds: 60")
      .replace("description: Day and night", "description: At night");
    const dry = only(await upload(configuration, changed, { dryRun: true }));
    for (const line of [
      '-        - value: "0123"',
      "+        - value: other",
      "-        duration_seconds: 28800",
      "+    description: At night",
    ]) {
      expect(dry.difference?.split("\n").map((each) => each.replace(/^([+-])\s+/, "$1"))).toContain(
        line.replace(/^([+-])\s+/, "$1"),
      );
    }
    expect(await configuration.read(templates, template.id)).toEqual(template);
    configuration.api.clock.advance(minutes(5));
    const imported = only(await upload(configuration, changed));
    expect(imported.id).toBe(template.id);
    expect(imported).not.toHaveProperty("description");
    expect(imported.fields.map(({ id }) => id)).toEqual(template.fields.map(({ id }) => id));
    expect(imported.fields[1]?.options[0]).toEqual(template.fields[1]?.options[0]);
    expect(imported.fields[1]?.options[1]).toMatchObject({ value: "other" });
    expect(imported.sla_rules).toEqual(template.sla_rules);
    expect((await configuration.read("slas/v1", sla.id)).goals[1]?.duration_seconds).toBe(60);
    expect(await configuration.read("notification-groups/v2", group.id)).toMatchObject({
      description: "At night",
      channels: group.channels,
    });
  });

  test("a file must contain the secrets that no stored channel has", async () => {
    const { configuration, template } = await filled();
    const files = await filesOf(await exported(configuration, { ids: template.id }));
    const text = files.get("Ransomware-extortion.yaml") ?? "";
    const other = await open();
    const problems = await refused(other, text);
    expect(problems).toEqual([
      expect.stringMatching(
        /^body\.file: "templates\.yaml" line \d+, notification_groups\[0\]\.channels\[1\]\.params\.secret: is required for a channel of type webhook; exported files leave secrets out$/,
      ),
      expect.stringMatching(/channels\[2\]\.params\.url: expected the complete URL/),
      expect.stringMatching(/channels\[3\]\.params\.routing_key: is required/),
    ]);
    const complete = text
      .replace(
        "url: https://hooks.example/cases",
        "url: https://hooks.example/cases\n          secret: a secret of sixteen",
      )
      .replace("url: https://slack.example", "url: https://slack.example/T0/x")
      .replace("severity: error", "severity: error\n          routing_key: R0");
    expect((await upload(other, complete)).status).toBe(200);
    expect(
      (
        await refused(
          await open(),
          complete.replace("https://hooks.example/cases", "https://169.254.169.254/"),
        )
      )[0],
    ).toContain(
      "notification_groups[0].channels[1].params.url: 169.254.169.254 is a link-local address",
    );
  });

  test.each([
    ["format: 1\ntemplate:\n  name: A\n  name: B\n", "line 4: Map keys must be unique"],
    ["format: 1\ntemplate: &a\n  name: A\n  fields: [*a]\n", "line 4: aliases are not supported"],
    ["a: &a [*a]\n", "line 1: aliases are not supported"],
    ["format: 1\ntemplate:\n  nam: A\n", "line 3, template.name: is required"],
    ["format: 2\ntemplate:\n  name: A\n", "line 1, format: "],
    ["format: 1\n", "line 1, template: is required"],
    ["format: 1\ntemplate: !!js/function 'x'\n", "line 2: "],
    [
      `${phishing}      options: [{ value: x }]\n      default_value: y\n`,
      "line 10, template.fields[0].default_value: expected one of the options",
    ],
    [
      `${phishing}  sla: Critical\n`,
      "line 9, template.sla: there is no SLA named Critical, neither in the files nor in the tenant",
    ],
    [
      '{"format":1,\n"template":{"name":"A","sla_rules":[{"type":"fql","condition":"x:1","sla":"S"}]}}',
      "line 2, template.sla_rules[0].condition: ",
    ],
  ])("an invalid file is rejected with its line: %j", async (content, message) => {
    const problems = await refused(await open(), content);
    expect(problems[0]).toContain(`body.file: "templates.yaml" ${message}`);
  });

  const plain = (name: string) => archiveOf([{ name, content: phishing }]);
  test.each<[string, () => Promise<Buffer>, string]>([
    [
      "a path outside",
      async () => renamed(await plain("xx-a.yaml"), "xx-a.yaml", "../a.yaml"),
      "invalid relative path: ../a.yaml",
    ],
    [
      "an absolute path",
      async () => renamed(await plain("xa.yaml"), "xa.yaml", "/a.yaml"),
      "absolute path: /a.yaml",
    ],
    [
      "a path with a drive",
      async () => renamed(await plain("xxa.yaml"), "xxa.yaml", "C:a.yaml"),
      "absolute path: C:a.yaml",
    ],
    [
      "a symbolic link",
      () => archiveOf([{ name: "a.yaml", content: "/etc/passwd", mode: 0o120777 }]),
      '"a.yaml": is not a plain file',
    ],
    [
      "a program",
      () => plain("a.exe"),
      '"a.exe": expected a file that ends with .yaml, .yml, .json',
    ],
    [
      "201 files",
      () =>
        archiveOf(Array.from({ length: 201 }, (_, at) => ({ name: `${at}.yaml`, content: "" }))),
      "has 201 entries, of at most 200",
    ],
    ["no file", () => archiveOf([]), "has no files"],
    ["only its beginning", async () => (await plain("a.yaml")).subarray(0, 60), "cannot be read"],
    ["other bytes", async () => Buffer.from([0xff, 0xfe, 0x00]), "is not UTF-8 text"],
  ])("an archive with %s is rejected", async (_name, archive, message) => {
    const [problem] = await refused(await open(), await archive(), { name: "a.zip" });
    expect(problem).toContain(message);
  });

  test("an archive with a large file that compresses well is rejected", async () => {
    const bomb = await archiveOf([{ name: "a.yaml", content: " ".repeat(5 * 1024 * 1024) }]);
    expect(bomb.length).toBeLessThan(100_000);
    const [problem] = await refused(await open(), bomb, { name: "a.zip" });
    expect(problem).toContain('"a.yaml": has more than 4194304 bytes');
  });

  test("archives have readable entries with different, short names", async () => {
    const configuration = await open();
    const bad = async (archive: Buffer) =>
      (await refused(configuration, archive, { name: "a.zip" }))[0];
    const two = await archiveOf([
      { name: "a.yaml", content: phishing },
      { name: "b.yaml", content: phishing },
    ]);
    expect(await bad(renamed(two, "b.yaml", "a.yaml"))).toBe(
      'body.file: "a.yaml": is twice in the archive',
    );
    const long = `${"n".repeat(60_000)}.yaml`;
    expect(await bad(await archiveOf([{ name: long, content: phishing }]))).toBe(
      `body.file: "${"n".repeat(40)}…": has a name of more than 255 characters`,
    );
    const encrypted = await archiveOf([{ name: "a.yaml", content: phishing }]);
    // The flags of the entry in the directory.
    encrypted[encrypted.indexOf("PK\u0001\u0002", undefined, "latin1") + 8] = 1;
    expect(await bad(encrypted)).toBe('body.file: "a.yaml": is encrypted');
    const damaged = await archiveOf([{ name: "a.yaml", content: phishing }]);
    // A byte of its checksum in the directory.
    const at = damaged.indexOf("PK\u0001\u0002", undefined, "latin1") + 16;
    damaged[at] = 255 - (damaged[at] ?? 0);
    expect(await bad(damaged)).toBe('body.file: "a.yaml": is damaged; its checksum does not match');
  });

  test("a file with too deep nesting is rejected before it is parsed", async () => {
    const configuration = await open();
    const deep = ["[".repeat(100_000), `a:\n${"{a: ".repeat(100_000)}`, `${"- ".repeat(100_000)}x`];
    const problems = await Promise.all(deep.map((content) => refused(configuration, content)));
    expect(problems.map(([problem]) => problem?.split(" line ")[1])).toEqual(
      [1, 2, 1].map((line) => `${line}: is nested too deeply`),
    );
  });

  test("an archive with a wrong size in its header is rejected", async () => {
    const configuration = await open();
    const archive = await archiveOf([{ name: "a.yaml", content: " ".repeat(8 * 1024 * 1024) }]);
    const size = Buffer.alloc(4);
    size.writeUInt32LE(8 * 1024 * 1024);
    const lie = Buffer.alloc(4);
    lie.writeUInt32LE(10);
    const forged = renamed(archive, size.toString("latin1"), lie.toString("latin1"));
    const [problem] = await refused(configuration, forged, { name: "a.zip" });
    expect(problem).toMatch(/cannot be read|has more than/);
  });

  test("names must not clash across files; equal records may repeat", async () => {
    const configuration = await open();
    const sla = (seconds: number) =>
      `slas:\n  - name: Shared\n    goals:\n      - type: ack\n        duration_seconds: ${seconds}\n`;
    const file = (name: string, seconds: number) =>
      `format: 1\ntemplate:\n  name: ${name}\n  sla: Shared\n${sla(seconds)}`;
    const zip = (...contents: readonly string[]) =>
      archiveOf(contents.map((content, index) => ({ name: `${index}.yaml`, content })));
    const options = { name: "a.zip" };
    expect(await refused(configuration, await zip(file("A", 60), file("B", 61)), options)).toEqual([
      'body.file: "1.yaml" line 6, slas[0].name: the name Shared belongs to another SLA in "0.yaml"',
    ]);
    expect(await refused(configuration, await zip(file("A", 60), file("a", 60)), options)).toEqual([
      'body.file: "1.yaml" line 3, template.name: the name a belongs to another template in "0.yaml"',
    ]);
    const both = await upload(configuration, await zip(file("A", 60), file("B", 60)), options);
    expect(both.body.map(({ name }) => name)).toEqual(["A", "B"]);
    expect(both.body[0]?.sla_id).toBe(both.body[1]?.sla_id);
  });
});

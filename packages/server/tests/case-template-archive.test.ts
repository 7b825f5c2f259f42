import { buffer } from "node:stream/consumers";
import { expect, test } from "vitest";
import { ZipFile } from "yazl";
import { CaseConfiguration } from "./support/case-configuration.ts";
import { importProblems, importTemplates, phishing } from "./support/case-template-files.ts";
import { withPostgresAtNight } from "./support/engines.ts";
import { sharedApi } from "./support/shared-api.ts";

interface ArchiveEntry {
  readonly name: string;
  readonly content: string;
  readonly mode?: number;
}

async function archiveOf(entries: readonly ArchiveEntry[]): Promise<Buffer<ArrayBuffer>> {
  const zip = new ZipFile();
  for (const { name, content, mode = 0o100644 } of entries) {
    zip.addBuffer(Buffer.from(content), name, { mode });
  }
  zip.end();
  return buffer(zip.outputStream);
}

/** An archive with one valid file. */
const archiveWith = (name: string) => archiveOf([{ name, content: phishing }]);

/**
 * Renames an entry in place to a name of the same length, because the writer itself rejects invalid
 * names.
 */
const renamed = (archive: Buffer, from: string, to: string): Buffer<ArrayBuffer> =>
  Buffer.from(archive.toString("latin1").replaceAll(from, to), "latin1");

withPostgresAtNight((engine) => {
  const shared = sharedApi(engine);
  const open = async () => new CaseConfiguration(await shared.open());

  test.each<[string, () => Promise<Buffer<ArrayBuffer>>, string]>([
    [
      "a path outside",
      async () => renamed(await archiveWith("xx-a.yaml"), "xx-a.yaml", "../a.yaml"),
      "invalid relative path: ../a.yaml",
    ],
    [
      "an absolute path",
      async () => renamed(await archiveWith("xa.yaml"), "xa.yaml", "/a.yaml"),
      "absolute path: /a.yaml",
    ],
    [
      "a path with a drive",
      async () => renamed(await archiveWith("xxa.yaml"), "xxa.yaml", "C:a.yaml"),
      "absolute path: C:a.yaml",
    ],
    [
      "a symbolic link",
      () => archiveOf([{ name: "a.yaml", content: "/etc/passwd", mode: 0o120777 }]),
      '"a.yaml": is not a plain file',
    ],
    [
      "a program",
      () => archiveWith("a.exe"),
      '"a.exe": expected a file that ends with .yaml, .yml, .json',
    ],
    [
      "201 files",
      () =>
        archiveOf(Array.from({ length: 201 }, (_, at) => ({ name: `${at}.yaml`, content: "" }))),
      "has 201 entries, of at most 200",
    ],
    ["no file", () => archiveOf([]), "has no files"],
    [
      "only its beginning",
      async () => (await archiveWith("a.yaml")).subarray(0, 60),
      "cannot be read",
    ],
    ["other bytes", async () => Buffer.from([0xff, 0xfe, 0x00]), "is not UTF-8 text"],
  ])("an archive with %s is rejected", async (_name, archive, message) => {
    const [problem] = await importProblems(await open(), await archive(), { name: "a.zip" });
    expect(problem).toContain(message);
  });

  test("an archive with a large file that compresses well is rejected", async () => {
    const bomb = await archiveOf([{ name: "a.yaml", content: " ".repeat(5 * 1024 * 1024) }]);
    expect(bomb.length).toBeLessThan(100_000);
    const [problem] = await importProblems(await open(), bomb, { name: "a.zip" });
    expect(problem).toContain('"a.yaml": has more than 4194304 bytes');
  });

  test("an archive with a wrong size in its header is rejected", async () => {
    const configuration = await open();
    const archive = await archiveOf([{ name: "a.yaml", content: " ".repeat(8 * 1024 * 1024) }]);
    const size = Buffer.alloc(4);
    size.writeUInt32LE(8 * 1024 * 1024);
    const lie = Buffer.alloc(4);
    lie.writeUInt32LE(10);
    const forged = renamed(archive, size.toString("latin1"), lie.toString("latin1"));
    const [problem] = await importProblems(configuration, forged, { name: "a.zip" });
    expect(problem).toMatch(/cannot be read|has more than/);
  });

  test("archives have readable entries with different, short names", async () => {
    const configuration = await open();
    const bad = async (archive: Buffer<ArrayBuffer>) =>
      (await importProblems(configuration, archive, { name: "a.zip" }))[0];
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

  test("names must not clash across files; equal records may repeat", async () => {
    const configuration = await open();
    const sla = (seconds: number) =>
      `slas:\n  - name: Shared\n    goals:\n      - type: ack\n        duration_seconds: ${seconds}\n`;
    const file = (name: string, seconds: number) =>
      `format: 1\ntemplate:\n  name: ${name}\n  sla: Shared\n${sla(seconds)}`;
    const zip = (...contents: readonly string[]) =>
      archiveOf(contents.map((content, index) => ({ name: `${index}.yaml`, content })));
    const options = { name: "a.zip" };
    expect(
      await importProblems(configuration, await zip(file("A", 60), file("B", 61)), options),
    ).toEqual([
      'body.file: "1.yaml" line 6, slas[0].name: the name Shared belongs to another SLA in "0.yaml"',
    ]);
    expect(
      await importProblems(configuration, await zip(file("A", 60), file("a", 60)), options),
    ).toEqual([
      'body.file: "1.yaml" line 3, template.name: the name a belongs to another template in "0.yaml"',
    ]);
    const both = await importTemplates(
      configuration,
      await zip(file("A", 60), file("B", 60)),
      options,
    );
    expect(both.body.map(({ name }) => name)).toEqual(["A", "B"]);
    expect(both.body[0]?.sla_id).toBe(both.body[1]?.sla_id);
  });
});

import {
  chmodSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { testWith } from "../../../../testing/platform.ts";
import { KeyFile } from "./key-file.ts";
import { newKeyText, readSecretKeys } from "./secret-key.ts";

function newFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), "secplat-keys-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  return folder;
}

const newPath = (): string => join(newFolder(), "secrets.key");

test("creates a missing file with the first key, readable only by its owner", () => {
  const path = newPath();
  const key = new KeyFile(path, { create: true }).initial();
  expect(new KeyFile(path, { create: false }).initial().id).toBe(key.id);
  expect(readFileSync(path, "utf8")).toMatch(/^# .+\n# .+\n[A-Za-z0-9+/]{43}=\n$/);
  if (process.platform !== "win32") expect(statSync(path).mode & 0o777).toBe(0o600);
  expect(readdirSync(join(path, ".."))).toEqual(["secrets.key"]);
});

test("creates the folder of a missing file on request", () => {
  const path = join(newFolder(), "data", "secrets.key");
  expect(() => new KeyFile(path, { create: true }).initial()).toThrow("ENOENT");
  const key = new KeyFile(path, { create: true, makeFolder: (folder) => mkdirSync(folder) });
  expect(key.initial().id).toBe(new KeyFile(path, { create: false }).initial().id);
});

test("two processes that create the file both get the first one's key", () => {
  const path = newPath();
  const [first, second] = [
    new KeyFile(path, { create: true }),
    new KeyFile(path, { create: true }),
  ];
  expect(second.keys()).toEqual([]);
  expect(second.initial().id).toBe(first.initial().id);
});

test("a missing file is an error if it must exist", () => {
  expect(() => new KeyFile(newPath(), { create: false }).initial()).toThrow(
    /secrets\.key does not exist or has no key; copy it from another server of the database, or create it with: secplat keys add --secrets-key <file>$/,
  );
});

test("finds keys that were added later, in any order", () => {
  const path = newPath();
  const reading = new KeyFile(path, { create: true });
  const first = reading.initial();
  const added = new KeyFile(path, { create: false }).add();
  expect(reading.find(added.id)?.id).toBe(added.id);
  expect(reading.keys().map(({ id }) => id)).toEqual([first.id, added.id]);
  expect(reading.find("0".repeat(16))).toBeNull();
  if (process.platform !== "win32") expect(statSync(path).mode & 0o777).toBe(0o600);
});

test("removes a key and keeps the other lines of the file", () => {
  const path = newPath();
  const file = new KeyFile(path, { create: true });
  const [first, second] = [file.initial(), file.add()];
  writeFileSync(path, `${readFileSync(path, "utf8")}# a note\n`);
  file.remove(first.id);
  expect(new KeyFile(path, { create: false }).keys().map(({ id }) => id)).toEqual([second.id]);
  expect(readFileSync(path, "utf8")).toContain("# a note\n");
});

test("rejects a change while another process changes the file", () => {
  const path = newPath();
  const file = new KeyFile(path, { create: true });
  file.initial();
  writeFileSync(`${path}.new`, "");
  expect(() => file.add()).toThrow(
    /another process is changing the key file; if there is none, delete/,
  );
});

test.each([
  ["short", "c2hvcnQ="],
  ["no base64", "x".repeat(43) + "!"],
  ["hexadecimal", "ab".repeat(32)],
])("names the line of a key that is %s, without the key", (_, line) => {
  const path = newPath();
  writeFileSync(path, `# comment\n\n${newKeyText()} # the first\n${line}\n`);
  const read = () => new KeyFile(path, { create: false }).keys();
  expect(read).toThrow(/secrets\.key, line 4: expected 32 bytes in base64$/);
});

test("a key has the same id for every spelling of its base64", () => {
  const text = Buffer.alloc(32, 0xff).toString("base64");
  const url = Buffer.alloc(32, 0xff).toString("base64url");
  expect(readSecretKeys(`${text}\r\n${url}\n`)).toHaveLength(1);
});

testWith("permission bits")("reports a file that others can read, or that cannot be read", () => {
  const path = newPath();
  const file = new KeyFile(path, { create: true });
  file.initial();
  expect(file.isOpenToOthers).toBe(false);
  chmodSync(path, 0o640);
  expect(file.isOpenToOthers).toBe(true);
  expect(() => new KeyFile(join(path, "below"), { create: true }).initial()).toThrow(
    /cannot create the key file .*: ENOTDIR/,
  );
});

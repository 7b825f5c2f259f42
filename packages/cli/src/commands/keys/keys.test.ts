import { existsSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { expect, test } from "vitest";
import { KeyFile, openStoreAt, resources, systemClock } from "@security-platform/server/internal";
import { exitCodes } from "../../terminal/exit-codes.ts";
import { commandLine, type CommandLine } from "../../testing/command-line.ts";

interface Key {
  readonly id: string;
  readonly state: string;
  readonly secrets: number;
  readonly file: string | null;
}

const keyPath = ({ folder }: CommandLine): string => `${folder}/.data/secrets.key`;

/** A command line with a database prepared by a server. */
async function prepared(): Promise<CommandLine> {
  const secplat = commandLine();
  await secplat.json(["tenants", "create", "Acme"]);
  const store = await openStoreAt({
    url: `sqlite:${secplat.folder}/.data/platform.sqlite`,
    clock: systemClock,
    resources,
    keys: new KeyFile(keyPath(secplat), { create: true }),
  });
  await store.secrets.prepare();
  await store.close();
  return secplat;
}

const list = (secplat: CommandLine) => secplat.json<readonly Key[]>(["keys", "list"]);

test("the first start creates a key file that only its owner can read", async () => {
  const secplat = await prepared();
  const [key, ...others] = await list(secplat);
  expect(others).toEqual([]);
  expect(key).toMatchObject({ state: "current", file: keyPath(secplat) });
  expect(key?.id).toMatch(/^[0-9a-f]{16}$/);
  if (process.platform !== "win32") expect(statSync(keyPath(secplat)).mode & 0o777).toBe(0o600);
});

test("rotates to a new key, and removes the old one only then", async () => {
  const secplat = await prepared();
  const [old] = await list(secplat);
  const early = await secplat(["keys", "remove", old?.id ?? ""]);
  expect(early.exitCode).toBe(exitCodes.failure);
  expect(early.stderr).toContain("is the current key; first encrypt the secrets with another");
  const { stdout } = await secplat(["keys", "rotate"]);
  const after = await list(secplat);
  expect(after.map(({ id, state }) => [id === old?.id, state])).toEqual([
    [false, "current"],
    [true, "unused"],
  ]);
  expect(stdout).toContain(`with the key ${after[0]?.id}\n`);
  await secplat.json(["keys", "remove", old?.id ?? ""]);
  expect((await list(secplat)).map(({ state }) => state)).toEqual(["current"]);
  const unknown = await secplat(["keys", "remove", old?.id ?? ""]);
  expect(unknown.stderr).toContain(`has no key ${old?.id}; it has ${after[0]?.id}`);
});

test("a rotation uses the key that was added beforehand", async () => {
  const secplat = await prepared();
  const added = await secplat.json<Key>(["keys", "add"]);
  expect((await list(secplat)).map(({ state }) => state)).toEqual(["current", "unused"]);
  expect(await secplat.json(["keys", "rotate"])).toMatchObject({ id: added.id });
  expect((await list(secplat))[0]).toMatchObject({ id: added.id, state: "current" });
});

test("no command prints a key", async () => {
  const secplat = await prepared();
  const outputs = [
    await secplat(["keys", "list"]),
    await secplat(["keys", "add"]),
    await secplat(["keys", "rotate", "--json"]),
    await secplat(["keys", "list", "--json"]),
  ];
  const keys = readFileSync(keyPath(secplat), "utf8").match(/^[A-Za-z0-9+/]{43}=$/gm) ?? [];
  expect(keys).toHaveLength(2);
  for (const { stdout, stderr } of outputs) {
    for (const key of keys) expect(stdout + stderr).not.toContain(key);
  }
});

test("a server without the key, or with another one, does not start", async () => {
  const secplat = await prepared();
  const key = readFileSync(keyPath(secplat), "utf8");
  const serve = ["serve", "--port", "0", "--no-demo", "--no-jobs"];
  rmSync(keyPath(secplat));
  const missing = await secplat(serve);
  expect(missing.exitCode).toBe(exitCodes.failure);
  expect(missing.stderr).toMatch(
    /^secplat: the database has secrets that the key [0-9a-f]{16} encrypts, and the key file \S+secrets\.key does not have this key; restore it from your copy\n$/,
  );
  expect(existsSync(keyPath(secplat))).toBe(false);
  await secplat.json(["keys", "add"]);
  const wrong = await secplat(serve);
  expect(wrong.stderr).toContain("does not have this key; restore it from your copy");
  const rotation = await secplat(["keys", "rotate"]);
  expect(rotation.exitCode).toBe(exitCodes.failure);
  writeFileSync(keyPath(secplat), "not a key\n");
  expect((await secplat(serve)).stderr).toContain(
    "secrets.key, line 1: expected 32 bytes in base64",
  );
  writeFileSync(keyPath(secplat), key);
  expect((await secplat(serve)).exitCode).toBe(exitCodes.success);
});

test("a start does not create the file of --secrets-key", async () => {
  const secplat = commandLine();
  const serve = ["serve", "--port", "0", "--no-demo", "--no-jobs"];
  const refused = await secplat([...serve, "--secrets-key", "elsewhere/keys"]);
  expect(refused.exitCode).toBe(exitCodes.failure);
  expect(refused.stderr).toContain("or create it with: secplat keys add --secrets-key <file>\n");
  const added = await secplat.json<Key>(["keys", "add", "--secrets-key", "elsewhere/keys"]);
  expect((await secplat([...serve, "--secrets-key", "elsewhere/keys"])).exitCode).toBe(0);
  expect(await secplat.json(["keys", "list", "--secrets-key", "elsewhere/keys"])).toMatchObject([
    { id: added.id, state: "current" },
  ]);
  expect(existsSync(keyPath(secplat))).toBe(false);
});

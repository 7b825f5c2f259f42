import {
  existsSync,
  lstatSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { Readable } from "node:stream";
import { gzipSync } from "node:zlib";
import { describe, expect, test } from "vitest";
import { LocalBlobs } from "../src/blobs/local-blobs.ts";
import { BackupError } from "../src/host/backup/archive.ts";
import { backUp } from "../src/host/backup/back-up.ts";
import { verifyBackup } from "../src/host/backup/restore.ts";
import { StoreError } from "../src/store/index.ts";
import { clock, copyOf, craft, newBackup, restoring, temporary } from "./support/backups.ts";
import { sha256 } from "./support/sha256.ts";
import { administer } from "./support/raw-sql.ts";
import { newStore } from "./support/store.ts";

const fileOf = (content: string) => ({ [`files/${sha256(content)}`]: Buffer.from(content) });

describe("an archive", () => {
  test("notices any changed byte", { tags: ["exhaustive"] }, async () => {
    const parts = { "database/000001.gz": Buffer.alloc(700, 3), ...fileOf("b") };
    const whole = readFileSync(await craft({}, parts));
    const ends = whole.length - 100;
    for (let at = 0; at < whole.length; at += at < ends ? 13 : 1) {
      const copy = Buffer.from(whole);
      copy.writeUInt8(copy.readUInt8(at) ^ (1 << (at % 8)), at);
      await expect(verifyBackup(copyOf(copy)), `byte ${at}`).rejects.toThrow(BackupError);
    }
  });

  test("notices any missing end", async () => {
    const whole = readFileSync(await craft({}, fileOf("b")));
    for (let length = 0; length < whole.length; length += 37) {
      await expect(verifyBackup(copyOf(whole.subarray(0, length)))).rejects.toThrow(BackupError);
    }
  });

  test("says what is wrong, and what to do", async () => {
    const whole = readFileSync(await craft({}, { "database/000001.gz": Buffer.alloc(2_000, 1) }));
    const cut = copyOf(whole.subarray(0, 3_000));
    await expect(verifyBackup(cut)).rejects.toThrow(
      `the backup ${cut} is cut off after 3000 bytes; use another copy of it`,
    );
    const changed = Buffer.from(whole);
    changed.writeUInt8(9, 2_000);
    await expect(verifyBackup(copyOf(changed))).rejects.toThrow(
      /is damaged: its contents do not match its checksum; use another copy of it$/,
    );
    const other = copyOf(Buffer.from("PK\u0003\u0004 something else".repeat(100)));
    await expect(verifyBackup(other)).rejects.toThrow(`${other} is not a backup of secplat`);
    await expect(verifyBackup(join(temporary(), "none.tar"))).rejects.toThrow(/ENOENT$/);
    await expect(verifyBackup(temporary())).rejects.toThrow(/is not a file|EISDIR/);
  });

  test("with a file whose content is not that of its name is refused", async () => {
    const [name = ""] = Object.keys(fileOf("b"));
    await expect(craft({}, { [name]: Buffer.from("c") })).rejects.toThrow(
      `${name} has other content than its name says`,
    );
  });

  test("of a later format is refused", async () => {
    const path = await craft({});
    const later = Buffer.from(
      readFileSync(path).toString("latin1").replace('{"format":1}', '{"format":2}'),
      "latin1",
    );
    await expect(verifyBackup(copyOf(later))).rejects.toThrow(
      /has format 2, and this version knows formats up to 1; use the newer version/,
    );
  });
});

describe("a new backup", () => {
  const database = async () => {
    const { url } = await newStore(
      { emptyUrl: async () => `sqlite:${join(temporary(), "a.db")}` },
      [],
    );
    return url;
  };

  /** The bytes of a database whose first bytes are gone. */
  const damaged = async (): Promise<Uint8Array> => {
    const url = await database();
    await administer(url, "pragma wal_checkpoint(truncate)");
    return readFileSync(url.slice("sqlite:".length)).fill(0, 0, 100);
  };

  test("never overwrites a file, and can be read by its owner only", async () => {
    const url = await database();
    const path = await newBackup(url);
    const before = readFileSync(path);
    expect(statSync(path).mode & 0o077).toBe(process.platform === "win32" ? 0o066 : 0);
    const parts = {
      url,
      path,
      databaseLimits: {},
      blobs: null,
      readKeys: null,
      clock,
      version: "1",
    };
    await expect(backUp(parts)).rejects.toThrow(`${path} exists already; choose another name`);
    expect(readFileSync(path).equals(before)).toBe(true);
    expect(readdirSync(join(path, ".."))).toEqual(["backup.tar"]);
  });

  test("leaves nothing behind if a file or the database is damaged", async () => {
    const url = await database();
    const folder = temporary();
    const blobs = new LocalBlobs(folder);
    const { sha256: hash } = await blobs.put(Readable.from([Buffer.from("whole")]));
    writeFileSync(join(folder, hash.slice(0, 2), hash), "wrong");
    const path = join(temporary(), "backup.tar");
    const parts = { url, path, databaseLimits: {}, readKeys: null, clock, version: "1" };
    await expect(backUp({ ...parts, blobs })).rejects.toThrow(`the file ${hash} is damaged`);
    const wrong = join(temporary(), "wrong.db");
    writeFileSync(wrong, "no database ".repeat(1_000));
    await expect(backUp({ ...parts, url: `sqlite:${wrong}`, blobs: null })).rejects.toThrow(
      StoreError,
    );
    expect(readdirSync(join(path, ".."))).toEqual([]);
    expect(existsSync(path)).toBe(false);
  });

  test("leaves nothing behind if it is interrupted", async () => {
    const url = await database();
    const path = join(temporary(), "backup.tar");
    const onProgress = () => {
      throw new Error("interrupted");
    };
    const parts = {
      url,
      path,
      databaseLimits: {},
      blobs: null,
      readKeys: null,
      clock,
      version: "1",
    };
    await expect(backUp({ ...parts, onProgress })).rejects.toThrow("interrupted");
    expect(readdirSync(join(path, ".."))).toEqual([]);
    const target = join(temporary(), "b.db");
    const backup = await newBackup(url);
    await expect(restoring(`sqlite:${target}`, backup, { onProgress })).rejects.toThrow(
      "interrupted",
    );
    expect(readdirSync(join(target, ".."))).toEqual([]);
  });

  test("has the keys only if they are given, and the restore adds those that are missing", async () => {
    const backup = await newBackup(await database(), { readKeys: () => "the keys\n" });
    const taken: string[] = [];
    const takeKeys = (text: string) => void taken.push(text);
    const target = () => `sqlite:${join(temporary(), "b.db")}`;
    await restoring(target(), backup);
    expect(taken).toEqual([]);
    await restoring(target(), backup, { takeKeys });
    expect(taken).toEqual(["the keys\n"]);
    const without = await newBackup(await database());
    await expect(restoring(target(), without, { takeKeys })).rejects.toThrow(
      "has no keys; omit --with-keys",
    );
    expect(readFileSync(without).includes("secrets.key")).toBe(false);
  });

  test("has the keys of before and after a rotation meanwhile", async () => {
    const texts = ["# keys\nold\n", "# keys\nnew\n"];
    const readKeys = () => texts.shift() ?? "";
    const backup = await newBackup(await database(), { readKeys });
    const taken: string[] = [];
    const takeKeys = (text: string) => void taken.push(text);
    await restoring(`sqlite:${join(temporary(), "b.db")}`, backup, { takeKeys });
    expect(taken).toEqual(["# keys\nnew\nold\n"]);
  });

  test("says why it cannot be written", async () => {
    const url = await database();
    const path = join(temporary(), "none", "backup.tar");
    const parts = { url, path, databaseLimits: {}, blobs: null, readKeys: null, clock };
    await expect(backUp({ ...parts, version: "1" })).rejects.toThrow(
      `cannot write ${path}: its folder does not exist`,
    );
    const file = join(temporary(), "file");
    writeFileSync(file, "");
    const below = join(file, "backup.tar");
    await expect(backUp({ ...parts, path: below, version: "1" })).rejects.toThrow(
      `cannot write ${below}: a part of its path is a file`,
    );
  });

  test("repairs files that are damaged, cut off or missing", async () => {
    const source = new LocalBlobs(temporary());
    const hashes: string[] = [];
    for (const text of ["whole", "right", "there"]) {
      hashes.push((await source.put(Readable.from([Buffer.from(text)]))).sha256);
    }
    const backup = await newBackup(await database(), { blobs: source });
    const folder = temporary();
    const blobs = new LocalBlobs(folder);
    const pathOf = (hash = "") => join(folder, hash.slice(0, 2), hash);
    for (const text of ["whole", "right"]) await blobs.put(Readable.from([Buffer.from(text)]));
    writeFileSync(pathOf(hashes[0]), "wrong");
    writeFileSync(pathOf(hashes[1]), "ri");
    await restoring(`sqlite:${join(temporary(), "b.db")}`, backup, { blobs });
    expect(hashes.map((hash) => readFileSync(pathOf(hash), "utf8"))).toEqual([
      "whole",
      "right",
      "there",
    ]);
  });

  test("replaces what a link leads to, and keeps the link", async () => {
    const backup = await newBackup(await database());
    const folder = temporary();
    const real = join(folder, "real.db");
    const link = join(folder, "link.db");
    writeFileSync(real, await damaged());
    symlinkSync(real, link);
    await restoring(`sqlite:${link}`, backup, { replace: true });
    expect(lstatSync(link).isSymbolicLink()).toBe(true);
    expect(await administer(`sqlite:${real}`, "select count(*) as count from tenants")).toEqual([
      { count: 3 },
    ]);
  });

  test("is not restored, and leaves nothing behind, if it is interrupted after the check", async () => {
    const backup = await newBackup(await database());
    const target = join(temporary(), "b.db");
    const interruption = new AbortController();
    const beforeChange = async () => interruption.abort(new Error("interrupted"));
    const { signal } = interruption;
    await expect(restoring(`sqlite:${target}`, backup, { signal, beforeChange })).rejects.toThrow(
      "interrupted",
    );
    expect(readdirSync(join(target, ".."))).toEqual([]);
  });

  test("adds no files, but keeps those that were there, if it is interrupted while it adds them", async () => {
    const source = new LocalBlobs(temporary());
    const put = (blobs: LocalBlobs, text: string) => blobs.put(Readable.from([Buffer.from(text)]));
    for (const text of ["there", "damaged", "new"]) await put(source, text);
    const backup = await newBackup(await database(), { blobs: source });
    const place = temporary();
    const blobs = new LocalBlobs(place);
    const { sha256: kept } = await put(blobs, "there");
    const { sha256: mended } = await put(blobs, "damaged");
    writeFileSync(join(place, mended.slice(0, 2), mended), "dam");
    const interruption = new AbortController();
    let placed = 0;
    blobs.watch(() => {
      placed += 1;
      if (placed === 2) interruption.abort(new Error("interrupted"));
    });
    const target = join(temporary(), "b.db");
    await expect(
      restoring(`sqlite:${target}`, backup, { blobs, signal: interruption.signal }),
    ).rejects.toThrow("interrupted");
    const left: string[] = [];
    for await (const blob of blobs.list()) left.push(blob.sha256);
    expect(left.toSorted()).toEqual([kept, mended].toSorted());
    expect(readdirSync(join(target, ".."))).toEqual([]);
  });

  test("with content that is no database is refused in plain words", async () => {
    const target = `sqlite:${join(temporary(), "b.db")}`;
    const raw = await craft({}, { "database/000001.gz": Buffer.from("not packed") });
    await expect(restoring(target, raw)).rejects.toThrow(
      /is damaged: database\/000001\.gz cannot be unpacked/,
    );
    const text = await craft({}, { "database/000001.gz": gzipSync("no database ".repeat(1_000)) });
    await expect(restoring(target, text)).rejects.toThrow(
      /is damaged: its database cannot be read/,
    );
    const takeKeys = () => undefined;
    const keyless = await craft({ keys: true });
    await expect(restoring(target, keyless, { takeKeys })).rejects.toThrow(
      "its keys are not those of its manifest",
    );
  });

  test("a damaged database can be replaced by a backup", async () => {
    const backup = await newBackup(await database());
    const path = join(temporary(), "damaged.db");
    writeFileSync(path, await damaged());
    writeFileSync(`${path}-wal`, "an old log");
    await restoring(`sqlite:${path}`, backup, { replace: true });
    expect(await administer(`sqlite:${path}`, "select count(*) as count from tenants")).toEqual([
      { count: 3 },
    ]);
  });
});

import { existsSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { Readable } from "node:stream";
import { describe, expect, test } from "vitest";
import { LocalBlobs } from "../src/blobs/local-blobs.ts";
import { BackupError } from "../src/host/backup/archive.ts";
import { backUp } from "../src/host/backup/back-up.ts";
import { verifyBackup } from "../src/host/backup/restore.ts";
import { StoreError } from "../src/store/index.ts";
import { clock, copyOf, craft, newBackup, restoring, temporary } from "./support/backups.ts";
import { administer } from "./support/raw-sql.ts";
import { newStore } from "./support/store.ts";

describe("an archive", () => {
  test("notices any changed byte", async () => {
    const parts = { "database/000001.gz": Buffer.alloc(700, 3), "files/a": Buffer.from("b") };
    const whole = readFileSync(await craft({}, parts));
    const ends = whole.length - 100;
    for (let at = 0; at < whole.length; at += at < ends ? 13 : 1) {
      const copy = Buffer.from(whole);
      copy.writeUInt8(copy.readUInt8(at) ^ (1 << (at % 8)), at);
      await expect(verifyBackup(copyOf(copy)), `byte ${at}`).rejects.toThrow(BackupError);
    }
  });

  test("notices any missing end", async () => {
    const whole = readFileSync(await craft({}, { "files/a": Buffer.from("b") }));
    for (let length = 0; length < whole.length; length += 37) {
      await expect(verifyBackup(copyOf(whole.subarray(0, length)))).rejects.toThrow(BackupError);
    }
  });

  test("says what is wrong, and what to do", async () => {
    const whole = readFileSync(await craft({}, { "files/a": Buffer.alloc(2_000, 1) }));
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

  test("never overwrites a file, and can be read by its owner only", async () => {
    const url = await database();
    const path = await newBackup(url);
    const before = readFileSync(path);
    expect(statSync(path).mode & 0o077).toBe(process.platform === "win32" ? 0o066 : 0);
    const parts = { url, path, databaseLimits: {}, blobs: null, keys: null, clock, version: "1" };
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
    const parts = { url, path, databaseLimits: {}, keys: null, clock, version: "1" };
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
    const parts = { url, path, databaseLimits: {}, blobs: null, keys: null, clock, version: "1" };
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
    const backup = await newBackup(await database(), { keys: "the keys\n" });
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

  test("a damaged database can be replaced by a backup", async () => {
    const backup = await newBackup(await database());
    const path = join(temporary(), "damaged.db");
    writeFileSync(path, "no database ".repeat(1_000));
    writeFileSync(`${path}-wal`, "an old log");
    await restoring(`sqlite:${path}`, backup, { replace: true });
    expect(await administer(`sqlite:${path}`, "select count(*) as count from tenants")).toEqual([
      { count: 3 },
    ]);
  });
});

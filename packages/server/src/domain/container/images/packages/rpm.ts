import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { readDatabaseFile } from "./read-database-file.ts";
import type { FileReader, Findings, SystemPackage } from "../findings.ts";
import { reasonOf } from "../limits.ts";
import { clipped } from "./system-packages.ts";

const folders = "(?:var/lib/rpm|usr/lib/sysimage/rpm|usr/share/rpm)";
const database = new RegExp(`^${folders}/rpmdb\\.sqlite$`);
const log = new RegExp(`^${folders}/rpmdb\\.sqlite-wal$`);
const others = new RegExp(`^${folders}/(?:Packages|Packages\\.db)$`);

export const isRpmLog = (path: string): boolean => log.test(path);

/**
 * The rpm database. It is opened after the whole image has been read, because its log is a separate
 * file.
 */
export const rpm: FileReader = {
  wants: (path) => database.test(path) || log.test(path) || others.test(path),
  read: (path, content): Findings =>
    others.test(path)
      ? {
          warning: `${path}: rpm databases of this older format are not supported; only SQLite is`,
        }
      : content.length === 0
        ? {}
        : { database: content },
};

/** The packages in an rpm database. Its files are in a temporary folder while it is open. */
export function readRpmDatabase(path: string, content: Buffer, wal: Buffer | undefined): Findings {
  const folder = mkdtempSync(join(tmpdir(), "secplat-scan-"));
  try {
    const file = join(folder, "rpmdb.sqlite");
    writeFileSync(file, content);
    if (wal !== undefined) writeFileSync(`${file}-wal`, wal);
    const headers = readDatabaseFile(file, "Packages", "blob");
    return { packages: clipped(headers.flatMap((each) => packageOf(Buffer.from(each)) ?? [])) };
  } catch (error) {
    return { warning: `${path}: not an rpm database: ${reasonOf(error)}` };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Tags of the header of a package. */
const tags = {
  name: 1000,
  version: 1001,
  release: 1002,
  epoch: 1003,
  vendor: 1011,
  architecture: 1022,
  source: 1044,
};

/** Null for entries that are not packages, such as signing keys. */
function packageOf(header: Buffer): SystemPackage | null {
  const values = readHeader(header);
  const name = values.get(tags.name);
  if (name === undefined || name === "gpg-pubkey") return null;
  const epoch = values.get(tags.epoch);
  const version = `${values.get(tags.version) ?? ""}-${values.get(tags.release) ?? ""}`;
  const full = epoch === undefined || epoch === "0" ? version : `${epoch}:${version}`;
  const [, source] =
    /^(.+)-[^-]+-[^-]+\.(?:no)?src\.rpm$/.exec(values.get(tags.source) ?? "") ?? [];
  const vendor = values.get(tags.vendor);
  const architecture = values.get(tags.architecture);
  return {
    Product: name,
    MajorVersion: full,
    PackageSource: `${source ?? name} ${full}`,
    ...(architecture === undefined ? {} : { SoftwareArchitecture: architecture }),
    ...(vendor === undefined ? {} : { Vendor: vendor }),
  };
}

const [int32, text] = [4, 6];

/**
 * The texts and numbers of a header: two counts, an index of 16 bytes an entry (tag, type, offset,
 * count), then the data.
 */
function readHeader(header: Buffer): ReadonlyMap<number, string> {
  const values = new Map<number, string>();
  if (header.length < 8) return values;
  const entries = header.readUInt32BE(0);
  const start = 8 + entries * 16;
  if (start > header.length) return values;
  for (let index = 0; index < entries; index += 1) {
    const place = 8 + index * 16;
    const tag = header.readUInt32BE(place);
    const type = header.readUInt32BE(place + 4);
    const offset = start + header.readUInt32BE(place + 8);
    if (offset >= header.length) continue;
    if (type === int32 && offset + 4 <= header.length) {
      values.set(tag, String(header.readUInt32BE(offset)));
    } else if (type === text) {
      const end = header.indexOf(0, offset);
      values.set(tag, header.toString("utf8", offset, end < 0 ? header.length : end));
    }
  }
  return values;
}

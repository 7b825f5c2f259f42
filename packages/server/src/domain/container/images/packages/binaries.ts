import { inflateSync } from "node:zlib";
import type { Library } from "../findings.ts";
import { ImageError } from "../limits.ts";
import type { Meter } from "../unpack.ts";

const goMagic = Buffer.from("\xff Go buildinf:", "latin1");
/** Maximum decompressed size of a list of crates. */
const largestList = 64 * 1024 * 1024;

export const isElf = (content: Buffer): boolean =>
  content.length > 64 && content.readUInt32BE(0) === 0x7f454c46;

/** The libraries that Go and Rust compilers record in executables. */
export function librariesInBinary(content: Buffer, meter: Meter): readonly Library[] {
  return [...goModules(content), ...crates(content, meter)];
}

/**
 * Build information of Go 1.18 and later: after 32 bytes the version of Go, then the list of
 * modules, each as its length and its text.
 */
function goModules(content: Buffer): readonly Library[] {
  const start = content.indexOf(goMagic);
  if (start < 0 || ((content[start + 15] ?? 0) & 2) === 0) return [];
  const version = lengthAndText(content, start + 32);
  const modules = lengthAndText(content, version.end);
  const standard = /^go(\d+(?:\.\d+)*(?:(?:rc|beta)\d+)?)/.exec(version.text)?.[1];
  const libraries: Library[] = [];
  if (standard !== undefined)
    libraries.push({ type: "gobinary", name: "stdlib", version: standard });
  // It is between markers of 16 bytes each.
  for (const line of modules.text.split("\n")) {
    const [kind, name = "", each = ""] = line.split("\t");
    if (kind === "=>") libraries.pop();
    if (kind !== "dep" && kind !== "mod" && kind !== "=>") continue;
    if (name === "" || each === "" || each === "(devel)") continue;
    libraries.push({ type: "gobinary", name, version: each });
  }
  return libraries;
}

function lengthAndText(
  content: Buffer,
  start: number,
): { readonly text: string; readonly end: number } {
  let length = 0;
  let place = start;
  for (let shift = 0; shift < 35; shift += 7) {
    const byte = content[place] ?? 0;
    place += 1;
    length += (byte & 0x7f) * 2 ** shift;
    if (byte < 0x80) break;
  }
  const end = Math.min(place + length, content.length);
  return { text: content.toString("utf8", place, end), end };
}

/** The data of cargo-auditable: compressed JSON in a separate section. */
function crates(content: Buffer, meter: Meter): readonly Library[] {
  const section = sectionNamed(content, ".dep-v0");
  if (section === undefined) return [];
  try {
    const list = inflateSync(section, { maxOutputLength: largestList });
    meter.take(list.length);
    const { packages = [] } = JSON.parse(list.toString("utf8")) as {
      packages?: { name: string; version: string; source?: string; kind?: string }[];
    };
    return packages.flatMap(({ name, version, source, kind }): Library[] =>
      source === "local" || kind === "build" ? [] : [{ type: "cargo", name, version }],
    );
  } catch (error) {
    if (error instanceof ImageError) throw error;
    return [];
  }
}

/** A section of an ELF file. */
function sectionNamed(content: Buffer, name: string): Buffer | undefined {
  const is64 = content[4] === 2;
  const little = content[5] === 1;
  const half = (place: number): number =>
    little ? content.readUInt16LE(place) : content.readUInt16BE(place);
  const word = (place: number): number =>
    little ? content.readUInt32LE(place) : content.readUInt32BE(place);
  const long = (place: number): number =>
    is64
      ? Number(little ? content.readBigUInt64LE(place) : content.readBigUInt64BE(place))
      : word(place);
  try {
    const table = long(is64 ? 0x28 : 0x20);
    const entry = half(is64 ? 0x3a : 0x2e);
    const count = half(is64 ? 0x3c : 0x30);
    const names = half(is64 ? 0x3e : 0x32);
    const bounds = (index: number): [number, number] => {
      const place = table + index * entry;
      const [offset, size] = [
        long(place + (is64 ? 0x18 : 0x10)),
        long(place + (is64 ? 0x20 : 0x14)),
      ];
      return [offset, offset + size];
    };
    const [namesStart] = bounds(names);
    for (let index = 0; index < count; index += 1) {
      const at = namesStart + word(table + index * entry);
      if (content.toString("latin1", at, at + name.length + 1) !== `${name}\0`) continue;
      return content.subarray(...bounds(index));
    }
  } catch {
    // Offsets beyond the end of the file mean that it has no readable sections.
  }
  return undefined;
}

import { basename } from "node:path";
import { fromBufferPromise, type Entry, type ZipFile } from "yauzl";
import type { FileReader, Findings, Library } from "../findings.ts";
import { ImageError, reasonOf } from "../limits.ts";
import type { Meter } from "../unpack.ts";

const archive = /\.(?:jar|war|ear|par|sar|nar|jpi|hpi)$/i;
/** Maximum nesting of archives. */
const deepest = 5;

/** Java archives, and those inside them. */
export const java: FileReader = {
  wants: (path) => archive.test(path),
  read: async (path, content, meter): Promise<Findings> => {
    try {
      return { libraries: await librariesOf(path, content, meter, 0) };
    } catch (error) {
      if (error instanceof ImageError) throw error;
      return { warning: `${path}: not a readable Java archive: ${reasonOf(error)}` };
    }
  },
};

async function librariesOf(
  path: string,
  content: Buffer,
  meter: Meter,
  depth: number,
): Promise<readonly Library[]> {
  const opened = await fromBufferPromise(content, { validateEntrySizes: true });
  const described: Library[] = [];
  const inner: Library[] = [];
  let manifest = "";
  for await (const entry of opened.eachEntry()) {
    const name = entry.fileName;
    if (/^META-INF\/maven\/[^/]+\/[^/]+\/pom\.properties$/.test(name)) {
      described.push(...fromProperties((await inflate(opened, entry, meter)).toString("utf8")));
    } else if (name === "META-INF/MANIFEST.MF") {
      manifest = (await inflate(opened, entry, meter)).toString("utf8");
    } else if (archive.test(name) && depth < deepest) {
      const nested = await inflate(opened, entry, meter);
      // A file that only has the name of an archive must not hide others.
      if (nested.readUInt16BE(0) === 0x504b) {
        inner.push(...(await librariesOf(name, nested, meter, depth + 1)));
      }
    }
  }
  const own = described.length > 0 ? described : fromManifest(basename(path), manifest);
  return [...own, ...inner];
}

async function inflate(opened: ZipFile, entry: Entry, meter: Meter): Promise<Buffer> {
  const parts: Buffer[] = [];
  for await (const part of await opened.openReadStreamPromise(entry)) {
    parts.push(part as Buffer);
    meter.take((part as Buffer).length);
  }
  return Buffer.concat(parts);
}

function fromProperties(text: string): readonly Library[] {
  const value = (name: string): string =>
    new RegExp(`^${name}\\s*[=:]\\s*(.*)$`, "m").exec(text)?.[1]?.trim() ?? "";
  const [group, artifact, version] = ["groupId", "artifactId", "version"].map(value);
  return group && artifact && version
    ? [{ type: "maven", name: `${group}:${artifact}`, version }]
    : [];
}

/** Archives not built by Maven: identified by their manifest, otherwise by their file name. */
function fromManifest(file: string, manifest: string): readonly Library[] {
  // Long lines continue after a space.
  const lines = manifest.replaceAll(/\r?\n /g, "");
  const value = (name: string): string =>
    new RegExp(`^${name}:(.*)$`, "mi").exec(lines)?.[1]?.trim() ?? "";
  const [inName, versionInName] = partsOf(file.replace(/\.\w+$/, ""));
  const version =
    versionInName ??
    (value("Implementation-Version") || value("Bundle-Version") || value("Specification-Version"));
  const artifact = inName ?? (file.replace(/\.\w+$/, "") || value("Implementation-Title"));
  const symbolic = (value("Bundle-SymbolicName").split(";")[0] ?? "").trim();
  const group =
    value("Implementation-Vendor-Id") ||
    (symbolic.endsWith(`.${artifact}`) ? symbolic.slice(0, -artifact.length - 1) : "");
  if (artifact === "" || version === "") return [];
  return [{ type: "maven", name: group === "" ? artifact : `${group}:${artifact}`, version }];
}

/** The name before the first `-` that a version follows up to the end, and the version. */
function partsOf(name: string): readonly [artifact?: string, version?: string] {
  const end = /(?<![\w.+-])[\w.+-]*$/.exec(name)?.index ?? 0;
  const from = Math.max(end, 1);
  const at = name.slice(from).search(/-\d/);
  return at === -1 ? [] : [name.slice(0, from + at), name.slice(from + at + 1)];
}

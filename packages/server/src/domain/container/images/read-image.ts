import { openImageFile, type ImageFile } from "./image-file.ts";
import type {
  Executable,
  Findings,
  HighEntropyString,
  Library,
  OperatingSystem,
  SystemPackage,
} from "./findings.ts";
import type { Limits } from "./limits.ts";
import { findImage, type Choice, type FoundImage } from "./manifests.ts";
import { isRpmLog, readRpmDatabase } from "./packages/rpm.ts";
import { readLayer, type Layer } from "./read-layer.ts";
import { noUsage, type Usage } from "./unpack.ts";

/** A finding, its file, and the layer of that file. */
export interface Placed<Item> {
  readonly item: Item;
  readonly path: string;
  /** Position of the layer, from 0. */
  readonly layer: number;
}

/** The merged content of the layers. */
export interface ImageContents {
  readonly image: FoundImage;
  readonly system?: Placed<OperatingSystem>;
  readonly packages: readonly Placed<SystemPackage>[];
  readonly libraries: readonly Placed<Library>[];
  readonly executables: readonly Placed<Executable>[];
  readonly secrets: readonly Placed<HighEntropyString>[];
  /** Paths that higher layers remove. */
  readonly removed: readonly string[];
  /** What could not be read, for people. */
  readonly warnings: readonly string[];
  readonly unpackedBytes: number;
}

export interface ReadOptions {
  readonly choice: Choice;
  readonly limits: Limits;
  /** Called with the number of compressed bytes read so far, and their total. */
  readonly onProgress?: (done: number, total: number) => void;
}

/** Reads an image from a folder or an archive, without unpacking it to disk. */
export async function readImage(path: string, options: ReadOptions): Promise<ImageContents> {
  const file = await openImageFile(path, options.limits);
  const image = await findImage(file, options.choice);
  const usage = noUsage();
  const layers = await readLayers(file, image, options, usage);
  return { image, ...combine(layers), unpackedBytes: usage.unpackedBytes };
}

async function readLayers(
  file: ImageFile,
  { layers: stored }: FoundImage,
  { limits, onProgress }: ReadOptions,
  usage: Usage,
): Promise<readonly Layer[]> {
  const byPath = new Map(stored.map((layer) => [layer.path, layer]));
  const total = [...byPath.values()].reduce((sum, { size }) => sum + size, 0);
  const layers = new Map<string, Layer>();
  let done = 0;
  const counted = async function* (chunks: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
    for await (const chunk of chunks) {
      done += chunk.length;
      onProgress?.(done, total);
      yield chunk;
    }
  };
  const read = (
    paths: ReadonlySet<string>,
    linksOf: (path: string) => Layer["unread"] | undefined,
  ): Promise<void> =>
    file.read(paths, async (path, chunks) => {
      const layer = byPath.get(path);
      if (layer === undefined) return;
      layers.set(path, await readLayer(counted(chunks), layer, limits, usage, linksOf(path)));
    });
  await read(new Set(byPath.keys()), () => undefined);
  // Files that are relevant only because of their hard links are read in a second pass.
  const again = [...layers].filter(([, { unread, files }]) =>
    [...unread.keys()].some((target) => files.has(target)),
  );
  if (again.length > 0) {
    done = 0;
    Object.assign(usage, noUsage());
    const links = new Map(again.map(([path, { unread }]) => [path, unread]));
    await read(new Set(links.keys()), (path) => links.get(path));
  }
  return stored.flatMap(({ path }) => layers.get(path) ?? []);
}

type Combined = Omit<ImageContents, "image" | "unpackedBytes">;

/** Merges the layers: for each path the highest layer decides. */
function combine(layers: readonly Layer[]): Combined {
  let visible: readonly Placed<Findings>[] = [];
  const covered = new Set<string>();
  const folders = new Set<string>();
  const removed: string[] = [];
  for (const [layer, each] of [...layers.entries()].toReversed()) {
    const shown = [...each.findings].filter(
      ([path]) => !folders.has(path) && !isCovered(path, covered),
    );
    visible = [...shown.map(([path, item]) => ({ item, path, layer })), ...visible];
    for (const path of each.files) covered.add(path);
    for (const path of each.removed) covered.add(path);
    for (const path of each.opaque) covered.add(path);
    for (const path of each.folders) folders.add(path);
    removed.push(...each.removed);
  }
  const placed = <Item>(
    itemsOf: (findings: Findings) => readonly Item[] | undefined,
  ): Placed<Item>[] =>
    visible.flatMap(({ item, path, layer }) =>
      (itemsOf(item) ?? []).map((each) => ({ item: each, path, layer })),
    );
  const rpm = rpmPackages(visible);
  const system = placed(({ system: each }) => (each === undefined ? [] : [each])).find(
    ({ path }, _, all) => path === "etc/os-release" || all.length === 1,
  );
  return {
    ...(system === undefined ? {} : { system }),
    packages: [
      ...placed(({ packages }) => packages).map((each) => firstLayerOf(each, layers)),
      ...rpm.packages,
    ],
    libraries: distinct(placed(({ libraries }) => libraries)),
    executables: placed(({ executable }) => (executable === undefined ? [] : [executable])),
    secrets: placed(({ secrets }) => secrets),
    removed,
    warnings: [
      ...placed(({ warning }) => (warning === undefined ? [] : [warning])).map(({ item }) => item),
      ...rpm.warnings,
    ],
  };
}

/** Whether a higher layer has, removes or hides the path or a folder above it. */
function isCovered(path: string, covered: ReadonlySet<string>): boolean {
  if (covered.has(path) || covered.has("")) return true;
  for (let slash = path.indexOf("/"); slash >= 0; slash = path.indexOf("/", slash + 1)) {
    if (covered.has(path.slice(0, slash))) return true;
  }
  return false;
}

/**
 * Each layer that changes packages contains the whole database, so the lowest layer with a package
 * added it.
 */
function firstLayerOf(
  placed: Placed<SystemPackage>,
  layers: readonly Layer[],
): Placed<SystemPackage> {
  const { item, path } = placed;
  const first = layers.findIndex((layer) =>
    layer.findings
      .get(path)
      ?.packages?.some(
        ({ Product, MajorVersion }) =>
          Product === item.Product && MajorVersion === item.MajorVersion,
      ),
  );
  return first < 0 ? placed : { ...placed, layer: first };
}

function rpmPackages(visible: readonly Placed<Findings>[]): {
  readonly packages: readonly Placed<SystemPackage>[];
  readonly warnings: readonly string[];
} {
  const packages: Placed<SystemPackage>[] = [];
  const warnings: string[] = [];
  const listedPackages = new Set<string>();
  for (const { item, path, layer } of visible) {
    if (item.database === undefined || isRpmLog(path)) continue;
    const log = visible.find((each) => each.path === `${path}-wal`)?.item.database;
    const read = readRpmDatabase(path, item.database, log);
    if (read.warning !== undefined) warnings.push(read.warning);
    for (const each of read.packages ?? []) {
      // A folder may exist under two names.
      const key = JSON.stringify(each);
      if (listedPackages.has(key)) continue;
      listedPackages.add(key);
      packages.push({ item: each, path, layer });
    }
  }
  return { packages, warnings };
}

/** The same library of the same ecosystem once, even if several files declare it. */
function distinct(libraries: readonly Placed<Library>[]): readonly Placed<Library>[] {
  const byIdentity = new Map<string, Placed<Library>>();
  for (const each of libraries) {
    const { type, name, version } = each.item;
    const key = JSON.stringify([type, name, version]);
    if (!byIdentity.has(key)) byIdentity.set(key, each);
  }
  return [...byIdentity.values()];
}

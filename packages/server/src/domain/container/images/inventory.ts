import type { components } from "@security-platform/spec";
import type { Placed, ImageContents } from "./read-image.ts";
import { scanInventory } from "../scans/scan-inventory.ts";
import { parseDocument } from "./image-file.ts";
import type { Manifest } from "./manifests.ts";
import { parseReference, type ImageReference } from "./reference.ts";

type Schemas = components["schemas"];
export type ScanInventory = Schemas["ScanInventory"];
type Inventory = ScanInventory["inventory"];
type OciImage = Schemas["OciImage"];
type Descriptor = Schemas["OciDescriptor"];

export interface InventoryOptions {
  /** Name of the image: `registry.example.com/shop/checkout:4.2.0`. */
  readonly name: string;
  /** Default: the parts of the name. */
  readonly reference?: ImageReference;
  /** How the scanner was started. Default: `cli`. */
  readonly runMode?: "cli" | "registry";
  /** Version of this program. */
  readonly version: string;
  readonly now: Date;
}

/** Maximum number of executables to send; those with unusual permissions come first. */
const mostExecutables = 10_000;

/** The image configuration as the API accepts it, without unknown members. */
export function inventoryOf(contents: ImageContents, options: InventoryOptions): ScanInventory {
  const { image, executables, secrets, removed } = contents;
  const config = configOf(parseDocument<Partial<OciImage>>("the configuration", image.config));
  const manifest = manifestOf(image.manifest);
  const { reference = parseReference(options.name), runMode = "cli" } = options;
  const place = ({ layer }: Placed<unknown>) => ({
    LayerHash: image.layers[layer]?.digest ?? "",
    LayerIndex: layer,
  });
  const layers = layersOf(contents, config);
  const configInfo = configInfoOf(config);
  return scanInventory({
    agent: { uuid: "secplat", version: options.version },
    name: options.name,
    runMode,
    secrets: [...Map.groupBy(secrets, ({ path }) => path)].map(([Path, strings]) => ({
      Path,
      Strings: strings.map(({ item }) => item),
      ...(strings[0] === undefined ? {} : place(strings[0])),
    })),
    inventory: {
      ImageInfo: imageInfoOf(contents, config, reference),
      OSInfo:
        contents.system === undefined
          ? { Name: "", Version: "" }
          : {
              Name: contents.system.item.name,
              Version: contents.system.item.version,
              ...place(contents.system),
            },
      Packages: contents.packages.map((each) => ({
        Vendor: contents.system?.item.name ?? "",
        ...each.item,
        ...place(each),
      })),
      ApplicationPackages: [...Map.groupBy(contents.libraries, ({ item }) => item.type)].map(
        ([type, libraries]) => ({
          type,
          libraries: libraries.map((each) => ({
            Name: each.item.name.slice(0, 512),
            Version: each.item.version.slice(0, 256),
            ...(each.item.license === undefined ? {} : { License: each.item.license }),
            Path: each.path,
            ...place(each),
          })),
        }),
      ),
      ELFBinaries: executables
        .toSorted((left, right) => rank(right.item.permissions) - rank(left.item.permissions))
        .slice(0, mostExecutables)
        .map((each) => ({
          Details: {},
          Hash: each.item.hash,
          Malicious: false,
          Path: each.path,
          Permissions: each.item.permissions,
          Size: each.item.size,
          ...place(each),
        })),
      Layers: layers,
      Config: config,
      ConfigInfo: configInfo,
      Manifest: manifest,
      InventoryEngineInfo: {
        CWPPScannerVersion: options.version,
        EngineVersion: options.version,
        CollectedAt: options.now.toISOString(),
        MalwareMetadata: {},
      },
      ...(removed.length === 0 ? {} : { whiteout_files: removed.slice(0, 10_000) }),
    },
  });
}

/** 1 for files that run with the rights of their owner, or that others can change; they are listed first. */
const rank = (permissions: string): number =>
  /s/i.test(permissions) || permissions[8] === "w" ? 1 : 0;

function imageInfoOf(
  { image, unpackedBytes }: ImageContents,
  { architecture, created }: OciImage,
  { registry, repository, tag }: ImageReference,
): Inventory["ImageInfo"] {
  return {
    Architecture: architecture,
    ...(created === undefined ? {} : { CreatedAt: created }),
    Digest: image.digest,
    ID: image.manifest.config.digest,
    IndexDigest: image.indexDigest,
    Registry: registry,
    Repository: repository,
    Tag: tag,
    Size: unpackedBytes,
  };
}

/** Steps that change no files have no layer. */
function layersOf({ image }: ImageContents, { history = [] }: OciImage): Inventory["Layers"] {
  const steps = history.filter(({ empty_layer }) => empty_layer !== true);
  return image.layers.map(({ digest, size }, position) => ({
    CreatedAt: steps[position]?.created ?? "",
    CreatedBy: steps[position]?.created_by ?? "",
    Digest: digest,
    Size: size,
    type: 0,
  }));
}

const text = (value: unknown, length: number): string =>
  typeof value === "string" ? value.slice(0, length) : "";
const texts = (value: unknown): string[] | null =>
  Array.isArray(value) ? value.slice(0, 1_000).map((each) => text(each, 65_536)) : null;
/** Builders use several time formats; times that are not RFC 3339 are omitted. */
const time = (value: unknown): string | undefined =>
  typeof value === "string" &&
  value.length <= 35 &&
  /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?(?:Z|[+-]\d\d:\d\d)$/.test(value)
    ? value
    : undefined;
const set = (value: unknown): Record<string, Record<string, never>> =>
  typeof value === "object" && value !== null
    ? Object.fromEntries(
        Object.keys(value)
          .slice(0, 1_000)
          .map((name) => [name, {}]),
      )
    : {};
const labels = (value: unknown): Record<string, string> =>
  typeof value === "object" && value !== null
    ? Object.fromEntries(
        Object.entries(value)
          .slice(0, 1_000)
          .map(([name, each]) => [name.slice(0, 512), text(each, 65_536)]),
      )
    : {};

function configOf(stored: Partial<OciImage>): OciImage {
  const { config = {}, history = [], rootfs, created } = stored;
  const at = time(created);
  return {
    architecture: text(stored.architecture, 64),
    os: text(stored.os, 64) || "linux",
    ...(text(stored.author, 1_024) === "" ? {} : { author: text(stored.author, 1_024) }),
    ...(at === undefined ? {} : { created: at }),
    ...(text(stored.variant, 64) === "" ? {} : { variant: text(stored.variant, 64) }),
    config: {
      Cmd: texts(config.Cmd),
      Entrypoint: texts(config.Entrypoint),
      Env: texts(config.Env),
      ExposedPorts: set(config.ExposedPorts),
      Labels: labels(config.Labels),
      StopSignal: text(config.StopSignal, 64),
      User: text(config.User, 256),
      Volumes: set(config.Volumes),
      WorkingDir: text(config.WorkingDir, 4_096),
    },
    rootfs: {
      type: text(rootfs?.type, 64) || "layers",
      diff_ids: (rootfs?.diff_ids ?? []).slice(0, 1_000).map((each) => text(each, 256)),
    },
    history: (Array.isArray(history) ? history : []).slice(0, 10_000).map((step) => {
      const when = time(step.created);
      return {
        ...(when === undefined ? {} : { created: when }),
        created_by: text(step.created_by, 65_536),
        ...(step.empty_layer === true ? { empty_layer: true } : {}),
      };
    }),
  };
}

function configInfoOf({ config = {} }: OciImage): Inventory["ConfigInfo"] {
  return {
    Cmd: config.Cmd ?? [],
    Entrypoint: config.Entrypoint ?? [],
    Env: config.Env ?? [],
    ExposedPorts: config.ExposedPorts ?? {},
    Labels: config.Labels ?? {},
    StopSignal: config.StopSignal ?? "",
    User: config.User ?? "",
    Volumes: config.Volumes ?? {},
    WorkingDir: config.WorkingDir ?? "",
  };
}

const descriptorOf = ({ digest, mediaType, size }: Descriptor): Descriptor => ({
  digest: text(digest, 256),
  mediaType: text(mediaType, 256),
  size: Number.isSafeInteger(size) && size >= 0 ? size : 0,
});

function manifestOf({ config, layers, mediaType }: Manifest): Manifest {
  return {
    schemaVersion: 2,
    ...(mediaType === undefined ? {} : { mediaType: text(mediaType, 256) }),
    config: descriptorOf(config),
    layers: layers.slice(0, 1_000).map(descriptorOf),
  };
}

import { createHash } from "node:crypto";
import type { components } from "@security-platform/spec";
import { parseDocument, type ImageFile } from "./image-file.ts";
import { cannotScan } from "./limits.ts";

type Schemas = components["schemas"];
export type Manifest = Schemas["OciManifest"];
type Descriptor = Schemas["OciDescriptor"];

/** One image of a file: the location of its parts, and its name. */
export interface FoundImage {
  readonly manifest: Manifest;
  /** Digest of the manifest. */
  readonly digest: string;
  /** Digest of the index that contains it; empty if none does. */
  readonly indexDigest: string;
  /** The configuration, as it is stored. */
  readonly config: Buffer;
  /** The layers, the lowest first. */
  readonly layers: readonly LayerFile[];
  /** Its name, if the file contains one: `shop/checkout:4.2.0`. */
  readonly name?: string;
}

export interface LayerFile {
  readonly path: string;
  readonly digest: string;
  /** Size of the stored content in bytes. */
  readonly size: number;
  /** Whether the digest is that of the stored file. */
  readonly isStoredDigest: boolean;
}

export interface Choice {
  /** The platform: `os/architecture` or `os/architecture/variant`. Default: that of this machine, or the only one. */
  readonly platform?: string;
  /** Name of the image, if the file contains several. */
  readonly image?: string;
}

const wellKnown = { index: "index.json", archive: "manifest.json" };

/** Finds the image that the choice describes. */
export async function findImage(file: ImageFile, choice: Choice): Promise<FoundImage> {
  const index = await file.document(wellKnown.index);
  const archive = await file.document(wellKnown.archive);
  // New archives of `docker save` have both; the index has the digests.
  if (index !== undefined) {
    const names = archive === undefined ? [] : savedImages(archive);
    return fromIndex(file, index, choice, names);
  }
  if (archive !== undefined) return fromSaved(file, savedImages(archive), choice);
  throw cannotScan(
    `it has neither ${wellKnown.index} (OCI layout) nor ${wellKnown.archive} (docker save)`,
  );
}

interface SavedImage {
  readonly Config: string;
  readonly RepoTags?: readonly string[] | null;
  readonly Layers: readonly string[];
}

function savedImages(content: Buffer): readonly SavedImage[] {
  const images = parseDocument<unknown>(wellKnown.archive, content);
  const isSaved = (value: unknown): value is SavedImage =>
    typeof value === "object" &&
    value !== null &&
    "Config" in value &&
    typeof value.Config === "string" &&
    "Layers" in value &&
    Array.isArray(value.Layers);
  if (Array.isArray(images) && images.length > 0 && images.every(isSaved)) return images;
  throw cannotScan(`${wellKnown.archive} is not a list of images with Config and Layers`);
}

async function fromSaved(
  file: ImageFile,
  images: readonly SavedImage[],
  { image: name }: Choice,
): Promise<FoundImage> {
  const names = images.map(({ RepoTags }) => RepoTags?.[0] ?? "(unnamed)");
  const savedImage =
    name === undefined
      ? images.length === 1
        ? images[0]
        : undefined
      : images.find(({ RepoTags }) => RepoTags?.some((tag) => sameName(tag, name)) === true);
  if (savedImage === undefined) throw ambiguous(name, names);
  const config = await file.document(savedImage.Config);
  if (config === undefined) throw cannotScan(`the configuration ${savedImage.Config} is missing`);
  const { rootfs } = parseDocument<{ rootfs?: { diff_ids?: readonly string[] } }>(
    savedImage.Config,
    config,
  );
  const layers = savedImage.Layers.map((path, position): LayerFile => {
    const size = file.sizeOf(path);
    if (size === undefined) throw cannotScan(`the layer ${path} is missing`);
    const digest = rootfs?.diff_ids?.[position] ?? `file:${path}`;
    return { path, digest, size, isStoredDigest: false };
  });
  const manifest: Manifest = {
    schemaVersion: 2,
    mediaType: "application/vnd.docker.distribution.manifest.v2+json",
    config: {
      mediaType: "application/vnd.docker.container.image.v1+json",
      digest: sha256(config),
      size: config.length,
    },
    layers: layers.map(({ digest, size }) => ({
      mediaType: "application/vnd.docker.image.rootfs.diff.tar",
      digest,
      size,
    })),
  };
  const tag = savedImage.RepoTags?.find((each) => name !== undefined && sameName(each, name));
  const called = tag ?? savedImage.RepoTags?.[0];
  return {
    manifest,
    digest: sha256(Buffer.from(JSON.stringify(manifest))),
    indexDigest: "",
    config,
    layers,
    ...(called === undefined ? {} : { name: called }),
  };
}

interface Index {
  readonly manifests?: readonly Descriptor[];
}

const referenceName = "org.opencontainers.image.ref.name";
const containerdName = "io.containerd.image.name";

async function fromIndex(
  file: ImageFile,
  content: Buffer,
  choice: Choice,
  saved: readonly SavedImage[],
): Promise<FoundImage> {
  const { manifests = [] } = parseDocument<Index>(wellKnown.index, content);
  // Both lists have the images in the same order.
  const nameOf = (descriptor: Descriptor): string | undefined =>
    annotation(descriptor, containerdName) ??
    (saved.length === manifests.length
      ? saved[manifests.indexOf(descriptor)]?.RepoTags?.[0]
      : undefined) ??
    annotation(descriptor, referenceName);
  const named =
    choice.image === undefined
      ? manifests
      : manifests.filter((each) =>
          [annotation(each, containerdName), annotation(each, referenceName), nameOf(each)].some(
            (name) => name !== undefined && sameName(name, choice.image ?? ""),
          ),
        );
  if (named.length === 0) {
    throw ambiguous(
      choice.image,
      manifests.map((each) => nameOf(each) ?? each.digest),
    );
  }
  const platforms: Candidate[] = [];
  for (const descriptor of named) {
    platforms.push(...(await candidatesOf(file, descriptor, "", 0)));
  }
  const { descriptor, indexDigest, top } = choosePlatform(platforms, choice);
  const manifest = await readManifest(file, descriptor);
  const config = await blob(file, manifest.config.digest, "the configuration");
  const layers = manifest.layers.map(({ digest, size }): LayerFile => {
    const path = blobPath(digest);
    const stored = file.sizeOf(path);
    if (stored === undefined) throw cannotScan(`the layer ${digest} is missing`);
    if (stored !== size) {
      throw cannotScan(`the layer ${digest} has ${stored} bytes, but the manifest says ${size}`);
    }
    return { path, digest, size, isStoredDigest: true };
  });
  const name = nameOf(top);
  return {
    manifest,
    digest: descriptor.digest,
    indexDigest,
    config,
    layers,
    ...(name === undefined ? {} : { name }),
  };
}

const annotation = ({ annotations }: Descriptor, name: string): string | undefined =>
  annotations?.[name];

/** A manifest of an image, the index that lists it, and the entry of the file that refers to it. */
interface Candidate {
  readonly descriptor: Descriptor;
  readonly indexDigest: string;
  readonly top: Descriptor;
}

const isIndex = ({ mediaType }: Descriptor): boolean =>
  /\.index\.v1\+json$|manifest\.list\.v2\+json$/.test(mediaType);

/** Attestations, which builders store beside images. */
export const isAttestation = ({ annotations, platform }: Descriptor): boolean =>
  annotations?.["vnd.docker.reference.type"] !== undefined || platform?.os === "unknown";

async function candidatesOf(
  file: ImageFile,
  descriptor: Descriptor,
  indexDigest: string,
  depth: number,
  top: Descriptor = descriptor,
): Promise<readonly Candidate[]> {
  if (isAttestation(descriptor)) return [];
  if (!isIndex(descriptor)) return [{ descriptor, indexDigest, top }];
  if (depth > 4) throw cannotScan("its indexes are nested too deeply");
  const content = await blob(file, descriptor.digest, "an index");
  const { manifests = [] } = parseDocument<Index>(descriptor.digest, content);
  const candidates: Candidate[] = [];
  for (const each of manifests) {
    // An index of a registry lists platforms that the file does not contain.
    if (file.sizeOf(blobPath(each.digest)) === undefined) continue;
    candidates.push(...(await candidatesOf(file, each, descriptor.digest, depth + 1, top)));
  }
  return candidates;
}

const architectures: Readonly<Record<string, string>> = { x64: "amd64", ia32: "386" };

function choosePlatform(candidates: readonly Candidate[], { platform, image }: Choice): Candidate {
  const nameOf = ({ descriptor }: Candidate): string => {
    const { os = "", architecture = "", variant } = descriptor.platform ?? {};
    return [os, architecture, ...(variant === undefined ? [] : [variant])].join("/");
  };
  const requestedPlatform = platform ?? `linux/${architectures[process.arch] ?? process.arch}`;
  const matching = candidates.filter(
    (each) =>
      nameOf(each) === requestedPlatform || nameOf(each).startsWith(`${requestedPlatform}/`),
  );
  const [only] = candidates;
  if (platform === undefined && candidates.length === 1 && only !== undefined) return only;
  // Archives of older tools do not state the platform in the index.
  if (only !== undefined && candidates.length === 1 && only.descriptor.platform === undefined) {
    return only;
  }
  const [first, second] = matching;
  if (first !== undefined && second === undefined) return first;
  const tops = new Set(candidates.map(({ top }) => top));
  if (tops.size > 1 && image === undefined) {
    throw ambiguous(
      undefined,
      [...tops].map(
        (each) =>
          annotation(each, containerdName) ?? annotation(each, referenceName) ?? each.digest,
      ),
    );
  }
  if (candidates.length === 0) throw cannotScan("it contains no image");
  throw cannotScan(
    `it has no image for ${requestedPlatform}; choose one with --platform: ${candidates.map(nameOf).join(", ")}`,
  );
}

async function readManifest(file: ImageFile, { digest }: Descriptor): Promise<Manifest> {
  const content = await blob(file, digest, "the manifest");
  const manifest = parseDocument<Partial<Manifest>>(digest, content);
  if (!Array.isArray(manifest.layers) || typeof manifest.config?.digest !== "string") {
    throw cannotScan(`the manifest ${digest} has no config or no layers`);
  }
  return manifest as Manifest;
}

async function blob(file: ImageFile, digest: string, noun: string): Promise<Buffer> {
  const content = await file.document(blobPath(digest));
  if (content === undefined) throw cannotScan(`${noun} ${digest} is missing`);
  if (digest.startsWith("sha256:") && sha256(content) !== digest) {
    throw cannotScan(`${noun} ${digest} does not match its digest`);
  }
  return content;
}

function blobPath(digest: string): string {
  const [, algorithm, hex] = /^([a-z0-9]+):([a-f0-9]{32,128})$/.exec(digest) ?? [];
  if (algorithm === undefined || hex === undefined) {
    throw cannotScan(`${JSON.stringify(digest)} is not a digest`);
  }
  return `blobs/${algorithm}/${hex}`;
}

const sha256 = (content: Buffer): string =>
  `sha256:${createHash("sha256").update(content).digest("hex")}`;

/** `shop/checkout:1` is also `docker.io/shop/checkout:1`. */
function sameName(stored: string, name: string): boolean {
  const plain = (text: string): string =>
    text.replace(/^(?:index\.)?docker\.io\//, "").replace(/^library\//, "");
  return plain(stored) === plain(name);
}

const ambiguous = (name: string | undefined, names: readonly string[]): Error =>
  cannotScan(
    name === undefined
      ? `it contains ${names.length} images; choose one with --image: ${names.join(", ")}`
      : `it contains no image ${name}; it has ${names.join(", ")}`,
  );

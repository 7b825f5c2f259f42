import type { components } from "@security-platform/spec";
import { cannotScan } from "../images/limits.ts";
import { isAttestation, type Manifest } from "../images/manifests.ts";
import {
  digestOf,
  imageConfigTypes,
  isDigest,
  manifestTypes,
} from "../registries/manifest-types.ts";
import { repositoryPath } from "../registries/list-images.ts";
import { RegistryError, unexpected, type RegistryClient } from "../registries/registry-client.ts";

type Descriptor = components["schemas"]["OciDescriptor"];

/** Maximum nesting of indexes, and number of platforms of an image. */
const deepest = 4;
const mostPlatforms = 20;
/** Maximum number of manifests and indexes that are read for one image. */
const mostDocuments = 100;

/** A document of a registry, as stored. */
export interface StoredDocument {
  readonly descriptor: Descriptor;
  readonly content: Buffer;
}

/** An image for one platform. */
export interface PlatformImage {
  readonly manifest: Manifest;
  /** Digest of the manifest. */
  readonly digest: string;
  /** The manifest, and before it the indexes that lead to it. */
  readonly documents: readonly StoredDocument[];
}

/**
 * The images that a digest stands for: itself, or one for each Linux platform of an index. Signatures,
 * charts and images of other systems are left out.
 */
export async function platformsOf(
  client: RegistryClient,
  repository: string,
  digest: string,
): Promise<readonly PlatformImage[]> {
  const platforms: PlatformImage[] = [];
  let documentsRead = 0;
  const follow = async (one: string, above: readonly StoredDocument[]): Promise<void> => {
    documentsRead += 1;
    if (documentsRead > mostDocuments)
      throw cannotScan(`it has more than ${mostDocuments} manifests`);
    const content = await fetchDocument(
      client,
      `${repositoryPath(repository)}/manifests/${one}`,
      one,
    );
    const value = parse(content, one);
    const mediaType = String(value["mediaType"] ?? "");
    const documents = [
      ...above,
      { descriptor: { digest: one, mediaType, size: content.length }, content },
    ];
    if (isManifest(value)) {
      if (!imageConfigTypes.includes(value.config.mediaType)) return;
      if (platforms.length >= mostPlatforms)
        throw cannotScan(`it has more than ${mostPlatforms} platforms`);
      platforms.push({ manifest: value, digest: one, documents });
      return;
    }
    const { manifests } = value;
    if (!Array.isArray(manifests)) {
      throw cannotScan(
        `the manifest ${one} has an unknown format, ${mediaType || "without mediaType"}`,
      );
    }
    if (above.length >= deepest) throw cannotScan("its indexes are nested too deeply");
    for (const each of manifests as Descriptor[]) {
      if (isAttestation(each) || (each.platform?.os ?? "linux") !== "linux") continue;
      await follow(String(each.digest), documents);
    }
  };
  await follow(digest, []);
  return platforms;
}

async function fetchDocument(
  client: RegistryClient,
  path: string,
  digest: string,
): Promise<Buffer> {
  if (!isDigest(digest)) throw cannotScan(`${JSON.stringify(digest)} is not a SHA-256 digest`);
  const { status, body } = await client.get(path, manifestTypes);
  if (status === 404) throw new RegistryError(`it has no manifest ${digest}`);
  if (status !== 200) throw unexpected("it", status);
  const content = Buffer.from(body);
  if (digestOf(content) === digest) return content;
  throw cannotScan(`the manifest ${digest} does not match its digest`);
}

function parse(content: Buffer, digest: string): Readonly<Record<string, unknown>> {
  try {
    const value: unknown = JSON.parse(content.toString("utf8"));
    if (typeof value === "object" && value !== null) return value as Record<string, unknown>;
  } catch {
    // Handled like any other value.
  }
  throw cannotScan(`the manifest ${digest} is not a JSON object`);
}

function isManifest(value: object): value is Manifest {
  const { config, layers } = value as Partial<Manifest>;
  return isDescriptor(config) && Array.isArray(layers) && layers.every(isDescriptor);
}

function isDescriptor(value: unknown): value is Descriptor {
  if (typeof value !== "object" || value === null) return false;
  const { digest, size, mediaType } = value as Partial<Descriptor>;
  return (
    typeof digest === "string" &&
    typeof mediaType === "string" &&
    Number.isSafeInteger(size) &&
    (size ?? -1) >= 0
  );
}

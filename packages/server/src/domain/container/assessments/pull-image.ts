import { mkdir, rename, rm, stat, statfs, writeFile as writeWhole } from "node:fs/promises";
import { join } from "node:path";
import { BlobTooLargeError } from "../../../blobs/errors.ts";
import { writeFile } from "../../../blobs/write-file.ts";
import { cannotScan } from "../images/limits.ts";
import { repositoryPath } from "../registries/list-images.ts";
import { isDigest } from "../registries/manifest-types.ts";
import { RegistryError, unexpected, type RegistryClient } from "../registries/registry-client.ts";
import type { PlatformImage } from "./registry-manifests.ts";

export interface PullLimits {
  /** Compressed bytes of an image. */
  readonly imageBytes: number;
  readonly layers: number;
  /** Bytes of the disk that stay free. */
  readonly reserveBytes: number;
}

const mebibyte = 2 ** 20;

export const defaultPullLimits: PullLimits = {
  imageBytes: 10 * 1024 * mebibyte,
  layers: 500,
  reserveBytes: 512 * mebibyte,
};

interface Pull {
  readonly client: RegistryClient;
  readonly repository: string;
  readonly image: PlatformImage;
  /** Layers that an earlier attempt completed are in it. */
  readonly folder: string;
  readonly limits: PullLimits;
  /** Called before each request. Throws to stop. */
  readonly checkpoint: () => Promise<void>;
}

/** Writes an image into a folder, in the OCI layout. */
export async function pullImage(pull: Pull): Promise<void> {
  const { image, folder, limits } = pull;
  const { config, layers } = image.manifest;
  const parts = new Map([config, ...layers].map(({ digest, size }) => [digest, size]));
  const total = [...parts.values()].reduce((sum, size) => sum + size, 0);
  if (layers.length > limits.layers) throw cannotScan(`it has more than ${limits.layers} layers`);
  if (total > limits.imageBytes) {
    throw cannotScan(`it has ${total} bytes; at most ${limits.imageBytes} are pulled`);
  }
  await mkdir(join(folder, "blobs", "sha256"), { recursive: true, mode: 0o700 });
  await requireSpace(folder, total + limits.reserveBytes);
  for (const [digest, size] of parts) {
    await pullPart(pull, digest, size);
  }
  for (const { descriptor, content } of image.documents) {
    await writeWhole(pathOf(folder, descriptor.digest), content);
  }
  const manifests = image.documents.slice(0, 1).map(({ descriptor }) => descriptor);
  await writeWhole(join(folder, "index.json"), JSON.stringify({ schemaVersion: 2, manifests }));
}

async function requireSpace(folder: string, bytes: number): Promise<void> {
  const { bavail, bsize } = await statfs(folder);
  if (bavail * bsize >= bytes) return;
  throw new Error(`the disk has less than the ${bytes} bytes that the image needs`);
}

async function pullPart(
  { client, repository, folder, checkpoint }: Pull,
  digest: string,
  size: number,
): Promise<void> {
  const path = pathOf(folder, digest);
  const stored = await stat(path).catch(() => null);
  if (stored?.size === size) return;
  await checkpoint();
  const part = `${path}.part`;
  await rm(part, { force: true });
  const { status, content } = await client.download(
    `${repositoryPath(repository)}/blobs/${digest}`,
  );
  try {
    if (status === 404) throw new RegistryError(`it does not have the layer ${digest}`);
    if (status !== 200) throw unexpected("it", status);
    const written = await writeFile(part, content, { limit: size, sync: true });
    if (written.bytes < size) throw new Error(`the layer ${digest} ended early`);
    if (`sha256:${written.sha256}` !== digest) {
      throw cannotScan(`the layer ${digest} does not match its digest`);
    }
    await rename(part, path);
  } catch (error) {
    if (!(error instanceof BlobTooLargeError)) throw error;
    throw cannotScan(`the layer ${digest} has more bytes than the manifest says`);
  } finally {
    content.destroy();
  }
}

function pathOf(folder: string, digest: string): string {
  if (!isDigest(digest)) throw cannotScan(`${JSON.stringify(digest)} is not a SHA-256 digest`);
  return join(folder, "blobs", ...digest.split(":"));
}

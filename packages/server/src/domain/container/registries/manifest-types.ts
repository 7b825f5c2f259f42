import { createHash } from "node:crypto";

/** Manifests of images and indexes of platforms, in the formats of OCI and Docker. */
export const manifestTypes = [
  "application/vnd.oci.image.index.v1+json",
  "application/vnd.docker.distribution.manifest.list.v2+json",
  "application/vnd.oci.image.manifest.v1+json",
  "application/vnd.docker.distribution.manifest.v2+json",
].join(", ");

/** Configurations of images; other manifests describe charts, signatures and the like. */
export const imageConfigTypes: readonly string[] = [
  "application/vnd.oci.image.config.v1+json",
  "application/vnd.docker.container.image.v1+json",
];

/** Whether the text is a SHA-256 digest. No other digest is in use, and stored files are verified with it. */
export const isDigest = (text: string): boolean => /^sha256:[0-9a-f]{64}$/.test(text);

export const digestOf = (content: string | Buffer): string =>
  `sha256:${createHash("sha256").update(content).digest("hex")}`;

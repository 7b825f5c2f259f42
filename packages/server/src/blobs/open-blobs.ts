import { randomUUID } from "node:crypto";
import { rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import type { Clock } from "../foundation/clock.ts";
import type { DiskBlobs } from "./blob-store.ts";
import { BlobStoreError } from "./errors.ts";
import { LocalBlobs } from "./local-blobs.ts";
import type { S3Credentials } from "./s3-client.ts";
import { S3Blobs } from "./s3-blobs.ts";

export interface BlobsOptions {
  /** `file:<folder>` or `s3://<bucket>/<prefix>?endpoint=<url>&region=<name>`. */
  readonly url: string;
  /** The credentials of an S3-compatible store. */
  readonly credentials?: S3Credentials;
  readonly clock: Clock;
}

/** Opens the blob store at a URL. Throws `BlobStoreError` for an invalid one. */
export function openBlobs({ url, credentials, clock }: BlobsOptions): DiskBlobs {
  const folder = /^file:(?<path>.+)$/s.exec(url)?.groups?.["path"];
  if (folder !== undefined) return new LocalBlobs(folder);
  if (!url.startsWith("s3://")) {
    throw new BlobStoreError(
      "expected file:<folder> or s3://<bucket>/<prefix>?endpoint=<url>&region=<name>",
    );
  }
  if (credentials === undefined) {
    throw new BlobStoreError("s3:// needs AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY");
  }
  return new S3Blobs({ ...bucketOf(url), credentials, clock });
}

const bucketPattern = /^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$/;

function bucketOf(text: string) {
  const url = URL.parse(text);
  if (url === null || !bucketPattern.test(url.hostname)) {
    throw new BlobStoreError("expected the name of a bucket after s3://");
  }
  const { hostname: bucket, pathname, searchParams } = url;
  const unknown = [...searchParams.keys()].find((name) => !["endpoint", "region"].includes(name));
  if (unknown !== undefined) {
    // An unescaped & in a password begins such a name.
    const name = /^[a-z]+$/i.test(unknown) ? `no parameter ${unknown}` : "an unknown parameter";
    throw new BlobStoreError(`s3:// has ${name}; expected endpoint or region`);
  }
  const region = searchParams.get("region") ?? "us-east-1";
  const endpoint = searchParams.get("endpoint");
  if (endpoint !== null && !/^https?:\/\/[^/?#]+\/?$/.test(endpoint)) {
    throw new BlobStoreError("expected endpoint to be a URL such as https://host:port");
  }
  // Other S3-compatible stores need path-style URLs.
  const address =
    endpoint === null
      ? `https://${bucket}.s3.${region}.amazonaws.com`
      : `${endpoint.replace(/\/$/, "")}/${bucket}`;
  const path = pathname.replace(/^\//, "").replace(/\/$/, "");
  return { address, region, prefix: path === "" ? "" : `${path}/` };
}

/** A blob store of one server; `close` removes it if it is temporary. */
export interface OwnBlobs {
  readonly blobs: DiskBlobs;
  close(): Promise<void>;
}

/** The default blob store: a folder next to a SQLite database, otherwise a temporary folder. */
export function ownBlobs(databaseUrl: string): OwnBlobs {
  const path = /^sqlite:(?<path>(?!:memory:).+)$/s.exec(databaseUrl)?.groups?.["path"];
  if (path !== undefined) {
    return { blobs: new LocalBlobs(join(dirname(path), "blobs")), close: async () => undefined };
  }
  const folder = join(tmpdir(), `secplat-blobs-${randomUUID()}`);
  return {
    blobs: new LocalBlobs(folder),
    close: () => rm(folder, { recursive: true, force: true }),
  };
}

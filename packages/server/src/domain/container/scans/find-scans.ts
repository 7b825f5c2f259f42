import { where, type Predicate } from "@security-platform/fql";
import type { Context } from "../../../calls/context.ts";
import { errors } from "../../../foundation/errors.ts";
import type { Caller } from "../../../calls/call.ts";
import { scanNoun, scans, type Scan } from "./scans.ts";

/** How callers identify an image. */
export interface ImageReference {
  readonly registry?: string;
  readonly repository?: string;
  readonly tag?: string;
  readonly image_id?: string;
  readonly digest?: string;
  readonly architecture?: string;
}

export interface ScanCall {
  readonly caller: Caller;
  readonly context: Pick<Context, "store" | "blobs">;
  readonly now: Date;
}

/** Maximum number of images in the response of a check or look-up. */
const mostImages = 100;

/** The newest scan of each image that has the name, the latest first. 404 if there is none. */
export async function newestScans(
  { caller, context, now }: ScanCall,
  reference: ImageReference,
): Promise<readonly Scan[]> {
  const named = conditionOf(reference);
  const records = context.store.records(scans, { cid: caller.cid });
  const { items } = await records.page({
    predicate: where.all(named, where.equal("newest", true)),
    sort: [{ field: "scanned_at", direction: "desc" }],
    limit: mostImages,
    shape: "ids",
    now,
  });
  const scansById = await records.getComplete(items, now);
  if (items.length === 0) throw errors.recordsNotFound(scanNoun, [describe(reference)]);
  return items.flatMap((id) => scansById.get(id) ?? []);
}

/**
 * The newest scan of the image that a digest, an image id, or a repository and tag identify. 400
 * without any of them.
 */
export async function newestScan(call: ScanCall, reference: ImageReference): Promise<Scan> {
  const { digest, image_id, repository, tag } = reference;
  if (digest === undefined && image_id === undefined) {
    const problems = [
      ...(repository === undefined ? ["repository"] : []),
      ...(tag === undefined ? ["tag"] : []),
    ];
    if (problems.length > 0) {
      throw errors.invalidRequest(
        problems.map((name) => ({
          at: `query.${name}`,
          message: "is required without digest and image_id, which also identify an image",
        })),
      );
    }
  }
  const [scan] = await newestScans(call, reference);
  return scan as Scan;
}

function conditionOf(reference: ImageReference): Predicate {
  const { registry, repository, tag, image_id, digest, architecture } = reference;
  const equal = (field: string, value: string | undefined): Predicate =>
    value === undefined ? where.everything : where.equal(field, value);
  return where.all(
    registry === undefined ? where.everything : where.equalFolded("registry", hostOf(registry)),
    equal("repository", repository),
    equal("tag", tag),
    image_id === undefined ? where.everything : hasImageId(image_id),
    equal("architecture", architecture),
    digest === undefined
      ? where.everything
      : where.any(where.equal("image_digest", digest), where.equal("index_digest", digest)),
  );
}

/**
 * Scanners store the hash of an image's configuration with or without the name of the algorithm.
 */
export function hasImageId(imageId: string): Predicate {
  const hash = imageId.replace(/^sha256:/, "");
  return where.any(where.equal("image_id", hash), where.equal("image_id", `sha256:${hash}`));
}

/** Scanners store the host; callers may name it with a scheme. */
function hostOf(registry: string): string {
  return registry.replace(/^https?:\/\//i, "").replace(/\/$/, "");
}

function describe(reference: ImageReference): string {
  const { registry, repository = "", tag } = reference;
  const name = `${registry === undefined ? "" : `${hostOf(registry)}/`}${repository}${tag === undefined ? "" : `:${tag}`}`;
  return [name, reference.digest, reference.image_id, reference.architecture]
    .filter((part) => part !== undefined && part !== "")
    .join(" ");
}

import { createHash } from "node:crypto";
import type { Fields } from "@security-platform/fql";
import { where } from "@security-platform/fql";
import type { Resource, Transaction } from "../../../store/index.ts";
import type { ListedImage } from "./list-images.ts";

/**
 * `queued`: a job will assess the image. `waiting`: the next refresh creates one. `assessed`: its scans
 * are stored. `skipped`: it is not an image. `failed`: it could not be read; the next refresh tries again.
 */
export type AssessmentState = "queued" | "waiting" | "assessed" | "skipped" | "failed";

/** What the platform knows about an image of a registry. */
export interface RegistryImage extends ListedImage {
  readonly id: string;
  /** Id of the registry. */
  readonly registry: string;
  readonly state: AssessmentState;
  /** Why it was skipped or failed. */
  readonly reason: string | null;
  /** Digests of images that had one of the tags before; their scans are retired with the assessment. */
  readonly replaced: readonly string[];
}

const fields: Fields = { registry: { type: "string" } };

/** Images of registries, for the work of the platform. No operation returns them. */
export const registryImages: Resource<RegistryImage> = {
  name: "registry_images",
  collection: "container",
  fields,
  id: "id",
  indexes: ["registry"],
};

/** The kind of the jobs that assess images. */
export const assessKind = "images.assess";

/** Maximum number of tags of an image that are assessed, and of images that it replaces. */
const mostTags = 50;

export const imageIdOf = (registry: string, repository: string, digest: string): string =>
  createHash("sha256").update(`${registry}\n${repository}\n${digest}`).digest("hex");

/**
 * Stores which images a registry has, and enqueues a job for each new one and for each with a new tag.
 * `isComplete`: whether all others are gone.
 */
export async function followImages(
  transaction: Transaction,
  registry: string,
  listed: readonly ListedImage[],
  { isComplete, now }: { readonly isComplete: boolean; readonly now: Date },
): Promise<void> {
  const records = transaction.records(registryImages);
  const stored = await records.findForUpdate(where.equal("registry", registry), now);
  const byId = new Map(stored.map((each) => [each.id, each]));
  const holders = Map.groupBy(
    stored.flatMap((image) =>
      image.tags.map((tag) => ({ image, name: `${image.repository}:${tag}` })),
    ),
    ({ name }) => name,
  );
  const added: RegistryImage[] = [];
  const changed: RegistryImage[] = [];
  const due: string[] = [];
  for (const { repository, digest, tags: all } of listed) {
    const id = imageIdOf(registry, repository, digest);
    const tags = all.slice(0, mostTags);
    const before = byId.get(id);
    byId.delete(id);
    const state = nextState(before, tags);
    if (before?.state === state && String(before.tags) === String(tags)) continue;
    const former = tags
      .flatMap((tag) => holders.get(`${repository}:${tag}`) ?? [])
      .map((holder) => holder.image.digest);
    const open = before?.state === "assessed" ? [] : (before?.replaced ?? []);
    const others = new Set([...open, ...former].filter((each) => each !== digest));
    const replaced = [...others].slice(0, mostTags);
    const image = { id, registry, repository, digest, tags, state, reason: null, replaced };
    (before === undefined ? added : changed).push(image);
    if (state === "queued" && before?.state !== "queued") due.push(id);
  }
  if (added.length > 0) await records.insert(added, now);
  if (changed.length > 0) await records.replace(changed, now);
  // A queued job ends without its record.
  if (isComplete && byId.size > 0) await records.remove([...byId.keys()], now);
  for (const id of due) {
    await transaction.enqueue({ kind: assessKind, key: "images", payload: { id } }, now);
  }
}

function nextState(before: RegistryImage | undefined, tags: readonly string[]): AssessmentState {
  if (before?.state === "skipped") return "skipped";
  if (before?.state !== "assessed") return "queued";
  return tags.every((tag) => before.tags.includes(tag)) ? "assessed" : "queued";
}

/** Forgets the images of deleted registries; their jobs end when they notice. */
export async function forgetImages(
  transaction: Transaction,
  registryIds: readonly string[],
  now: Date,
): Promise<void> {
  const records = transaction.records(registryImages);
  const images = await records.findForUpdate(where.anyOf("registry", registryIds), now);
  if (images.length === 0) return;
  await records.remove(
    images.map(({ id }) => id),
    now,
  );
}

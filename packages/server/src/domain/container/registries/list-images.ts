import type { Outgoing } from "../../../outgoing/outgoing.ts";
import { digestOf, isDigest, manifestTypes } from "./manifest-types.ts";
import type { Listing, StoredRegistry } from "./registries.ts";
import {
  readObject,
  RegistryClient,
  RegistryError,
  unexpected,
  type SignInPair,
} from "./registry-client.ts";
import { uniqueUrl } from "./registry-url.ts";

/** Maximum number of repositories whose tags are listed in one refresh. */
const mostRepositories = 100;
/** Maximum number of pages of a list that are read in one refresh. */
const mostPages = 20;
/** Maximum number of tags that are assessed. */
const mostTags = 1_000;

/** An image of a registry: what the tags of a repository refer to. */
export interface ListedImage {
  readonly repository: string;
  /** Digest of its manifest, or of the index of its platforms. */
  readonly digest: string;
  readonly tags: readonly string[];
}

export interface Listed {
  readonly listing: Listing;
  readonly images: readonly ListedImage[];
}

/**
 * Connects to a registry and lists its images. Throws `RegistryError` or an error of the network.
 */
export async function listImages(
  registry: StoredRegistry,
  outgoing: Outgoing,
  signal?: AbortSignal,
): Promise<Listed> {
  const client = clientOf(registry, outgoing, signal);
  const ping = await client.get("/v2/");
  if (ping.status === 404) {
    throw new RegistryError("it responded to GET /v2/ with 404, so it is not a registry");
  }
  if (ping.status !== 200) throw unexpected("it", ping.status);
  const catalogue = await listOf(client, "/v2/_catalog?n=100", "repositories");
  // Public registries do not list their repositories.
  if (catalogue === null) {
    return { listing: { repositories: 0, tags: 0, complete: false }, images: [] };
  }
  const listed = catalogue.names.slice(0, mostRepositories);
  let tags = 0;
  let complete = catalogue.complete && listed.length === catalogue.names.length;
  const images: ListedImage[] = [];
  let isLimited = false;
  for (const repository of listed) {
    const path = `${repositoryPath(repository)}/tags/list?n=1000`;
    const tagList = await listOf(client, path, "tags");
    const names = tagList?.names ?? [];
    const assessed = isLimited ? [] : names.slice(0, Math.max(0, mostTags - tags));
    tags += names.length;
    complete &&= tagList?.complete === true && assessed.length === names.length;
    isLimited ||= await addImages(images, client, repository, assessed);
  }
  complete &&= !isLimited;
  return { listing: { repositories: catalogue.names.length, tags, complete }, images };
}

/** A client with the credential of the registry. Throws `RegistryError`. */
export const clientOf = (
  registry: StoredRegistry,
  outgoing: Outgoing,
  signal?: AbortSignal,
): RegistryClient =>
  new RegistryClient({
    outgoing,
    base: uniqueUrl(registry.url),
    signIn: signInOf(registry),
    ...(signal === undefined ? {} : { signal }),
  });

/** The path of a repository in the API of a registry. */
export const repositoryPath = (repository: string): string =>
  `/v2/${repository.split("/").map(encodeURIComponent).join("/")}`;

/**
 * Adds the images of a repository. Returns whether the registry allows no more requests for now; what it
 * has listed until then is assessed.
 */
async function addImages(
  images: ListedImage[],
  client: RegistryClient,
  repository: string,
  tags: readonly string[],
): Promise<boolean> {
  const tagsByDigest = new Map<string, string[]>();
  let isLimited = false;
  for (const tag of tags) {
    try {
      const digest = await digestOfTag(client, repository, tag);
      if (digest === null) continue;
      tagsByDigest.set(digest, [...(tagsByDigest.get(digest) ?? []), tag]);
    } catch (error) {
      const isKnown = error instanceof RegistryError && error.limited;
      if (!isKnown || images.length + tagsByDigest.size === 0) throw error;
      isLimited = true;
      break;
    }
  }
  images.push(...[...tagsByDigest].map(([digest, own]) => ({ repository, digest, tags: own })));
  return isLimited;
}

/** Null if the tag has been deleted, or if the credential does not give access. */
async function digestOfTag(
  client: RegistryClient,
  repository: string,
  tag: string,
): Promise<string | null> {
  const path = `${repositoryPath(repository)}/manifests/${encodeURIComponent(tag)}`;
  const head = await client.head(path, manifestTypes).catch(refusedAsNull);
  if (head === null) return null;
  if ([401, 403, 404].includes(head.status)) return null;
  if (head.status !== 200) throw unexpected("it", head.status);
  const named = head.headers["docker-content-digest"];
  if (typeof named === "string" && isDigest(named)) return named;
  const { status, body } = await client.get(path, manifestTypes);
  if (status !== 200) throw unexpected("it", status);
  return digestOf(body);
}

interface Names {
  readonly names: readonly string[];
  readonly complete: boolean;
}

/** The credential may be valid for `/v2/`, but not for a list or a repository. */
function refusedAsNull(error: unknown): null {
  if (error instanceof RegistryError && !error.temporary) return null;
  throw error;
}

/** All pages of a list; null if the registry does not provide it. */
async function listOf(
  client: RegistryClient,
  path: string,
  member: "repositories" | "tags",
): Promise<Names | null> {
  const names: string[] = [];
  let next: string | null = path;
  for (let page = 0; page < mostPages && next !== null; page += 1) {
    const response = await client.get(next).catch(refusedAsNull);
    if (response === null || [401, 403, 404, 405].includes(response.status)) {
      return page === 0 ? null : { names, complete: false };
    }
    if (response.status !== 200) throw unexpected("it", response.status);
    const entries = readObject(response.body)[member];
    if (Array.isArray(entries)) names.push(...entries.filter((name) => typeof name === "string"));
    next = nextPath(response.headers.link);
  }
  return { names, complete: next === null };
}

/**
 * The path of the next page in a `Link` header. It must be a path of the API; a host in the header
 * is ignored.
 */
function nextPath(header: string | string[] | undefined): string | null {
  const link = /<(?<url>[^<>]+)>[ \t]*;[^,<]*rel="?next"?/i.exec(String(header ?? ""))?.groups?.[
    "url"
  ];
  const path = link === undefined ? null : /\/v2\/.*$/s.exec(link)?.[0];
  return path ?? null;
}

/** User name and password of a registry; null without a credential. Throws `RegistryError`. */
function signInOf({ type, credential, secrets }: StoredRegistry): SignInPair | null {
  if (credential === undefined) return null;
  const { username } = credential.details;
  const { password, service_account_json: account } = secrets ?? {};
  if (username !== undefined && password !== undefined) return { username, password };
  // The user name with which Google's registries accept the key of a service account.
  if (account !== undefined) {
    return { username: "_json_key", password: JSON.stringify(account) };
  }
  throw new RegistryError(
    type === "ecr"
      ? "this server has no AWS identity that could assume the role of the credential"
      : "this server cannot sign in with a certificate; use a user name and a password",
  );
}

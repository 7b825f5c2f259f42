import type { components } from "@security-platform/spec";
import type { Context } from "../../../calls/context.ts";
import { errors, type Problem } from "../../../foundation/errors.ts";
import { newUuid } from "../../../foundation/identifiers.ts";
import { write, type WritingCall, type Writing } from "../../../records/write.ts";
import type { RecordText } from "../../../store/index.ts";
import { credentialProblems, describeCredential, needsCredential } from "./credential-rules.ts";
import { newCredential } from "./credentials.ts";
import {
  nextRefresh,
  refreshInterval,
  registries,
  registryInOrder,
  registryNoun,
  uniqueKeyOf,
  type StoredRegistry,
} from "./registries.ts";
import { forgetImages } from "./registry-images.ts";
import { hostOf, registryUrlProblems } from "./registry-url.ts";

type Schemas = components["schemas"];

interface Call extends WritingCall {
  readonly context: Pick<Context, "store" | "outgoing">;
}

/** Adds a registry, which is contacted after the response. */
export async function createRegistry(
  call: Call,
  body: Schemas["RegistryCreateRequest"],
): Promise<RecordText> {
  const { type, url, credential, url_uniqueness_key, user_defined_alias = "" } = body;
  const problems = [
    ...(await registryUrlProblems(url, "body.url", call.context.outgoing)),
    ...createdCredentialProblems(body),
  ];
  if (problems.length > 0) throw errors.invalidRequest(problems);
  const { now } = call;
  const at = now.toISOString();
  const registry = registryInOrder({
    id: newUuid(),
    type,
    url,
    url_uniqueness_alias: url_uniqueness_key ?? hostOf(url),
    user_defined_alias,
    credential: undefined,
    state: "pending",
    state_changed_at: at,
    refresh_interval: refreshInterval,
    last_refreshed_at: null,
    next_refresh_at: nextRefresh(now),
    created_at: at,
    updated_at: at,
    secrets: undefined,
    reason: undefined,
    listing: undefined,
    contact_at: at,
    ...(credential === undefined ? {} : newCredential(type, credential.details, undefined, now)),
  });
  return write(call, async (writing) => {
    await refuseDuplicate(writing, registry);
    const [text = ""] = await writing.records(registries).insert([registry]);
    return text;
  });
}

function createdCredentialProblems({
  type,
  credential,
}: Schemas["RegistryCreateRequest"]): readonly Problem[] {
  if (credential !== undefined) {
    return credentialProblems(type, credential.details, "body.credential.details");
  }
  if (!needsCredential(type)) return [];
  const message = `is missing; a credential of type ${type} has ${describeCredential(type)}`;
  return [{ at: "body.credential", message }];
}

async function refuseDuplicate(writing: Writing, registry: StoredRegistry): Promise<void> {
  const { url, url_uniqueness_alias: alias } = registry;
  const key = uniqueKeyOf(url, alias);
  const { stored } = writing.records(registries);
  const id = (await stored.findDuplicates([key])).get(key);
  if (id === undefined) return;
  const message =
    `the registry ${id} has the same URL and uniqueness key; ` +
    "send another url_uniqueness_key, or update that registry";
  throw errors.conflict([{ at: "body.url", id, message }]);
}

/** Changes the members in the body. */
export async function updateRegistry(
  call: Call,
  id: string,
  body: Schemas["RegistryUpdateRequest"],
): Promise<RecordText> {
  return write(call, async (writing) => {
    const records = writing.records(registries);
    const [before] = await records.getForUpdate([id], registryNoun);
    if (before === undefined) throw errors.recordsNotFound(registryNoun, [id]);
    const problems = updateProblems(before, body);
    if (problems.length > 0) throw errors.invalidRequest(problems);
    const after = changedRegistry(before, body, call.now);
    if (after !== before) return (await records.replace([after]))[0] ?? "";
    return (await records.stored.get([id], call.now)).get(id) ?? "";
  });
}

function updateProblems(
  { type }: StoredRegistry,
  { credential }: Schemas["RegistryUpdateRequest"],
): readonly Problem[] {
  if (credential === undefined) return [];
  const place = "body.credential";
  if (credential.type !== undefined && credential.type !== type) {
    const message = `is ${credential.type}; the registry is of type ${type}, which cannot be changed`;
    return [{ at: `${place}.type`, message }];
  }
  return credentialProblems(type, credential.details, `${place}.details`);
}

/** The registry itself if nothing changes. */
function changedRegistry(
  before: StoredRegistry,
  { credential, state, user_defined_alias }: Schemas["RegistryUpdateRequest"],
  now: Date,
): StoredRegistry {
  const at = now.toISOString();
  let after = before;
  if (user_defined_alias !== undefined && user_defined_alias !== before.user_defined_alias) {
    after = { ...after, user_defined_alias };
  }
  if (credential !== undefined) {
    const { type } = before;
    after = { ...after, ...newCredential(type, credential.details, before.credential, now) };
    // The platform contacts the registry with it, unless the registry is paused.
    if (after.state !== "paused") after = { ...after, contact_at: at };
  }
  if (state === "pause" && after.state !== "paused") {
    const { contact_at: _contact, ...rest } = after;
    after = { ...rest, state: "paused", state_changed_at: at, next_refresh_at: null };
  }
  if (state === "resume" && after.state === "paused") {
    const resumed = after.last_refreshed_at === null ? "pending" : "active";
    const next_refresh_at = nextRefresh(now);
    after = { ...after, state: resumed, state_changed_at: at, next_refresh_at, contact_at: at };
  }
  return after === before
    ? before
    : registryInOrder({ ...after, updated_at: at } as StoredRegistry);
}

/** Deletes all registries or none; returns them as they were. */
export function deleteRegistries(
  call: Call,
  ids: readonly string[],
): Promise<readonly RecordText[]> {
  const distinctIds = [...new Set(ids)];
  return write(call, async (writing) => {
    const records = writing.records(registries);
    await records.getForUpdate(distinctIds, registryNoun);
    const texts = await records.stored.get(distinctIds, call.now);
    await records.remove(distinctIds);
    await forgetImages(writing.transaction, distinctIds, writing.now);
    return distinctIds.flatMap((id) => texts.get(id) ?? []);
  });
}

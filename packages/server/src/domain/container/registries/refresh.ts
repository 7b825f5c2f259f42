import type { JobKind } from "../../../jobs/job-kind.ts";
import { OutgoingRefusedError, type Outgoing } from "../../../outgoing/outgoing.ts";
import { writeWithin } from "../../../records/write.ts";
import { dueAt, dueKind, type Store, type Transaction } from "../../../store/index.ts";
import { listImages, type Listed } from "./list-images.ts";
import { nextRefresh, registries, registryInOrder, type StoredRegistry } from "./registries.ts";
import { RegistryError } from "./registry-client.ts";
import { followImages } from "./registry-images.ts";

type Payload = { readonly id: string };

/** The outcome of contacting a registry. */
type Outcome =
  | { readonly kind: "listed"; readonly listed: Listed }
  | { readonly kind: "failed"; readonly reason: string; readonly rejected: boolean }
  /** A further attempt may succeed soon. */
  | { readonly kind: "unreachable"; readonly reason: string };

/** Maximum number of attempts. With the pauses between them, they take a little over an hour. */
const attempts = 10;

/**
 * Contacts a registry when its refresh is due. If the registry cannot be reached, the job is
 * retried. After the last attempt, the next regular refresh tries again.
 */
export const refreshRegistries = (store: Store, outgoing: Outgoing): JobKind<Payload> => ({
  name: dueKind(registries, "refresh"),
  attempts,
  run: async ({ payload: { id }, cid, now, dueAt: instant, attempt, signal, write }) => {
    const registry = (await store.records(registries, { cid }).getComplete([id], now)).get(id);
    if (registry === undefined || !isDue(registry, instant)) return;
    const outcome = await contact(registry, outgoing, signal);
    const isLast = outcome.kind === "unreachable" && attempt >= attempts;
    const final: Outcome = isLast ? { ...outcome, kind: "failed", rejected: false } : outcome;
    const change = async (transaction: Transaction): Promise<void> => {
      const isChanged = await changeAt(transaction, id, instant, now, (before) =>
        after(before, final, now),
      );
      if (!isChanged || final.kind !== "listed") return;
      const { images, listing } = final.listed;
      await followImages(transaction, id, images, { isComplete: listing.complete, now });
    };
    if (final.kind !== "unreachable") return { commit: change };
    await write(change);
    throw new Error(final.reason);
  },
  // Only if a process ended during each of the attempts.
  gaveUp: async ({ payload: { id }, now }, transaction) => {
    const registry = (await transaction.records(registries).getForUpdate([id])).get(id);
    const due = registry === undefined ? null : dueAt(registries, "refresh", registry);
    if (due === null || due > now.toISOString()) return;
    await changeAt(transaction, id, new Date(due), now, (before) => contacted(before, now));
  },
});

/** Whether the refresh is still due: the registry may have been paused in the meantime. */
const isDue = (registry: StoredRegistry, instant: Date): boolean =>
  dueAt(registries, "refresh", registry) === instant.toISOString();

async function contact(
  registry: StoredRegistry,
  outgoing: Outgoing,
  signal: AbortSignal,
): Promise<Outcome> {
  try {
    return { kind: "listed", listed: await listImages(registry, outgoing, signal) };
  } catch (error) {
    signal.throwIfAborted();
    if (error instanceof RegistryError && !error.temporary) {
      return { kind: "failed", reason: error.message, rejected: error.rejected };
    }
    if (error instanceof OutgoingRefusedError) {
      return { kind: "failed", reason: error.message, rejected: false };
    }
    const { message, code } = error as NodeJS.ErrnoException;
    const isKnown = error instanceof RegistryError;
    return {
      kind: "unreachable",
      reason: isKnown ? message : `it cannot be reached: ${message || code || "unknown error"}`,
    };
  }
}

/** Whether the registry was changed. */
async function changeAt(
  transaction: Transaction,
  id: string,
  instant: Date,
  now: Date,
  change: (before: StoredRegistry) => StoredRegistry,
): Promise<boolean> {
  const before = (await transaction.records(registries).getForUpdate([id])).get(id);
  if (before === undefined || !isDue(before, instant)) return false;
  const changed = change(before);
  if (changed === before) return false;
  const { cid } = transaction;
  await writeWithin(transaction, { cid, name: "registries refresh", now }, async (writing) => {
    await writing.records(registries).replace([registryInOrder(changed)]);
  });
  return true;
}

/** The registry after an outcome. A registry that remains unreachable does not change. */
function after(before: StoredRegistry, outcome: Outcome, now: Date): StoredRegistry {
  const at = now.toISOString();
  const { reason: _reason, ...rest } =
    outcome.kind === "unreachable" ? before : contacted(before, now);
  if (outcome.kind === "listed") {
    return {
      ...rest,
      ...inState("active", before, at),
      listing: outcome.listed.listing,
      last_refreshed_at: at,
      updated_at: at,
    };
  }
  const { reason } = outcome;
  const failed = { ...rest, ...inState("error", before, at), reason, updated_at: at };
  if (outcome.kind === "unreachable") {
    return before.state === "error" && before.reason === reason ? before : failed;
  }
  const { credential } = before;
  return {
    ...failed,
    ...(credential !== undefined && outcome.rejected && !credential.expired
      ? { credential: { ...credential, expired: true, expired_at: at } }
      : {}),
  };
}

/** The registry with the time of its next regular refresh, after a contact that succeeded or failed. */
function contacted(before: StoredRegistry, now: Date): StoredRegistry {
  const { contact_at, ...rest } = before;
  const { next_refresh_at } = before;
  const isExtra = contact_at !== undefined && next_refresh_at !== null;
  // A contact may come late, after the regular refresh that followed it.
  const isAhead = isExtra && next_refresh_at > now.toISOString();
  return isAhead ? rest : { ...rest, next_refresh_at: nextRefresh(now) };
}

const inState = (
  state: StoredRegistry["state"],
  before: StoredRegistry,
  at: string,
): Pick<StoredRegistry, "state" | "state_changed_at"> => ({
  state,
  state_changed_at: before.state === state ? before.state_changed_at : at,
});

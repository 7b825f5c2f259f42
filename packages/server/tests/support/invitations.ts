import { foldCase } from "@security-platform/fql";
import type { components } from "@security-platform/spec";
import { expect } from "vitest";
import { outbox, type Mail } from "../../src/mail/outbox.ts";
import { platformCid } from "../../src/store/types/types.ts";
import { paths, type Session, type User } from "./users.ts";
import type { ErrorBody } from "./session.ts";

export type Invitation = components["schemas"]["Invitation"];

export const actions = "/user-management/entities/user-role-actions/v2";
export const query = "/user-management/queries/user-invitations/v1";
export const get = "/user-management/entities/user-invitations/GET/v1";

/** The response of `userRolesActionV2`; default: for the session's tenant. */
export const ask = (api: Session, uuid: string, role_ids: readonly string[], more: object = {}) =>
  api.request<ErrorBody & { meta: { writes: { resources_affected: number } } }>("POST", actions, {
    body: { action: "grant", cid: api.tenant.cid, uuid, role_ids, ...more },
  });

export const invited = async (
  api: Session,
  uuid: string,
  role_ids: readonly string[],
  more?: object,
): Promise<Invitation> => {
  const answer = await ask(api, uuid, role_ids, more);
  expect(answer.status, answer.text).toBe(200);
  const [newest] = await list(api, { sort: "created_at|desc", filter: "status:'pending'" });
  if (newest === undefined) throw new Error("there is no pending invitation");
  return newest;
};

export async function list(
  api: Session,
  parameters: Readonly<Record<string, string>> = { sort: "created_at" },
): Promise<readonly Invitation[]> {
  const ids = await api.request<readonly string[]>("GET", query, { query: parameters });
  expect(ids.status, ids.text).toBe(200);
  if (ids.body.length === 0) return [];
  const answer = await api.request<readonly Invitation[]>("POST", get, { body: { ids: ids.body } });
  expect(answer.status, answer.text).toBe(200);
  return answer.body;
}

export async function mailsTo({ store, clock }: Session, to: string): Promise<readonly Mail[]> {
  const mails: Mail[] = [];
  const predicate = { kind: "equal", field: "to", value: foldCase(to), fold: true } as const;
  const records = store.records(outbox, { cid: platformCid });
  for await (const batch of records.scanComplete(predicate, clock.now())) mails.push(...batch);
  return mails;
}

export const heldBy = async (api: Session, { uuid }: Pick<User, "uuid">) => {
  const answer = await api.request<readonly components["schemas"]["GrantV2"][]>(
    "GET",
    paths.grants3,
    { query: { user_uuid: uuid } },
  );
  return answer.status === 200 ? answer.body.map(({ role_id }) => role_id) : answer.status;
};

import { expect } from "vitest";
import { createClient } from "../../src/access/clients.ts";
import {
  accessTags,
  newAccessTag,
} from "../../src/domain/case-management/access-tags/access-tags.ts";
import { allScopes, type Answer, type TestApi } from "./api.ts";
import { filePaths, formOf } from "./case-files.ts";
import { paths } from "./cases.ts";

type Hidden = Readonly<{ id: string }>;

/** Cases and files that have an access tag, and a user who may do the same as the client but does not hold the tag. */
export async function hiddenFromUser(api: TestApi): Promise<{
  readonly limitedUser: { readonly clientId: string; readonly clientSecret: string };
  readonly records: Readonly<Record<"hidden-cases" | "hidden-case-files", readonly Hidden[]>>;
}> {
  const call = async <Body>(method: string, path: string, body: unknown): Promise<Body> => {
    const answer: Answer<Body> = await api.request(method, path, { body });
    expect(answer.status, answer.text).toBeLessThan(300);
    return answer.body;
  };
  const { store, clock, tenant, client } = api;
  const { cid } = tenant;
  const key = "CONTRACT";
  const tag = { ...newAccessTag(key, cid, ""), holders: [client.client_id] };
  await store.write(cid, (transaction) =>
    transaction.records(accessTags).insert([tag], clock.now()),
  );
  const cases: Hidden[] = [];
  const files: Hidden[] = [];
  for (const name of ["hidden 0", "hidden 1"]) {
    const body = { name, severity: 10, access_tags: [{ key }] };
    const [created] = await call<readonly Hidden[]>("PUT", paths.cases, body);
    if (created === undefined) continue;
    cases.push(created);
    files.push(...(await call<readonly Hidden[]>("POST", filePaths.upload, formOf(created.id))));
  }
  const uid = "limited@known.example";
  const user = { uid, password: "Quiet-harbour-1897" };
  const [created] = await call<readonly { uuid: string }[]>("POST", paths.users, user);
  const uuid = created?.uuid ?? "";
  const grant = { action: "grant", cid, uuid, role_ids: ["falconhost_analyst"] };
  await call("POST", paths.roles, grant);
  const { client_id, client_secret } = await createClient(store.directory, clock, {
    cid,
    name: "limited",
    scopes: allScopes,
    user_uuid: uuid,
  });
  return {
    limitedUser: { clientId: client_id, clientSecret: client_secret },
    records: { "hidden-cases": cases, "hidden-case-files": files },
  };
}

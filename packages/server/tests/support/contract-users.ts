import type { components } from "@security-platform/spec";
import { expect } from "vitest";
import type { Answer, TestApi } from "./api.ts";

type Schemas = components["schemas"];

/**
 * Records that no operation creates directly: the only administrator, and invitations of another
 * tenant's users.
 */
export async function administratorAndInvitations(api: TestApi, other: { readonly token: string }) {
  const call = async <Body>(path: string, body: object, token = api.token): Promise<Body> => {
    const answer: Answer<Body> = await api.request("POST", path, { token, body });
    expect(answer.status, answer.text).toBeLessThan(300);
    return answer.body;
  };
  const newUser = async (uid: string, token?: string) => {
    const body = { uid, password: "Quiet-harbour-1897" };
    const [user] = await call<Schemas["User"][]>("/user-management/entities/users/v1", body, token);
    return user?.uuid ?? "";
  };
  const { cid } = api.tenant;
  const grant = (uuid: string, role_ids: readonly string[]) =>
    call("/user-management/entities/user-role-actions/v2", {
      action: "grant",
      cid,
      uuid,
      role_ids,
    });
  const uuid = await newUser("administrator@known.example");
  await grant(uuid, ["falconhost_admin"]);
  for (let number = 0; number < 5; number += 1) {
    const uid = `invited-${number}@partner.example`;
    await newUser(uid, other.token);
    await grant(uid, ["help_desk"]);
  }
  const ids = await api.request<readonly string[]>(
    "GET",
    "/user-management/queries/user-invitations/v1",
  );
  const invitations = await call<readonly Schemas["Invitation"][]>(
    "/user-management/entities/user-invitations/GET/v1",
    { ids: ids.body },
  );
  return { administrators: [{ uuid, cid }], invitations };
}

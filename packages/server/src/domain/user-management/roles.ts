import { roleDefinition, roleDefinitions, type Role } from "../../catalogue/roles.ts";
import { errors } from "../../errors.ts";
import type { Answer } from "../../http/handler.ts";

/** How one is called in messages. */
export const roleNoun = "role";

/** Ids of the roles that every tenant has, in text order. */
export const roleIds: readonly string[] = roleDefinitions.map(({ role }) => role.id);

/** Roles by id in the order asked, each once; 404 that names the missing ones and carries the others. */
export function rolesById(asked: readonly string[], view: (role: Role) => object): Answer {
  const ids = [...new Set(asked)];
  const records = ids.flatMap((id) => {
    const definition = roleDefinition(id);
    return definition === undefined ? [] : [JSON.stringify(view(definition.role))];
  });
  if (records.length === ids.length) return { kind: "records", records };
  const missing = ids.filter((id) => roleDefinition(id) === undefined);
  throw errors.recordsNotFound(roleNoun, missing, records);
}

import { operations } from "@security-platform/spec";
import { expect, test } from "vitest";
import { roleDefinition, roleDefinitions, roleName } from "./roles.ts";

const scopes = new Set(operations().flatMap(({ scope }) => scope ?? []));

test("every permission of a role is a scope of the document", () => {
  const strange = roleDefinitions.flatMap(({ permissions }) =>
    [...permissions].filter((permission) => !scopes.has(permission)),
  );
  expect(strange).toEqual([]);
});

test("a role that can change records can also read them", () => {
  const blind = roleDefinitions.flatMap(({ role, permissions }) =>
    [...permissions]
      .filter((permission) => permission.endsWith(":write"))
      .map((permission) => permission.replace(/:write$/, ":read"))
      .filter((read) => scopes.has(read) && !permissions.has(read))
      .map((read) => `${role.id} ${read}`),
  );
  expect(blind).toEqual([]);
});

test("read-only roles change nothing, and only the administrator's role allows everything", () => {
  for (const { role, permissions } of roleDefinitions) {
    const writes = [...permissions].filter((permission) => permission.endsWith(":write"));
    if (role.id.includes("read_only")) expect(writes, role.id).toEqual([]);
    if (role.id !== "falconhost_admin") expect(permissions.size).toBeLessThan(scopes.size);
  }
  expect(roleDefinition("falconhost_admin")?.permissions).toEqual(scopes);
});

test("a role with actions on users has the scope for them", () => {
  for (const { role, permissions, actions } of roleDefinitions) {
    expect(permissions.has("user-management:write"), role.id).toBe(actions.size > 0);
  }
});

test("roles are sorted by id, without duplicates, each with its own name and description", () => {
  const ids = roleDefinitions.map(({ role }) => role.id);
  expect(ids).toEqual([...new Set(ids)].toSorted());
  expect(new Set(roleDefinitions.map(({ role }) => role.display_name)).size).toBe(ids.length);
  expect(new Set(roleDefinitions.map(({ role }) => role.description)).size).toBe(ids.length);
});

test("names of known and unknown roles", () => {
  expect(roleName("falconhost_analyst")).toBe("Falcon Analyst");
  expect(roleName("gone")).toBe("gone");
});

import { foldCase, nearest } from "@security-platform/fql";
import { everyAction, everyScope, roleDefinitions, type ActionName } from "../access/roles.ts";
import { customRoles, type CustomRole } from "../access/tenant-roles.ts";
import { groupId } from "./group-id.ts";
import type { Importer, LineProblem } from "./kind.ts";

interface Line {
  readonly id?: string;
  readonly display_name: string;
  readonly description: string;
  /** Scopes and actions. */
  readonly permissions: readonly string[];
}

const scopes = new Set(everyScope);
const actions: ReadonlySet<string> = new Set(everyAction);
const isAction = (permission: string): permission is ActionName => actions.has(permission);
const managing = "user-management:write";
const usedNames = new Set(roleDefinitions.map(({ role }) => foldCase(role.display_name)));

/** Imports roles of the tenant, one per line. Changes apply to their holders at once. */
export const roleImporter: Importer<Line, CustomRole> = {
  resource: customRoles,
  shared: true,
  read: ({ id: ownId, display_name, description, permissions }, { cid }) => {
    const id = ownId ?? groupId(cid, customRoles.name, display_name);
    const problems = [...nameProblems(display_name), ...permissionProblems(permissions)];
    if (problems.length > 0) return { problems };
    return {
      record: {
        id,
        cid,
        display_name,
        description,
        scopes: permissions.filter((permission) => scopes.has(permission)),
        actions: permissions.filter(isAction),
      },
    };
  },
};

const nameProblems = (name: string): readonly LineProblem[] =>
  usedNames.has(foldCase(name))
    ? [{ at: "display_name", message: `${name} is the name of a built-in role; choose another` }]
    : [];

function permissionProblems(permissions: readonly string[]): readonly LineProblem[] {
  const unknown = permissions.flatMap((permission, index): readonly LineProblem[] => {
    if (scopes.has(permission) || actions.has(permission)) return [];
    const near = nearest(permission, [...scopes, ...actions]);
    const hint = near === undefined ? "" : `; did you mean ${near}?`;
    return [
      {
        at: `permissions[${index}]`,
        message: `${permission} is neither a scope nor an action${hint}`,
      },
    ];
  });
  const idle = permissions.find(isAction);
  return idle === undefined || permissions.includes(managing)
    ? unknown
    : [...unknown, { at: "permissions", message: `${idle} also requires ${managing}` }];
}

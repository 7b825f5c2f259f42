import type { Groups } from "../fault.ts";

export const accessFaults: Groups = {
  scopes: [
    {
      breaks: "a token without the scope of an operation may call it",
      file: "packages/server/src/access/authorize.ts",
      text: "if (!scopes.includes(scope)) throw",
      replacement: "if (scopes.length < 0) throw",
      tests: ["packages/server/tests/http-access.test.ts"],
    },
    {
      breaks: "a user whose roles lack the scope may call an operation",
      file: "packages/server/src/access/authorize.ts",
      text: "if (user === undefined || user.scopes.has(scope)) return;",
      replacement: "if (user === undefined || user.scopes.size >= 0) return;",
      tests: ["packages/server/tests/permissions-acting.test.ts"],
    },
    {
      breaks: "a user without the permission may act on users",
      file: "packages/server/src/access/authorize.ts",
      text: "if (!permissions.actions.has(action)) throw",
      replacement: "if (permissions.actions.size < 0) throw",
      tests: ["packages/server/tests/permissions-acting.test.ts"],
    },
    {
      breaks: "a user reads another tenant without a role there",
      file: "packages/server/src/access/authorize.ts",
      text: "if (!scopes.has(scope)) {",
      replacement: "if (scopes.size < 0) {",
      tests: ["packages/server/tests/permissions-acting.test.ts"],
    },
    {
      breaks: "a user grants a role with more permissions than its own",
      file: "packages/server/src/access/authorize.ts",
      text: "const missing = role && permissionNotHeld(role, permissions);",
      replacement: "const missing = role && undefined;",
      tests: [
        "packages/server/tests/permissions-acting.test.ts",
        "packages/server/tests/roles-custom.test.ts",
      ],
    },
    {
      breaks: "a token is granted a scope that its client lacks",
      file: "packages/server/src/access/tokens.ts",
      text: "if (denied.length === 0 && scopes.length > 0) return scopes;",
      replacement: "if (scopes.length > 0) return scopes;",
      tests: ["packages/server/tests/http-access.test.ts"],
    },
  ],
  tenants: [
    {
      breaks: "a client gets a token for a tenant that is no child",
      file: "packages/server/src/access/tokens.ts",
      text: "if (ancestors.some((tenant) => tenant.cid === client.cid)) return;",
      replacement: "if (ancestors.length >= 0) return;",
      tests: ["packages/server/tests/http-access.test.ts"],
    },
    {
      breaks: "a user without a role in a child tenant gets a token for it",
      file: "packages/server/src/access/tokens.ts",
      text: "if (cid === own || user.roles.length > 0) return;",
      replacement: "if (cid === own || user.roles.length >= 0) return;",
      tests: ["packages/server/tests/permissions-acting.test.ts"],
    },
    {
      breaks: "a tenant group grants roles to user groups of other tenants",
      file: "packages/server/src/access/effective-grants.ts",
      text: "id === user_group_id && cid === group.cid",
      replacement: 'id === user_group_id && cid !== ""',
      tests: [
        "packages/server/tests/companion-groups.test.ts",
        "packages/server/tests/invitations-tenants.test.ts",
        "packages/server/tests/users-grants.test.ts",
      ],
    },
    {
      breaks: "a cursor of another tenant is accepted",
      file: "packages/server/src/records/cursor-question.ts",
      text: "JSON.stringify([cid, ...parts])",
      replacement: "JSON.stringify([cid.length, ...parts])",
      tests: ["packages/server/tests/ioc-search.test.ts"],
    },
    {
      breaks: "tenants share idempotency keys",
      file: "packages/server/src/http/requests/idempotency.ts",
      text: "const hash = hashOf([caller?.cid, caller?.clientId, key]);\n    const fingerprint",
      replacement: "const hash = hashOf([key]);\n    const fingerprint",
      tests: ["packages/server/tests/idempotency-keys.test.ts"],
    },
  ],
  expiry: [
    {
      breaks: "a revoked token is accepted from the cache",
      file: "packages/server/src/access/tokens.ts",
      text: "      this.#bearers.clear();\n      this.#version = version;",
      replacement: "      this.#version = version;",
      tests: ["packages/server/tests/http-access.test.ts"],
    },
    {
      breaks: "a client's secret is valid at the instant of its expiry",
      file: "packages/server/src/access/tokens.ts",
      text: "expires_at === null || expires_at > now",
      replacement: "expires_at === null || expires_at >= now",
      tests: [
        "packages/server/tests/http-access.test.ts",
        "packages/server/tests/store-tokens.test.ts",
      ],
    },
    {
      breaks: "a token is valid at the instant of its expiry",
      file: "packages/server/src/http/requests/authenticate.ts",
      text: "if (bearer.until <= now.getTime())",
      replacement: "if (bearer.until < now.getTime())",
      tests: ["packages/server/tests/http-access.test.ts"],
    },
    {
      breaks: "a grant is valid at the instant of its expiry",
      file: "packages/server/src/access/effective-grants.ts",
      text: "Date.parse(expires_at) > now.getTime()",
      replacement: "Date.parse(expires_at) >= now.getTime()",
      tests: ["packages/server/tests/users-grants.test.ts"],
    },
    {
      breaks: "a cached user keeps a role whose grant has expired",
      file: "packages/server/src/access/permissions.ts",
      text: "cached !== undefined && now.getTime() < cached.until",
      replacement: "cached !== undefined",
      tests: [
        "packages/server/tests/permissions-acting.test.ts",
        "packages/server/tests/users-grants.test.ts",
      ],
    },
    {
      breaks: "an inactive user keeps its permissions",
      file: "packages/server/src/access/permissions.ts",
      text: 'if (user === undefined || user.status !== "active") return null;',
      replacement: "if (user === undefined) return null;",
      tests: ["packages/server/tests/permissions-acting.test.ts"],
    },
  ],
};

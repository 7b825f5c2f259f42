import { ConflictError, ServerError } from "@security-platform/client";
import { expect, test } from "vitest";
import type { Api, ApiRecord } from "./api.ts";
import { applyPlan } from "./apply-plan.ts";
import { kindNamed, Names, type TenantRecord } from "./read-tenant.ts";

const kind = kindNamed("identity-protection-rules");
const fields = { name: "Second factor", action: "MFA", trigger: "access", simulation_mode: false };
const record: TenantRecord = { kind, label: fields.name, id: "old", record: {}, fields };

/** Applies a replacement whose deletion of the old rule fails. Returns the ids that remain. */
async function remaining(refusal: Error): Promise<readonly string[]> {
  const ids = new Set(["old"]);
  const call = async (operationId: string, input: Readonly<Record<string, unknown>>) => {
    if (operationId === "post_policy_rules") {
      ids.add("new");
      return [{ ...fields, id: "new" } satisfies ApiRecord];
    }
    const [id = ""] = input["ids"] as readonly string[];
    if (id === "old") throw refusal;
    ids.delete(id);
    return [];
  };
  const plan = {
    changes: [
      {
        action: "replace",
        kind,
        label: record.label,
        file: { kind, label: record.label, path: "a.yaml", lineOf: () => 1, fields, content: {} },
        record,
        wanted: fields,
        differences: [],
      },
    ],
    unchanged: 0,
    kept: [],
  } as const;
  const target = {
    api: { call } as unknown as Api,
    tenant: { records: new Map(), names: new Names(new Map()), usersOf: () => [] },
    environment: {},
  };
  await expect(applyPlan(plan, target, () => undefined)).rejects.toThrow(
    "0 of 1 changes made; import again to make the others",
  );
  return [...ids];
}

const failure = {
  operationId: "delete_policy_rules",
  method: "DELETE",
  path: "/identity-protection/entities/policy-rules/v1",
  attempts: 1,
  mayHaveActed: false,
  remedy: "",
} as const;
const refused = (status: number) => ({
  status,
  errors: [{ code: status, message: "no" }],
  traceId: undefined,
  rateLimit: undefined,
  retryAfterSeconds: undefined,
});

test("a replacement leaves no second record if the old one cannot be deleted", async () => {
  expect(await remaining(new ConflictError(failure, refused(409)))).toEqual(["old"]);
});

test("a replacement keeps both records if nobody knows whether the old one was deleted", async () => {
  expect(await remaining(new ServerError(failure, refused(500)))).toEqual(["old", "new"]);
});

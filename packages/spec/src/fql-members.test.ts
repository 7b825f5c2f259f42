import type { Field, Fields } from "@security-platform/fql";
import { describe, expect, test } from "vitest";
import { mergedSchema, type MergedSchema } from "./errata/testing/merged-schema.ts";
import { completeDocument, fqlTables, type JsonSchema } from "./index.ts";

/** The record with the fields of a resource. No operation returns executions or images. */
const records: Readonly<Record<string, string>> = {
  "access-tags": "AccessTag",
  "case-fields": "CaseField",
  "case-templates": "CaseTemplate",
  cases: "Case",
  classifications: "Classification",
  "cloud-applications": "CloudApplication",
  "content-patterns": "ContentPattern",
  "data-protection-policies": "DataProtectionPolicy",
  downloads: "DownloadFileInfo",
  "enterprise-accounts": "EnterpriseAccount",
  "export-jobs": "ExportJob",
  "file-details": "FileDetail",
  "file-types": "DataProtectionFileType",
  grants: "GrantV2",
  "host-groups": "HostGroupDetails",
  hosts: "HostMember",
  indicators: "Indicator",
  "internal-users": "User",
  invitations: "Invitation",
  "ioa-exclusions": "IoaExclusion",
  "local-application-groups": "LocalApplicationGroup",
  "local-applications": "LocalApplication",
  "notification-groups": "NotificationGroup",
  "policies.image-prevention": "ImagePolicy",
  "prevention-policies": "PreventionPolicy",
  registries: "RegistryEntity",
  "images.registries": "RegistryEntity",
  "sensitivity-labels": "SensitivityLabel",
  sensors: "IdentitySensor",
  slas: "Sla",
  "ss-ioa-exclusions": "SsIoaExclusion",
  "template-snapshots": "CaseTemplateSnapshot",
  "tenant-groups": "CidGroup",
  "user-groups": "UserGroup",
  users: "User",
  "web-location-groups": "WebLocationGroup",
  "web-locations": "WebLocation",
};

const besidesUsers = [
  "cid_name",
  "name",
  "has_temporary_roles",
  "assigned_cids",
  "associated_cids",
  "direct_assigned_cids",
  "non_ancestor_assigned_cids",
  "temporarily_assigned_cids",
];

/** Fields that are not members of the record: additional facts, or values derived from several members. */
const besides: Readonly<Record<string, readonly string[]>> = {
  "case-fields": ["cid"],
  cases: [
    "all_text",
    "created_by",
    "modified_by",
    "source_vendors",
    "source_products",
    "tactics",
    "tactic_ids",
    "techniques",
    "technique_ids",
    "ips",
    "image_file_names",
    "command_lines",
    "cloud_service_names",
  ],
  "prevention-policies": ["precedence"],
  "template-snapshots": ["name"],
  "internal-users": besidesUsers,
  users: besidesUsers,
};

/** The member from which a derived field is computed. */
const derivedFrom = ({ derive }: Field): string | undefined =>
  derive === undefined ? undefined : "count" in derive ? derive.count : derive.from;

const tables = Object.entries(records).map(
  ([resource, schema]) =>
    [
      resource,
      schema,
      Object.entries(
        (fqlTables as Readonly<Record<string, { fields: Fields }>>)[resource]?.fields ?? {},
      ),
    ] as const,
);

describe.each(tables)("fields of %s", (resource, schema, fields) => {
  test(`are members of ${schema}, with the same type and values`, () => {
    expect(fields.length).toBeGreaterThan(0);
    const members = fields.filter(([name]) => !besides[resource]?.includes(name));
    for (const [name, field] of members) {
      const member = memberAt(schema, derivedFrom(field) ?? field.path ?? name);
      expect(member, `${resource}.${name}`).toBeDefined();
      if (member === undefined || field.derive !== undefined) continue;
      expect({ name, array: field.array ?? false }).toEqual({ name, array: member.array });
      expect(typesFor(member.merged, member.format), `${resource}.${name}`).toContain(field.type);
      if (field.values !== undefined) {
        const values = member.merged.enum.filter((value) => value !== null).map(String);
        expect({ name, values: [...field.values].toSorted() }).toEqual({
          name,
          values: values.toSorted(),
        });
      }
    }
  });
});

test("users without external ones have the same fields, except the tenants of a user", () => {
  const { associated_cids: _tenants, ...fields } = fqlTables.users.fields;
  expect(fqlTables["internal-users"].fields).toEqual(fields);
});

interface Member {
  readonly merged: MergedSchema;
  readonly format: unknown;
  readonly array: boolean;
}

/** The member of a schema at a dotted path, through lists. */
function memberAt(schema: string, path: string): Member | undefined {
  let member = into({ $ref: `#/components/schemas/${schema}` });
  for (const step of path.split(".")) {
    const property = member.merged.properties[step];
    if (property === undefined) return undefined;
    const next = into(property);
    member = { ...next, array: member.array || next.array };
  }
  return member;
}

function into(schema: JsonSchema): Member {
  const merged = mergedSchema(completeDocument(), schema);
  if (merged.items !== undefined) return { ...into(merged.items), array: true };
  return { merged, format: merged.format, array: false };
}

const typesFor = ({ types }: MergedSchema, format: unknown): readonly string[] =>
  [...types].flatMap((type) => {
    if (type === "integer") return ["number"];
    if (type === "string") return format === "date-time" ? ["timestamp"] : ["string", "ip"];
    return [type];
  });

import { expect } from "vitest";
import { filters } from "../../src/index.ts";
import type { Input, OperationId } from "../../src/index.ts";
import type { Examples, World } from "./example.ts";

const anything: unknown = expect.anything();
const like = (members: object): unknown => expect.objectContaining(members);

/** A valid record of each kind. */
const inputs = {
  "entities.cloud-application.create": {
    body: { name: "Partner portal", urls: [{ fqdn: "partners.example.com", path: "/drafts" }] },
  },
  "entities.content-pattern.create": {
    body: {
      name: "Contract number",
      category: "Custom",
      region: "ALL",
      regexes: [String.raw`\bNW-[0-9]{8}\b`],
      min_match_threshold: 1,
      example: "NW-20260114",
    },
  },
  "entities.enterprise-account.create": {
    body: { name: "Workspace", application_group_id: "google", domains: ["example.com"] },
  },
  "entities.local-application.create": {
    body: { name: "Excel", executable_name: "excel.exe", enable_rename_detection: true },
  },
  "entities.local-application-group.create": { body: { name: "Office applications" } },
  "entities.sensitivity-label.create-v2": {
    body: { name: "Confidential", display_name: "Confidential", label_provider: "microsoft" },
  },
  "entities.web-location.create-v2": {
    body: { web_locations: [{ name: "Drafts", location_type: "folder" }] },
  },
  "entities.web-location-group.create": { body: { name: "Partners" } },
} as const satisfies { readonly [Id in OperationId]?: Input<Id> };

type Creating = keyof typeof inputs;

/** Creates the record and returns its id. */
async function createRecord({ client }: World, creating: Creating): Promise<string> {
  const { data } = await client.call(creating, inputs[creating] as never);
  return data[0]?.id ?? "";
}

/** An example of an operation on records with ids. */
const byId = (creating: Creating, members: object) => async (world: World) => {
  const id = await createRecord(world, creating);
  return { input: { ids: [id] }, expected: [like({ id, ...members })] };
};

const read = (creating: Creating) => byId(creating, { deleted: false });
const deleted = (creating: Creating) => byId(creating, { deleted: true });

/** An example of an operation that updates a record. */
const changed =
  <Body extends object>(creating: Creating, body: Body) =>
  async (world: World) => {
    const id = await createRecord(world, creating);
    return { input: { id, body }, expected: [like({ id, ...body })] };
  };

/** An example of an operation that creates a record. */
const creates =
  <Id extends Creating>(creating: Id, members: object) =>
  () => ({
    input: inputs[creating],
    expected: [like({ deleted: false, ...members })],
  });

export const dataProtectionExamples = {
  "entities.cloud-application.create": creates("entities.cloud-application.create", {
    app_tier: "custom",
    supports_network_inspection: false,
  }),
  "entities.cloud-application.delete": deleted("entities.cloud-application.create"),
  "entities.cloud-application.get": read("entities.cloud-application.create"),
  "entities.cloud-application.patch": changed("entities.cloud-application.create", {
    description: "Where partners exchange drafts",
  }),
  "queries.cloud-application.get-v2": async (world) => ({
    input: {
      filter: filters["cloud-applications"].where("type").equals("custom"),
      sort: ["name.asc"],
    },
    expected: [await createRecord(world, "entities.cloud-application.create")],
  }),

  "entities.content-pattern.create": creates("entities.content-pattern.create", {
    type: "custom",
    description: "",
  }),
  "entities.content-pattern.delete": deleted("entities.content-pattern.create"),
  "entities.content-pattern.get": read("entities.content-pattern.create"),
  "entities.content-pattern.patch": changed("entities.content-pattern.create", {
    min_match_threshold: 2,
    example: "NW-20260114 replaces NW-20251203",
  }),
  "queries.content-pattern.get-v2": async (world) => ({
    input: {
      filter: filters["content-patterns"].where("category").equals("custom"),
      limit: 10,
    },
    expected: [await createRecord(world, "entities.content-pattern.create")],
  }),

  "entities.enterprise-account.create": creates("entities.enterprise-account.create", {
    plugin_config_id: "",
  }),
  "entities.enterprise-account.delete": deleted("entities.enterprise-account.create"),
  "entities.enterprise-account.get": read("entities.enterprise-account.create"),
  "entities.enterprise-account.patch": changed("entities.enterprise-account.create", {
    domains: ["example.com", "mail.example.com"],
  }),
  "queries.enterprise-account.get-v2": async (world) => ({
    input: {
      filter: filters["enterprise-accounts"].where("domains").equals("EXAMPLE.com"),
    },
    expected: [await createRecord(world, "entities.enterprise-account.create")],
  }),

  "entities.file-type.get": async ({ client }) => {
    const { data } = await client.call("queries.file-type.get-v2", {
      filter: filters["file-types"].where("name").equals("PDF"),
    });
    return {
      input: { ids: [data[0] ?? ""] },
      expected: [like({ name: "PDF", supports_mip_extraction: true })],
    };
  },
  "queries.file-type.get-v2": () => ({
    input: {
      filter: filters["file-types"].where("category_id").equals("keys"),
      sort: ["name"],
    },
    expected: [anything, anything, anything],
  }),

  "entities.local-application.create": creates("entities.local-application.create", {
    group_ids: [],
    deleted_at: null,
  }),
  "entities.local-application.delete": deleted("entities.local-application.create"),
  "entities.local-application.get": read("entities.local-application.create"),
  "entities.local-application.patch": changed("entities.local-application.create", {
    emit_rule_matched_events_only: true,
  }),
  "queries.local-application.get": async (world) => ({
    input: {
      filter: filters["local-applications"].where("executable_name").equals("EXCEL.EXE"),
    },
    expected: [await createRecord(world, "entities.local-application.create")],
  }),

  "entities.local-application-group.create": creates("entities.local-application-group.create", {
    local_application_ids: [],
  }),
  "entities.local-application-group.delete": deleted("entities.local-application-group.create"),
  "entities.local-application-group.get": read("entities.local-application-group.create"),
  "entities.local-application-group.patch": async (world) => {
    const id = await createRecord(world, "entities.local-application-group.create");
    const application = await createRecord(world, "entities.local-application.create");
    return {
      input: { id, body: { local_application_ids: [application] } },
      expected: [like({ id, local_application_ids: [application] })],
    };
  },
  "queries.local-application-group.get": async (world) => ({
    input: {
      filter: filters["local-application-groups"].where("name").equals("office applications"),
    },
    expected: [await createRecord(world, "entities.local-application-group.create")],
  }),

  "entities.sensitivity-label.create-v2": creates("entities.sensitivity-label.create-v2", {
    synced: false,
    external_id: "",
  }),
  "entities.sensitivity-label.delete-v2": deleted("entities.sensitivity-label.create-v2"),
  "entities.sensitivity-label.get-v2": read("entities.sensitivity-label.create-v2"),
  "queries.sensitivity-label.get-v2": async (world) => ({
    input: { sort: ["display_name.asc"], offset: 0 },
    expected: [await createRecord(world, "entities.sensitivity-label.create-v2")],
  }),

  "entities.web-location.create-v2": creates("entities.web-location.create-v2", {
    type: "custom",
    web_location_group_ids: [],
  }),
  "entities.web-location.delete-v2": deleted("entities.web-location.create-v2"),
  "entities.web-location.get-v2": read("entities.web-location.create-v2"),
  "entities.web-location.patch-v2": async (world) => {
    const id = await createRecord(world, "entities.web-location.create-v2");
    const group = await createRecord(world, "entities.web-location-group.create");
    return {
      input: { id, body: { web_location_group_ids: [group], application_id: null } },
      expected: [like({ id, web_location_group_ids: [group] })],
    };
  },
  "queries.web-location.get-v2": async (world) => ({
    input: { type: "custom" },
    expected: [await createRecord(world, "entities.web-location.create-v2")],
  }),

  "entities.web-location-group.create": creates("entities.web-location-group.create", {
    type: "custom",
  }),
  "entities.web-location-group.delete": deleted("entities.web-location-group.create"),
  "entities.web-location-group.get": read("entities.web-location-group.create"),
  "entities.web-location-group.patch": changed("entities.web-location-group.create", {
    description: "Portals that partners can read",
  }),
  "queries.web-location-group.get": async (world) => ({
    input: { type: "custom", sort: ["last_updated.desc"] },
    expected: [await createRecord(world, "entities.web-location-group.create")],
  }),
} satisfies Partial<Examples<OperationId>>;

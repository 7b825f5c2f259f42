import { expect } from "vitest";
import { filters } from "../../src/index.ts";
import type { OperationId } from "../../src/index.ts";
import type { Examples, World } from "./example.ts";

const like = (members: object): unknown => expect.objectContaining(members);
const timestamp = "2026-02-01T00:00:00Z";

/** A new case; returns its id. */
async function created({ client }: World, name = "Emberfall"): Promise<string> {
  const { data } = await client.caseManagement.createCase({ body: { name, severity: 70 } });
  return data[0]?.id ?? "";
}

export const caseExamples = {
  "entities.alert-evidence.post.v1": async (world) => {
    await world.server.importRecords(world.tenant, "alerts", [{ id: "alert-1", timestamp }]);
    const id = await created(world);
    return {
      input: { body: { id, alerts: [{ id: "alert-1" }] } },
      expected: [like({ id, version: 2, consistency: { consistent: true, version: 2 } })],
    };
  },
  "entities.case-tags.delete.v1": async (world) => {
    const id = await created(world);
    await world.client.caseManagement.addTags({ body: { id, tags: ["a", "b"] } });
    return { input: { id, tag: ["a"] }, expected: [like({ tags: ["b"] })] };
  },
  "entities.case-tags.post.v1": async (world) => {
    const id = await created(world);
    return {
      input: { body: { id, tags: ["ransomware"] } },
      expected: [like({ tags: ["ransomware"] })],
    };
  },
  "entities.cases.patch.v2": async (world) => {
    const id = await created(world);
    return {
      input: { body: { id, expected_version: 1, fields: { status: "in_progress" } } },
      expected: [like({ id, status: "in_progress", version: 2 })],
    };
  },
  "entities.cases.post.v2": async (world) => {
    const id = await created(world);
    return { input: { body: { ids: [id] } }, expected: [like({ id, reference_id: "CSE-1" })] };
  },
  "entities.cases.put.v2": () => ({
    input: { body: { name: "Emberfall", severity_info: { level: "high" } } },
    expected: [like({ name: "Emberfall", severity: 60, status: "new" })],
  }),
  "entities.event-evidence.post.v1": async (world) => {
    await world.server.importRecords(world.tenant, "events", [{ id: "event-1", timestamp }]);
    const id = await created(world);
    return {
      input: { body: { id, events: [{ id: "event-1" }] } },
      expected: [like({ id, version: 2 })],
    };
  },
  "entities.merge.post.v1": async (world) => {
    const source_id = await created(world);
    const destination_id = await created(world);
    return { input: { body: { source_id, destination_id } }, expected: expect.anything() };
  },
  "queries.cases.get.v1": async (world) => {
    const id = await created(world);
    await created(world, "another");
    const filter = filters.cases.where("name").equals("emberfall");
    return { input: { filter, sort: ["severity.desc"] }, expected: [id] };
  },
} satisfies Partial<Examples<OperationId>>;

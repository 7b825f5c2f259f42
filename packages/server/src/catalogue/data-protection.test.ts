import { document } from "@security-platform/spec";
import { Ajv2020 } from "ajv/dist/2020.js";
import { expect, test } from "vitest";
import { addressProblems } from "../domain/data-protection/addresses.ts";
import { patternProblems } from "../domain/data-protection/content-patterns.ts";
import type { Tenant } from "../store/index.ts";
import { predefinedCloudApplications } from "./data-protection-cloud-applications.ts";
import { predefinedContentPatterns } from "./data-protection-content-patterns.ts";
import { predefinedFileTypes } from "./data-protection-file-types.ts";
import {
  firstLocalApplicationGroups,
  firstLocalApplications,
} from "./data-protection-local-applications.ts";
import {
  predefinedWebLocationGroups,
  predefinedWebLocations,
} from "./data-protection-web-locations.ts";

const tenantOf = (digit: string): Tenant => ({
  cid: digit.repeat(32),
  name: "a",
  parent_cid: null,
  created_at: "2026-03-01T12:00:00Z",
});
const [tenant, other] = [tenantOf("a"), tenantOf("b")];
const now = new Date("2026-03-01T12:00:00Z");

const patterns = predefinedContentPatterns.records();
const applications = predefinedCloudApplications.records();
const types = predefinedFileTypes.records();
const locations = predefinedWebLocations.records();
const locationGroups = predefinedWebLocationGroups.records();
const programs = firstLocalApplications.records(tenant, now);
const programGroups = firstLocalApplicationGroups.records(tenant, now);

test.each([
  ["ContentPattern", patterns, 45],
  ["CloudApplication", applications, 45],
  ["DataProtectionFileType", types, 50],
  ["WebLocation", locations, 45],
  ["WebLocationGroup", locationGroups, 8],
  ["LocalApplication", programs, 50],
  ["LocalApplicationGroup", programGroups, 10],
] as const)(
  "every %s matches the document, with a unique name and id",
  (schema, records, least) => {
    const ajv = new Ajv2020({ strict: false, allErrors: true, validateFormats: false });
    ajv.addSchema({ $id: "document", ...document() });
    const validate = ajv.compile({ $ref: `document#/components/schemas/${schema}` });
    for (const record of records) {
      expect(validate(record), JSON.stringify([record, validate.errors])).toBe(true);
    }
    expect(records.length).toBeGreaterThanOrEqual(least);
    expect(new Set(records.map(({ id }) => id)).size).toBe(records.length);
    expect(new Set(records.map(({ name }) => name.toLowerCase())).size).toBe(records.length);
  },
);

test.each(patterns.map((pattern) => [pattern.name, pattern] as const))(
  "%s matches its example, and nothing in ordinary prose",
  (_, pattern) => {
    expect(pattern.example).not.toBe("");
    expect(patternProblems({ at: "pattern", after: pattern })).toEqual([]);
    const prose = "The quick brown fox jumps over 13 lazy dogs on the 3rd of May 2026, twice.";
    const problems = patternProblems({ at: "pattern", after: { ...pattern, example: prose } });
    expect(problems).toHaveLength(1);
  },
);

test("the initial records of a tenant are its own", () => {
  const own = new Set(programs.map(({ id }) => id));
  expect(firstLocalApplications.records(other, now).some(({ id }) => own.has(id))).toBe(false);
});

test("addresses are valid, and every web location belongs to one application", () => {
  for (const { urls } of applications) expect(addressProblems(urls, "urls")).toEqual([]);
  const supports = new Map(
    applications.map(({ id, supports_network_inspection }) => [id, supports_network_inspection]),
  );
  for (const { application_id = "", supports_network_inspection } of locations) {
    expect(supports.get(application_id)).toBe(supports_network_inspection);
  }
});

test("groups and their members refer to each other", () => {
  const idsIn = new Map(locationGroups.map((group) => [group.id, group.web_location_ids]));
  for (const { id, web_location_group_ids } of locations) {
    expect(web_location_group_ids.map((group) => idsIn.get(group)?.includes(id))).toEqual([true]);
  }
  expect(locationGroups.flatMap((group) => group.web_location_ids)).toHaveLength(locations.length);
  const programsIn = new Map(programGroups.map((group) => [group.id, group.local_application_ids]));
  for (const { id, group_ids } of programs) {
    expect(group_ids.map((group) => programsIn.get(group)?.includes(id))).toEqual([true]);
  }
  const members = programGroups.flatMap((group) => group.local_application_ids);
  expect(members).toHaveLength(programs.length);
  const executables = programs.map(({ executable_name }) => executable_name.toLowerCase());
  expect(new Set(executables).size).toBe(programs.length);
});

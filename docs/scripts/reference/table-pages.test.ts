import { completeDocument, document, operations } from "@security-platform/spec";
import { describe, expect, test } from "vitest";
import { roleDefinitions } from "../../../packages/server/src/access/roles.ts";
import { headersPage, limitsPage, scopesPage, scopeTexts, statusesPage } from "./table-pages.ts";
import { statusName } from "./status-name.ts";

const all = operations();
const { components } = completeDocument();
const scopes = scopeTexts(document());

describe("the tables over all operations", () => {
  test("have every scope with its meaning and all that it opens, and every role", () => {
    const page = scopesPage(all, scopes);
    for (const { id, scope } of all) if (scope !== null) expect(page).toContain(`/${id})`);
    expect(Object.keys(scopes).length).toBeGreaterThan(20);
    for (const [scope, meaning] of Object.entries(scopes)) {
      expect(page).toContain(`| \`${scope}\` | ${meaning} |`);
    }
    for (const { role } of roleDefinitions) expect(page).toContain(`<br>\`${role.id}\` |`);
  });

  test("have every status and every header", () => {
    const statuses = statusesPage(all);
    const headers = headersPage(all, components.schemas);
    for (const { responses, parameters } of all) {
      for (const { status, headers: sent } of responses) {
        expect(statuses).toContain(`| ${statusName(status)} |`);
        for (const name of Object.keys(sent)) expect(headers).toContain(`| [\`${name}\`](#`);
      }
      for (const { name, in: place } of parameters) {
        if (place === "header") expect(headers).toContain(`| [\`${name}\`](#`);
      }
    }
  });

  test("have the page size of every list", () => {
    const page = limitsPage(all, components.schemas);
    for (const { id, parameters } of all) {
      if (parameters.some(({ name }) => name === "limit")) expect(page).toContain(`/${id})`);
    }
  });
});

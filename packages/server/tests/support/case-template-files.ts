import { expect } from "vitest";
import type { Answer } from "./api.ts";
import {
  email,
  problemsOf,
  webhook,
  type CaseConfiguration,
  type Template,
} from "./case-configuration.ts";

const path = "/casemgmt/entities/templates";

type ImportedTemplate = Template & { readonly difference?: string };

/** A valid file with one template. */
export const phishing = `format: 1
template:
  name: Phishing
  description: For mails that want something
  fields:
    - name: Reported by
      data_type: string
      input_type: text
`;

export function importTemplates(
  { api }: CaseConfiguration,
  content: string | Uint8Array<ArrayBuffer>,
  { name = "templates.yaml", dryRun = false } = {},
): Promise<Answer<ImportedTemplate[]>> {
  const body = new FormData();
  body.set("dry_run", String(dryRun));
  body.set("file", new Blob([content]), name);
  return api.request("POST", `${path}/import/v1`, { body });
}

/** The problems of a file that must not create a template. */
export async function importProblems(
  configuration: CaseConfiguration,
  content: string | Uint8Array<ArrayBuffer>,
  options: { readonly name?: string } = {},
): Promise<readonly string[]> {
  const answer = await importTemplates(configuration, content, options);
  expect(answer.status, answer.text).toBe(400);
  expect((await configuration.query("templates/v1")).body).toEqual([]);
  return problemsOf(answer);
}

/** The archive of an export. */
export async function exportTemplates(
  { api }: CaseConfiguration,
  query: Readonly<Record<string, string>> = {},
): Promise<Buffer<ArrayBuffer>> {
  const answer = await api.request<{ link: string }>("GET", `${path}/export/v1`, { query });
  expect(answer.status, answer.text).toBe(200);
  const response = await fetch(answer.body.link);
  expect(response.status).toBe(200);
  return Buffer.from(await response.arrayBuffer());
}

/** Creates one of everything that a file can contain. */
export async function fillConfiguration(configuration: CaseConfiguration) {
  const group = await configuration.created("notification-groups/v2", {
    name: "On-call",
    description: "Day and night",
    channels: [
      email("a@example.com"),
      webhook("https://hooks.example/cases", "a secret of sixteen"),
      { type: "slack", config_name: "Chat", params: { url: "https://slack.example/T0/x" } },
      { type: "pagerduty", params: { routing_key: "R0", severity: "error" } },
    ],
  });
  const sla = await configuration.sla("Critical", group.id, group.id);
  const template = await configuration.created("templates/v1", {
    name: "Ransomware / extortion",
    description: "For everything: that encrypts",
    fields: [
      {
        name: "Unit",
        data_type: "string",
        input_type: "select",
        required: true,
        options: [{ value: "yes" }, { value: "0123" }],
        display_order: 5,
      },
      { name: "Seen", data_type: "datetime", input_type: "date" },
    ],
    sla_id: sla.id,
    sla_rules: [{ type: "fql", condition: "severity:>=80", sla_id: sla.id }],
    access_tags: [{ key: "EMBERFALL" }],
    workflows: [{ id: "isolate", display_order: 1 }],
  });
  await configuration.created("templates/v1", { name: "Phishing" });
  return { group, sla, template };
}

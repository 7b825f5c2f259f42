import type { StoredCase } from "./cases.ts";

/** The text that `q` and `all_text` search: each distinct text of the case on its own line. */
export function allText(stored: Omit<StoredCase, "all_text">): string {
  const { analysis_results, evidence, findings } = stored;
  const texts = new Set<string>();
  const add = (value: unknown): void => {
    if (typeof value === "string" && value !== "") texts.add(value);
    else if (Array.isArray(value)) value.forEach(add);
    else if (typeof value === "object" && value !== null) Object.values(value).forEach(add);
  };
  const { name, description, reference_id, tags, fields, assigned_to, template } = stored;
  add([reference_id, name, description, tags, assigned_to?.full_name, assigned_to?.email]);
  add(template?.name);
  for (const { name: field, values } of fields) add([field, values]);
  const { hosts, users, files, cloud_assets, data_domains } = analysis_results;
  add([data_domains, hosts.records, users.records, files.records, cloud_assets.records]);
  add(findings);
  const { alerts, events, leads } = evidence;
  for (const { records = [] } of [alerts, events, leads]) {
    for (const { selector } of records) add(selector.id);
  }
  return [...texts].join("\n");
}

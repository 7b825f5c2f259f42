import { expect } from "vitest";
import type { TestApi } from "./api.ts";

type Records = readonly Readonly<Record<string, unknown>>[];

/** What recipes cannot make and take away again: records of data protection that others name. */
export async function recordsInUse(api: TestApi): Promise<Readonly<Record<string, Records>>> {
  const create = async (path: string, body: object): Promise<Records> => {
    const answer = await api.request<Records>("POST", `/data-protection/entities/${path}`, {
      body,
    });
    expect(answer.status, answer.text).toBeLessThan(300);
    return answer.body;
  };
  const idOf = ([record]: Records): string => String(record?.["id"]);
  const urls = [{ fqdn: "used.example.com", path: "" }];
  const applications = await create("cloud-applications/v1", { name: "Used", urls });
  const accounts = await create("enterprise-accounts/v1", {
    name: "Used",
    application_group_id: "google",
    domains: ["used.example.com"],
  });
  const place = {
    name: "Used",
    location_type: "folder",
    application_id: idOf(applications),
    enterprise_account_id: idOf(accounts),
  };
  const locations = await create("web-locations/v2", { web_locations: [place] });
  const patterns = await create("content-patterns/v1", {
    name: "Used",
    category: "Custom",
    region: "ALL",
    regexes: ["used"],
    min_match_threshold: 1,
  });
  const label = { name: "Used", display_name: "Used", label_provider: "microsoft" };
  const labels = await create("labels/v2", label);
  const groups = await create("local-application-groups/v1", { name: "Used" });
  const classification_properties = {
    content_patterns: [idOf(patterns)],
    sensitivity_labels: [idOf(labels)],
    web_sources: [idOf(locations)],
    rules: [{ enable_local_application_groups: true, local_application_groups: [idOf(groups)] }],
  };
  const resources = [
    { name: "Uses them", classification_properties },
    {
      name: "Records",
      classification_properties: {
        evidence_duplication_enabled: true,
        rules: [{ enable_screen_capture_rule: true }],
      },
    },
  ];
  const [using, recording] = await create("classifications/v2", { resources });
  const policies = await create("policies/v2?platform_name=mac", {
    resources: [
      { name: "A", description: "", policy_properties: { classifications: [using?.["id"]] } },
      { name: "B", description: "" },
    ],
  });
  const [standard] = (
    await api.request<readonly string[]>(
      "GET",
      "/data-protection/queries/policies/v2?platform_name=win&filter=is_default:true",
    )
  ).body;
  return {
    "classifications-in-use": using === undefined ? [] : [using],
    "recording-classifications": recording === undefined ? [] : [recording],
    "ordered-data-protection-policies": policies,
    "default-data-protection-policies": [{ id: standard }],
    "cloud-applications-in-use": applications,
    "content-patterns-in-use": patterns,
    "enterprise-accounts-in-use": accounts,
    "local-application-groups-in-use": groups,
    "sensitivity-labels-in-use": labels,
    "web-locations-in-use": locations,
  };
}

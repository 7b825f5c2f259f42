import type { Case, Findings } from "../cases/cases.ts";
import type { EvidenceRecord } from "./evidence-records.ts";

type Results = Case["analysis_results"];

/** The results of analysing the evidence of a case. */
export interface Analysis {
  readonly results: Results;
  readonly findings: Findings;
  /** Times of the earliest and the latest evidence; null without any. */
  readonly span: { readonly start: string; readonly end: string } | null;
}

type AnalysedFile = Required<Results>["files"]["records"][number];

/** Some clients require these members. */
export const analysedFile = (file: AnalysedFile): AnalysedFile => ({
  filename: "",
  path: "",
  md5: "",
  ...file,
});

/** Maximum number of entries in a list of results. */
const longestList = 1_000;
const longestDomains = 100;

/** Summarises alerts and events: each reported item is listed once, in order of appearance. */
export function analyse(
  evidence: {
    readonly alerts: readonly EvidenceRecord[];
    readonly events: readonly EvidenceRecord[];
  },
  leads: readonly { readonly id: string }[],
): Analysis {
  const records = [...evidence.alerts, ...evidence.events];
  const all = <Item>(read: (record: EvidenceRecord) => readonly Item[] | undefined) =>
    distinct(records.flatMap((record) => read(record) ?? []));
  const hosts = all(({ hosts: list }) => list);
  const tactics = all(({ tactics: list }) => list);
  const techniques = all(({ techniques: list }) => list);
  const processes = all(({ processes: list }) => list);
  const times = records.map(({ timestamp }) => timestamp).toSorted();
  const start = times[0];
  const end = times.at(-1);
  const references = (list: readonly { readonly id: string }[]) => ({
    records: list.map(({ id }) => ({ id })),
  });
  return {
    results: {
      alerts: references(evidence.alerts),
      events: references(evidence.events),
      leads: references(leads),
      files: { records: cut(all(({ files }) => files)).map(analysedFile) },
      hosts: { records: cut(hosts) },
      users: { records: cut(all(({ users }) => users)) },
      cloud_assets: { records: cut(all(({ cloud_assets }) => cloud_assets)) },
      data_domains: all(({ data_domains }) => data_domains).slice(0, longestDomains),
    },
    findings: {
      source_vendors: all(({ source_vendors }) => source_vendors),
      source_products: all(({ source_products }) => source_products),
      tactics: present(tactics.map(({ name }) => name)),
      tactic_ids: present(tactics.map(({ id }) => id)),
      techniques: present(techniques.map(({ name }) => name)),
      technique_ids: present(techniques.map(({ id }) => id)),
      ips: present([
        ...all(({ ips }) => ips),
        ...hosts.flatMap(({ agent_ip, local_ip }) => [agent_ip, local_ip]),
      ]),
      image_file_names: present(processes.map(({ image_file_name }) => image_file_name)),
      command_lines: present(processes.map(({ command_line }) => command_line)),
      cloud_service_names: all(({ cloud_service_names }) => cloud_service_names),
      texts: present(records.flatMap(({ name, description }) => [name, description])),
    },
    span: start === undefined || end === undefined ? null : { start, end },
  };
}

const cut = <Item>(list: readonly Item[]): Item[] => list.slice(0, longestList);

/** Equal texts, or objects with equal members, once each. */
function distinct<Item>(items: readonly Item[]): Item[] {
  const byText = new Map(
    items.map((item) => [typeof item === "string" ? item : JSON.stringify(item), item]),
  );
  return [...byText.values()];
}

const present = (values: readonly (string | undefined)[]): string[] =>
  distinct(values.filter((value) => value !== undefined && value !== "")) as string[];

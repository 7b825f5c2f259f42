import type { Case, Findings, KnownValues } from "../kinds/cases.ts";
import type { EvidenceRecord } from "./evidence-records.ts";

type Results = Case["analysis_results"];

/** The results of analysing the evidence of a case. */
export interface Analysis {
  readonly results: Results;
  readonly findings: Findings;
  /** Times of the earliest and the latest evidence; null without any. */
  readonly span: { readonly start: string; readonly end: string } | null;
}

/** The parts of the results that have empty values for what is unknown, because clients require these members. */
type Complete = Pick<Results, "hosts" | "users" | "files" | "cloud_assets">;
type Entry<Name extends keyof Complete> = Complete[Name]["records"][number];
/** An entity as it was reported, or stored by an earlier version. Unknown members are absent. */
export type Reported = { readonly [Name in keyof Complete]: readonly Partial<Entry<Name>>[] };

/** The results with all members of each item. */
export const completed = ({ hosts, users, files, cloud_assets }: Reported): Complete => ({
  hosts: { records: hosts.map((host) => ({ ...unknownHost, ...host })) },
  users: { records: users.map((user) => ({ ...unknownUser, ...user })) },
  files: { records: files.map((file) => ({ ...unknownFile, ...file })) },
  cloud_assets: { records: cloud_assets.map((asset) => ({ ...unknownAsset, ...asset })) },
});

const unknownHost: Entry<"hosts"> = {
  aid: "",
  hostname: "",
  agent_ip: "",
  local_ip: "",
  cloud_instance_id: "",
};
const unknownUser: Entry<"users"> = {
  username: "",
  user_full_name: "",
  user_id: "",
  user_principal_id: "",
  user_token_key_id: "",
  idp_user_id: "",
  sid: "",
  email_addresses: [],
};
/** A file of which nothing is known. It has no SHA-256, because the document allows no empty one. */
const unknownFile: Entry<"files"> = { filename: "", path: "", md5: "" };
const unknownAsset: Entry<"cloud_assets"> = {
  cloud_provider: "",
  asset_id: "",
  asset_type: "",
  account_id: "",
  region: "",
  availability_zone: "",
  gcrn: "",
};

/** The values to filter by. A case whose results have only empty values has none. */
export const knownValues = ({ hosts, users, files, cloud_assets }: Complete): KnownValues => ({
  hostnames: present(hosts.records.map(({ hostname }) => hostname)),
  usernames: present(users.records.map(({ username }) => username)),
  email_addresses: present(users.records.flatMap(({ email_addresses }) => email_addresses)),
  sha256s: present(files.records.map(({ sha256 }) => sha256)),
  md5s: present(files.records.map(({ md5 }) => md5)),
  file_names: present(files.records.map(({ filename }) => filename)),
  cloud_account_ids: present(cloud_assets.records.map(({ account_id }) => account_id)),
  cloud_regions: present(cloud_assets.records.map(({ region }) => region)),
  cloud_availability_zones: present(
    cloud_assets.records.map(({ availability_zone }) => availability_zone),
  ),
  cloud_instance_ids: present(hosts.records.map(({ cloud_instance_id }) => cloud_instance_id)),
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
  const complete = completed({
    hosts: cut(hosts),
    users: cut(all(({ users }) => users)),
    files: cut(all(({ files }) => files)),
    cloud_assets: cut(all(({ cloud_assets }) => cloud_assets)),
  });
  return {
    results: {
      alerts: references(evidence.alerts),
      events: references(evidence.events),
      leads: references(leads),
      ...complete,
      data_domains: all(({ data_domains }) => data_domains).slice(0, longestDomains),
    },
    findings: {
      ...knownValues(complete),
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

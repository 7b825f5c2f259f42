import type { EvidenceRecord } from "../../domain/case-management/evidence/evidence-records.ts";
import type { Execution } from "../../domain/ioc/executions.ts";
import type { Host } from "../../inventory/hosts.ts";
import { sidOf } from "../host-reports.ts";
import { instant } from "../instants.ts";
import { loaderHash } from "../story-host-files.ts";
import type { Cast } from "./cast.ts";

const person = {
  username: "b.olsen",
  user_full_name: "Birk Olsen",
  sid: sidOf("b.olsen"),
  email_addresses: ["birk.olsen@example.com"],
};

const loader = {
  filename: "invoice-viewer.exe",
  path: String.raw`C:\Users\b.olsen\Downloads\invoice-viewer.exe`,
  sha256: loaderHash,
};

export const alertIds = ({ cid, workstation, nextWorkstation }: Cast) => {
  const prefix = `${cid}:ind:${workstation.device_id}:4503599627370497`;
  return {
    first: `${prefix}-10303-1`,
    second: `${prefix}-10357-2`,
    today: `${cid}:ind:${nextWorkstation.device_id}:4503599627371120-10303-1`,
  };
};

/** The number of the mail at its gateway. It contains no time, so that the samples of the document name it on every day. */
export const mailEventId = ({ known }: Cast): string =>
  `${known("7f3a1c5e9b8d42604c6e8a0b2d4f6173")}:418207:41`;

/** Where the loader ran, and what it asked for. */
export const storyExecutions = ({ hosts, at }: Cast): readonly Execution[] =>
  hosts.map((device_id, index): Execution => ({
    id: `pid:${device_id}:${4_503_599_627 + index}`,
    device_id,
    started_on: instant(at(1, "07:58:12") + index * 247_000),
    file_name: loader.filename,
    command_line: `"${loader.path}" /open invoice.pdf`,
    user_name: index === 0 ? person.username : "h.weber",
    sha256: loaderHash,
    md5: "c0a8f5e1d2b34c6d9e7f8a0b1c2d3e4f",
    domains: ["cdn-sync.example.net"],
    ip_addresses: ["192.0.2.77"],
  }));

const minute = 60_000;

const asEvidence = ({ device_id, hostname = "", external_ip = "", local_ip = "" }: Host) => ({
  aid: device_id,
  hostname,
  agent_ip: external_ip,
  local_ip,
});

/** Alerts and an event of the incident that the story tells, and the alert of today. */
export function storyEvidence(cast: Cast): {
  readonly alerts: readonly EvidenceRecord[];
  readonly events: readonly EvidenceRecord[];
} {
  const { workstation, nextWorkstation, at, now } = cast;
  const { first, second, today } = alertIds(cast);
  const endpoint = {
    data_domains: ["Endpoint"],
    source_vendors: ["Security Platform"],
    source_products: ["Endpoint detection"],
    hosts: [asEvidence(workstation)],
    users: [person],
    files: [loader],
  };
  return {
    alerts: [
      {
        id: first,
        timestamp: instant(at(1, "07:58:20.410")),
        name: "Malicious file",
        description: "The loader of Emberfall was started from a mail attachment.",
        severity: 85,
        tactics: [{ id: "TA0002", name: "Execution" }],
        techniques: [{ id: "T1204.002", name: "Malicious File" }],
        processes: [
          { image_file_name: loader.filename, command_line: `"${loader.path}" /open invoice.pdf` },
        ],
        ...endpoint,
      },
      {
        id: second,
        timestamp: instant(at(1, "08:05:44.092")),
        name: "Shadow copies deleted",
        description: "The loader deleted the shadow copies of the workstation.",
        severity: 95,
        tactics: [{ id: "TA0040", name: "Impact" }],
        techniques: [{ id: "T1490", name: "Inhibit System Recovery" }],
        processes: [
          { image_file_name: "vssadmin.exe", command_line: "vssadmin.exe delete shadows /all" },
        ],
        ...endpoint,
      },
      {
        ...endpoint,
        id: today,
        timestamp: instant(now - 55 * minute),
        name: "Blocked file",
        description: "The loader of Emberfall was about to be started, and was blocked.",
        severity: 40,
        tactics: [{ id: "TA0002", name: "Execution" }],
        techniques: [{ id: "T1204.002", name: "Malicious File" }],
        processes: [{ image_file_name: loader.filename, command_line: loader.filename }],
        hosts: [asEvidence(nextWorkstation)],
        users: [{ username: "h.weber" }],
        files: [{ filename: loader.filename, sha256: loader.sha256 }],
      },
    ],
    events: [
      {
        id: mailEventId(cast),
        timestamp: instant(at(1, "07:52:41")),
        name: "Mail delivered",
        description: "A mail with the attachment invoice-viewer.zip was delivered.",
        severity: 30,
        data_domains: ["Email"],
        source_vendors: ["Mail gateway"],
        source_products: ["Mail gateway"],
        tactics: [{ id: "TA0001", name: "Initial Access" }],
        techniques: [{ id: "T1566.001", name: "Spearphishing Attachment" }],
        users: [person],
      },
    ],
  };
}

import { fqlTables } from "@security-platform/spec";
import type { Resource } from "../../store/index.ts";

/** An imported record of a process that ran on a host. */
export interface Execution {
  /** `pid:<device id>:<digits>`. */
  readonly id: string;
  /** The id of the host: 32 lower-case hex digits. */
  readonly device_id: string;
  /** RFC 3339 in UTC, three fraction digits. */
  readonly started_on: string;
  readonly file_name?: string;
  readonly command_line?: string;
  readonly user_name?: string;
  readonly sha256?: string;
  readonly md5?: string;
  /** Domains that the process resolved. */
  readonly domains: readonly string[];
  /** IP addresses with which the process exchanged data, in canonical spelling. */
  readonly ip_addresses: readonly string[];
}

/** Process executions, which are read by look-ups and retrodetection. Only imports write them. */
export const executions: Resource<Execution> = {
  name: "executions",
  collection: "ioc",
  fields: fqlTables.executions.fields,
  id: "id",
  indexes: ["device_id", "started_on", "sha256", "md5"],
};

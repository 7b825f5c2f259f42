import { recordTimestamp } from "../records/timestamp.ts";
import { executions, type Execution } from "../domain/ioc/executions.ts";
import { readIndicatorValue } from "../domain/ioc/values.ts";
import type { Importer, LineProblem } from "./kind.ts";

type Line = Omit<Execution, "domains" | "ip_addresses"> &
  Partial<Pick<Execution, "domains" | "ip_addresses">>;

/** Process executions, one a line; they exist by import only. */
export const executionImporter: Importer<Line, Execution> = {
  resource: executions,
  read: (line) => {
    const problems: LineProblem[] = [];
    const read = (type: string, at: string, value: string): string => {
      const found = readIndicatorValue(type, value);
      if ("value" in found) return found.value;
      problems.push({ at, message: found.problem });
      return value;
    };
    const hash = (type: "sha256" | "md5") =>
      line[type] === undefined ? {} : { [type]: read(type, type, line[type]) };
    if (!line.id.startsWith(`pid:${line.device_id}:`)) {
      problems.push({
        at: "id",
        message: `expected pid:${line.device_id}:<digits>, got ${line.id}`,
      });
    }
    const record: Execution = {
      id: line.id,
      device_id: line.device_id,
      started_on: recordTimestamp(line.started_on) ?? line.started_on,
      ...(line.file_name === undefined ? {} : { file_name: line.file_name }),
      ...(line.command_line === undefined ? {} : { command_line: line.command_line }),
      ...(line.user_name === undefined ? {} : { user_name: line.user_name }),
      ...hash("sha256"),
      ...hash("md5"),
      domains: distinct(
        (line.domains ?? []).map((domain, index) => read("domain", `domains[${index}]`, domain)),
      ),
      ip_addresses: distinct(
        (line.ip_addresses ?? []).map((address, index) =>
          read(address.includes(":") ? "ipv6" : "ipv4", `ip_addresses[${index}]`, address),
        ),
      ),
    };
    return problems.length > 0 ? { problems } : { record };
  },
};

const distinct = (values: readonly string[]): readonly string[] => [...new Set(values)];

import { defined } from "../records/defined.ts";
import { executions, type Execution } from "../domain/ioc/executions.ts";
import { readIndicatorValue } from "../domain/ioc/values.ts";
import type { Importer, LineProblem } from "./kind.ts";

type Line = Omit<Execution, "domains" | "ip_addresses"> &
  Partial<Pick<Execution, "domains" | "ip_addresses">>;

/** Imports process executions, one per line. Nothing else writes them. */
export const executionImporter: Importer<Line, Execution> = {
  resource: executions,
  read: (line) => {
    const problems: LineProblem[] = [];
    const read = (type: string, at: string, value: string): string => {
      const result = readIndicatorValue(type, value);
      if ("value" in result) return result.value;
      problems.push({ at, message: result.problem });
      return value;
    };
    const hash = (type: "sha256" | "md5") =>
      line[type] === undefined ? undefined : read(type, type, line[type]);
    const { file_name, command_line, user_name } = line;
    if (!line.id.startsWith(`pid:${line.device_id}:`)) {
      problems.push({
        at: "id",
        message: `expected pid:${line.device_id}:<digits>, got ${line.id}`,
      });
    }
    const record: Execution = {
      id: line.id,
      device_id: line.device_id,
      started_on: line.started_on,
      ...defined({
        file_name,
        command_line,
        user_name,
        sha256: hash("sha256"),
        md5: hash("md5"),
      }),
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

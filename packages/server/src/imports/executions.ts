import { recordTimestamp } from "../records/timestamp.ts";
import { executions, type Execution } from "../domain/ioc/executions.ts";
import { readIndicatorValue } from "../domain/ioc/values.ts";
import type { Importer, LineProblem } from "./kind.ts";

type Line = Omit<Execution, "domains" | "ip_addresses"> &
  Partial<Pick<Execution, "domains" | "ip_addresses">>;

const text = (description: string, maxLength: number) => ({
  description,
  type: "string",
  minLength: 1,
  maxLength,
});

/** Process executions, one a line; they exist by import only. */
export const executionImporter: Importer<Line, Execution> = {
  resource: executions,
  schema: {
    $schema: "https://json-schema.org/draft/2020-12/schema",
    title: "A process execution",
    type: "object",
    additionalProperties: false,
    required: ["id", "device_id", "started_on"],
    properties: {
      id: {
        title: "pid:<device id>:<digits>",
        description: "Identifies the process; a line with a known id is left alone.",
        type: "string",
        pattern: "^pid:[0-9a-f]{32}:[0-9]{1,20}$",
      },
      device_id: {
        title: "32 lower-case hexadecimal digits",
        description: "The device that the process ran on.",
        type: "string",
        pattern: "^[0-9a-f]{32}$",
      },
      started_on: {
        description: "When the process started.",
        type: "string",
        format: "date-time",
        maxLength: 35,
      },
      file_name: text("Name of the executed file.", 512),
      command_line: text("Command line of the process.", 32_768),
      user_name: text("User that the process ran as.", 256),
      sha256: text("SHA-256 of the executed file, in any case.", 64),
      md5: text("MD5 of the executed file, in any case.", 32),
      domains: {
        description: "Domains that the process looked up. Left out, none.",
        type: "array",
        maxItems: 1_000,
        items: text("A domain.", 200),
      },
      ip_addresses: {
        description: "Addresses that the process exchanged data with. Left out, none.",
        type: "array",
        maxItems: 1_000,
        items: text("An IPv4 or IPv6 address.", 45),
      },
    },
  },
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

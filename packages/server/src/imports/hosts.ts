import { readIndicatorValue } from "../domain/ioc/values.ts";
import { GroupRules } from "../inventory/group-rules.ts";
import { hosts, type Host } from "../inventory/hosts.ts";
import type { Importer, LineProblem } from "./kind.ts";

type Line = Partial<Host> & Pick<Host, "device_id" | "platform_name">;

/** Members that filters compare as IP addresses. */
const addresses: ReadonlySet<string> = new Set(
  Object.entries(hosts.fields).flatMap(([name, { type }]) => (type === "ip" ? [name] : [])),
);

/** Imports hosts, one per line. Their groups are computed when they are stored. */
export const hostImporter: Importer<Line, Host> = {
  resource: hosts,
  read: (line, { cid }) => {
    const problems: LineProblem[] = [];
    const { groups: _groups, group_hash: _hash, ...members } = line;
    const read = (name: string, value: unknown): unknown => {
      if (typeof value !== "string" || !addresses.has(name) || value === "") return value;
      const address = readIndicatorValue(value.includes(":") ? "ipv6" : "ipv4", value);
      if ("value" in address) return address.value;
      problems.push({ at: name, message: address.problem });
      return value;
    };
    const entries = Object.entries(members).map(([name, value]) => [name, read(name, value)]);
    if (problems.length > 0) return { problems };
    return { record: { ...(Object.fromEntries(entries) as Host), cid } };
  },
  begin: () => {
    let rules: GroupRules | undefined;
    return {
      complete: async (transaction, records, now) => {
        const current = await GroupRules.load(transaction, now, rules);
        rules = current;
        return (await current.apply(records)).map((record) => ({ record }));
      },
    };
  },
};

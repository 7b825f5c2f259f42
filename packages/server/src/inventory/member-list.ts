import { parseFilter, type Condition, type Filter, type Literal } from "@security-platform/fql";

/** The hosts that a static group lists. */
export interface MemberList {
  readonly device_ids: readonly string[];
  readonly hostnames: readonly string[];
}

/** The rule of a static group: both lists. An empty list is written as one empty text. */
export const memberListText = ({ device_ids, hostnames }: MemberList): string =>
  `device_id:${listText(device_ids)},hostname:${listText(hostnames)}`;

const listText = (values: readonly string[]): string =>
  `[${(values.length === 0 ? [""] : values).map(quoted).join(",")}]`;

const quoted = (value: string): string => `'${value.replaceAll(/['\\]/g, "\\$&")}'`;

/** A group may list more hosts than a filter may have values. */
const limits = { bytes: Infinity, listItems: Infinity };

/**
 * Reads the rule of a static group: lists of `device_id` and `hostname`, joined by a comma. Empty
 * texts are ignored. Null for any other filter. Throws `FqlSyntaxError`.
 */
export function readMemberList(text: string): MemberList | null {
  const members = { device_id: new Set<string>(), hostname: new Set<string>() };
  for (const condition of alternatives(parseFilter(text, limits))) {
    const { property, operator, negated, value } = condition;
    const name = property.toLowerCase();
    if (name !== "device_id" && name !== "hostname") return null;
    if (operator !== "=" || negated) return null;
    for (const item of value.kind === "list" ? value.items : [value]) {
      const member = textOf(item);
      if (member === null) return null;
      if (member !== "") members[name].add(member);
    }
  }
  return { device_ids: [...members.device_id], hostnames: [...members.hostname] };
}

/** The conditions of a list. For any other filter, the result is a condition that no list can contain. */
function alternatives(filter: Filter): readonly Condition[] {
  if (filter.kind === "everything") return [];
  if (filter.kind === "condition") return [filter];
  const conditions = filter.operands.filter((operand) => operand.kind === "condition");
  const isList = filter.kind === "or" && conditions.length === filter.operands.length;
  return isList ? conditions : [notAList];
}

const notAList: Condition = {
  kind: "condition",
  property: "",
  operator: "=",
  negated: true,
  value: { kind: "null" },
};

function textOf(literal: Literal): string | null {
  if (literal.kind === "string") return literal.value;
  return literal.kind === "number" ? literal.text : null;
}

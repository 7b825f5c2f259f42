import { tokensOf } from "../read/pointer.ts";

/** `#/components/schemas/User/properties/address/properties/city` → `User.address.city`. */
export function memberOf(pointer: string): string | undefined {
  const tokens = tokensOf(pointer.replace(/^[^#]*#/, "")) ?? [];
  const isComponent = tokens[0] === "components" && tokens[1] === "schemas";
  const names = tokens.slice(isComponent ? 3 : 0).flatMap((token, index, all) => {
    if (all[index - 1] === "properties") return [token];
    return token === "items" ? ["[]"] : [];
  });
  const all = [...(isComponent && tokens[2] !== undefined ? [tokens[2]] : []), ...names];
  if (all.length === 0) return undefined;
  return all.join(".").replaceAll(".[]", "[]");
}

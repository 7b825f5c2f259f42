/** Which executions show a value: a hash that ran, a domain or an address that was talked to. */
import { canonicalIp, type Predicate } from "@security-platform/fql";
import type { IndicatorType } from "./indicators.ts";

/** `value` in its canonical spelling. */
export function executionsShowing(type: IndicatorType, value: string): Predicate {
  switch (type) {
    case "sha256":
    case "md5":
      return equal(type, value);
    case "domain":
      return equal("domains", value);
    case "all_subdomains":
      return {
        kind: "or",
        operands: [
          equal("domains", value),
          { kind: "glob", field: "domains", parts: ["", `.${value}`], fold: true },
        ],
      };
    case "ipv4":
    case "ipv6":
      return equal("ip_addresses", canonicalIp(value) ?? value);
  }
}

/** Import stores these fields in lower case, so nothing is left to fold. */
const equal = (field: string, value: string): Predicate => ({
  kind: "equal",
  field,
  value,
  fold: false,
});

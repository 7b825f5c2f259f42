import { canonicalIp, where, type Predicate } from "@security-platform/fql";
import type { IndicatorType } from "./indicators.ts";

/**
 * Executions that show an indicator's value: a file with the hash, or a connection to the domain or
 * address. `value` is in canonical spelling, as in imported records.
 */
export function executionsShowing(type: IndicatorType, value: string): Predicate {
  switch (type) {
    case "sha256":
    case "md5":
      return where.equal(type, value);
    case "domain":
      return where.equal("domains", value);
    case "all_subdomains":
      return where.any(where.equal("domains", value), {
        kind: "glob",
        field: "domains",
        parts: ["", `.${value}`],
        fold: true,
      });
    case "ipv4":
    case "ipv6":
      return where.equal("ip_addresses", canonicalIp(value) ?? value);
  }
}

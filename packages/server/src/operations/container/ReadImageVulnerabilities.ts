import { findAdvisories } from "../../domain/container/advisories/find-advisories.ts";
import { readDistribution } from "../../domain/container/advisories/packages.ts";
import type { Handler } from "../../calls/handler.ts";

export const ReadImageVulnerabilities: Handler<"ReadImageVulnerabilities"> = async ({
  body,
  caller,
  context,
  now,
}) => {
  const { applicationPackages = [], osversion, packages } = body;
  const { matchContents } = await import("../../domain/container/advisories/match.ts");
  const { vulnerabilities, unmatched } = await matchContents(
    { packages, applications: applicationPackages, distribution: readDistribution(osversion) },
    findAdvisories(context.store, caller.cid, now),
  );
  return {
    kind: "object",
    object: {
      Vulnerabilities: vulnerabilities.map((Vulnerability) => ({ Vulnerability })),
      ...(unmatched.length === 0 ? {} : { Unmatched: unmatched }),
    },
  };
};

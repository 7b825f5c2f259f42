import type { components } from "@security-platform/spec";
import type { Severity } from "../advisories/severity.ts";
import type { ImageReport } from "../scans/scans.ts";

type Log = components["schemas"]["SarifLog"];
type Rule = components["schemas"]["SarifRule"];
type Result = components["schemas"]["SarifResult"];

/** The location of a package that no file declares. */
const packageDatabase = "image";

/** A report as SARIF 2.1.0: a rule for each vulnerability or check, a result for each finding. */
export function toSarif(report: ImageReport): Log {
  const rules = new Map<string, Rule>();
  const results: Result[] = [];
  const paths = declaringPaths(report);
  for (const { Vulnerability } of report.Vulnerabilities ?? []) {
    const { CVEID, Details, Product, FixedVersions = [] } = Vulnerability;
    const { Product: name, MajorVersion: version } = Product;
    if (!rules.has(CVEID)) {
      const helpUri = (Details.references ?? []).find((url) =>
        /^https?:\/\/[^\s"<>\\^`{|}]+$/.test(url),
      );
      rules.set(CVEID, {
        id: CVEID,
        ...(Details.description === undefined
          ? {}
          : { shortDescription: { text: Details.description } }),
        ...(helpUri === undefined ? {} : { helpUri }),
      });
    }
    const fix =
      FixedVersions.length === 0
        ? "no fix is known"
        : `${FixedVersions.join(" or ")} ${FixedVersions.length === 1 ? "does" : "do"} not have it`;
    results.push({
      ruleId: CVEID,
      level: levelOf(Details.severity),
      message: { text: `${name} ${version} has ${CVEID}; ${fix}.` },
      locations: [locationOf(paths.get(`${name}\n${version}`) ?? packageDatabase)],
    });
  }
  for (const { Detection } of report.Detections ?? []) {
    const { Name, Severity, Title, Description, Path, Line } = Detection;
    if (!rules.has(Name)) rules.set(Name, { id: Name, shortDescription: { text: Name } });
    results.push({
      ruleId: Name,
      level: levelOf(Severity),
      message: { text: Description === undefined ? Title : `${Title}. ${Description}` },
      locations: [locationOf(Path ?? packageDatabase, Line)],
    });
  }
  return {
    $schema: "https://json.schemastore.org/sarif-2.1.0.json",
    version: "2.1.0",
    runs: [
      { tool: { driver: { name: "security-platform", rules: [...rules.values()] } }, results },
    ],
  };
}

/** The files that declare libraries, by `<name>\n<version>`. */
function declaringPaths({ ApplicationPackages }: ImageReport): ReadonlyMap<string, string> {
  const paths = new Map<string, string>();
  for (const { libraries } of ApplicationPackages) {
    for (const { Name = "", Version = "", Path = "" } of libraries) {
      if (Path !== "") paths.set(`${Name}\n${Version}`, Path);
    }
  }
  return paths;
}

/** The path is relative to the root of the image. */
function locationOf(path: string, line = 0): Result["locations"][number] {
  const uri = path
    .replace(/^\/+/, "")
    .split("/")
    .map((segment) => encodeURIComponent(segment))
    .join("/");
  return {
    physicalLocation: {
      artifactLocation: { uri },
      ...(line > 0 ? { region: { startLine: line } } : {}),
    },
  };
}

function levelOf(severity: Severity): Result["level"] {
  if (severity === "critical" || severity === "high") return "error";
  if (severity === "medium" || severity === "unknown") return "warning";
  return severity === "low" ? "note" : "none";
}

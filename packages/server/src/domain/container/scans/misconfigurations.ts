import { RE2JS } from "re2js";
import type { NewDetection } from "./detection.ts";
import type { ScanInventory } from "./scans.ts";

type Inventory = ScanInventory["inventory"];

/** Ports of services that no container should expose. */
const riskyPorts: ReadonlyMap<string, string> = new Map([
  ["21/tcp", "FTP"],
  ["22/tcp", "SSH"],
  ["23/tcp", "Telnet"],
  ["2375/tcp", "the Docker API without TLS"],
  ["3389/tcp", "RDP"],
]);

/** Misconfigurations in the configuration, the build steps and the files of an image, place by place. */
export function* misconfigurationsOf(
  inventory: Inventory,
  reference: string,
): Iterable<readonly NewDetection[]> {
  yield ofConfiguration(inventory);
  yield ofTag(inventory, reference);
  yield ofBuildSteps(inventory);
  for (const binary of inventory.ELFBinaries) yield ofBinary(binary);
}

function ofConfiguration({ Config, ConfigInfo }: Inventory): NewDetection[] {
  const detections: NewDetection[] = [];
  const user = Config.config?.User ?? ConfigInfo.User ?? "";
  if (/^(|root|0)(:|$)/.test(user)) {
    detections.push({
      Type: "misconfiguration",
      Name: "runs-as-root",
      Severity: "medium",
      Title: "The container runs as root",
      Remediation: "Create a user in the image, and name it with USER.",
    });
  }
  const ports = { ...ConfigInfo.ExposedPorts, ...Config.config?.ExposedPorts };
  for (const port of Object.keys(ports)) {
    const service = riskyPorts.get(port.includes("/") ? port : `${port}/tcp`);
    if (service === undefined) continue;
    detections.push({
      Type: "misconfiguration",
      Name: "risky-port",
      Severity: "medium",
      Title: `The image exposes ${port}, ${service}`,
      Remediation: "Do not expose the port.",
    });
  }
  return detections;
}

function ofTag({ ImageInfo }: Inventory, reference: string): NewDetection[] {
  const tag = ImageInfo.Tag ?? /:([^/:@]+)(?:@|$)/.exec(reference)?.[1];
  if (tag !== "latest") return [];
  return [
    {
      Type: "misconfiguration",
      Name: "latest-tag",
      Severity: "low",
      Title: "The tag of the image is latest",
      Description: "Nobody can tell which version of the image runs, or return to the one before.",
      Remediation: "Give each version a tag of its own.",
    },
  ];
}

/** Checks of one build step each. */
const stepChecks: readonly (Omit<NewDetection, "Title"> & {
  /** A pattern for re2js, which needs time in proportion to the text: an image may have any text in its steps. */
  readonly pattern: string;
  readonly title: string;
})[] = [
  {
    pattern: String.raw`^ADD (?:--\S+ )*(?:http|https|ftp)://`,
    title: "A build step adds a file from a URL",
    Type: "misconfiguration",
    Name: "add-from-url",
    Severity: "medium",
    Description: "ADD does not check what it downloads.",
    Remediation: "Download the file in a RUN step that checks its hash, or pass --checksum to ADD.",
  },
  {
    pattern: String.raw`\b(?:curl|wget)\b[^|;&]*\s(?:-k|--insecure|--no-check-certificate)(?:\s|$)|--allow-unauthenticated\b|--allow-untrusted\b|--nogpgcheck\b|--trusted-host[ =]`,
    title: "A build step does not check where its files come from",
    Type: "misconfiguration",
    Name: "unverified-download",
    Severity: "medium",
    Remediation: "Keep the checks of certificates and signatures on.",
  },
  {
    pattern: String.raw`\bchmod\s+(?:-\S+\s+)*(?:0?777|a\+rwx|ugo\+rwx)\b`,
    title: "A build step lets every user change files",
    Type: "misconfiguration",
    Name: "world-writable-files",
    Severity: "medium",
    Remediation: "Give the rights to one user or group only.",
  },
];

/** Compiled at first use, which takes longer than the rest of the module. */
const compiled = new Map<string, RE2JS>();

function compiledPattern(pattern: string): RE2JS {
  let found = compiled.get(pattern);
  if (found === undefined) {
    found = RE2JS.compile(pattern);
    compiled.set(pattern, found);
  }
  return found;
}

function ofBuildSteps({ Config }: Inventory): NewDetection[] {
  const steps = (Config.history ?? []).map(({ created_by = "" }) => instructionOf(created_by));
  const detections = stepChecks.flatMap(({ pattern, title, ...check }): NewDetection[] => {
    const step = steps.find(
      (each) => compiledPattern(pattern).test(each) && !/--checksum=/.test(each),
    );
    return step === undefined
      ? []
      : [{ ...check, Title: `${title}: ${step.slice(0, 200).replaceAll(/\s+/g, " ")}` }];
  });
  // Histories without these instructions were not created from a Dockerfile, so they cannot be
  // checked.
  const isDockerfile = steps.some((step) => /^(?:CMD|ENTRYPOINT) /.test(step));
  if (isDockerfile && !steps.some((step) => step.startsWith("HEALTHCHECK "))) {
    detections.push({
      Type: "cis",
      Name: "no-healthcheck",
      Severity: "low",
      Title: "The image has no HEALTHCHECK",
      Description: "The CIS benchmark for Docker asks for one in 4.6.",
      Remediation: "Add a HEALTHCHECK instruction, unless the orchestrator checks the container.",
    });
  }
  return detections;
}

/** `/bin/sh -c #(nop)  ADD …` and `RUN /bin/sh -c … # buildkit` as the Dockerfile has them. */
function instructionOf(step: string): string {
  return step
    .replace(/^\/bin\/sh -c #\(nop\)\s*/, "")
    .replace(/(?<!\s)\s*# buildkit$/, "")
    .trim();
}

function ofBinary({ Path, Permissions }: Inventory["ELFBinaries"][number]): NewDetection[] {
  const detections: NewDetection[] = [];
  if (/^.{3}s/.test(Permissions)) {
    detections.push({
      Type: "misconfiguration",
      Name: "setuid-binary",
      Severity: "low",
      Title: `${Path} runs with the rights of its owner`,
      Remediation: "Remove the setuid bit if nothing needs it.",
      Path,
    });
  }
  if (/^.{8}w/.test(Permissions)) {
    detections.push({
      Type: "misconfiguration",
      Name: "world-writable-binary",
      Severity: "medium",
      Title: `Every user can change ${Path}`,
      Remediation: "Take the right to write from others.",
      Path,
    });
  }
  return detections;
}

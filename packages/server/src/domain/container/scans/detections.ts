import type { components } from "@security-platform/spec";
import { newUuid } from "../../../identifiers.ts";
import type { ScanInventory } from "./scans.ts";

export type ImageDetection = components["schemas"]["ImageDetection"];
type Inventory = ScanInventory["inventory"];
type HighEntropyFile = components["schemas"]["HighEntropyFile"];

/** Patterns whose strings are secrets for certain, by a word of their names. */
const certainSecrets = /private.?key|aws|github|gitlab|slack|stripe|token|jwt|password/i;

/** Everything that an inventory shows beside vulnerabilities: secrets, malware, misconfigurations. */
export function detectionsOf({
  inventory,
  high_entropy_strings = [],
}: ScanInventory): readonly ImageDetection[] {
  const files = [...high_entropy_strings, ...(inventory.interesting_strings ?? [])];
  return [
    ...malwareIn(inventory),
    ...secretsIn(files),
    ...secretsInEnvironment(inventory),
    ...misconfigurationsOf(inventory),
  ];
}

function malwareIn({ ELFBinaries }: Inventory): ImageDetection[] {
  return ELFBinaries.filter(({ Malicious }) => Malicious).map(({ Path, Hash, LayerHash }) => ({
    ID: newUuid(),
    Type: "malware",
    Name: "malicious-file",
    Severity: "critical",
    Title: clip(`Malware in ${Path}`),
    Description: `The scanner considers the file with the hash ${Hash} malware.`,
    Remediation: "Remove the file, and find out how it got into the image.",
    Path,
    ...(LayerHash === undefined ? {} : { LayerHash }),
  }));
}

function secretsIn(files: readonly HighEntropyFile[]): ImageDetection[] {
  const seen = new Set<string>();
  return files.flatMap(({ Path, LayerHash, Strings }) =>
    Strings.flatMap(({ Line, Name, RegexName }): ImageDetection[] => {
      const key = JSON.stringify([Path, Line, Name, RegexName, LayerHash]);
      if (seen.has(key)) return [];
      seen.add(key);
      const named = Name === undefined || Name === "" ? "" : ` (${Name})`;
      return [
        {
          ID: newUuid(),
          Type: "secret",
          Name: RegexName,
          Severity: certainSecrets.test(RegexName) ? "critical" : "high",
          Title: clip(`Secret in ${Path}${named}`),
          Description: clip(`Line ${Line} has a string that matches ${RegexName}.`),
          Remediation: "Revoke the secret, and pass a new one to the container at run time.",
          Path,
          Line,
          ...(LayerHash === undefined ? {} : { LayerHash }),
        },
      ];
    }),
  );
}

/** Names of variables whose values are secrets, unless they name a file. */
const secretVariable = /(PASSWORD|PASSWD|SECRET|TOKEN|API_?KEY|PRIVATE_?KEY|ACCESS_?KEY)(_ID)?$/i;

function secretsInEnvironment({ Config, ConfigInfo }: Inventory): ImageDetection[] {
  const variables = new Set([...(Config.config?.Env ?? []), ...(ConfigInfo.Env ?? [])]);
  return [...variables].flatMap((variable): ImageDetection[] => {
    const end = variable.indexOf("=");
    const name = variable.slice(0, end);
    if (end < 1 || end === variable.length - 1 || !secretVariable.test(name)) return [];
    return [
      {
        ID: newUuid(),
        Type: "secret",
        Name: "secret-in-environment",
        Severity: "high",
        Title: clip(`The variable ${name} of the image has a value`),
        Description: "Everybody who can pull the image can read its variables.",
        Remediation: "Remove the variable from the image, and set it when the container starts.",
      },
    ];
  });
}

/** Ports of services that no container should expose. */
const riskyPorts: ReadonlyMap<string, string> = new Map([
  ["21/tcp", "FTP"],
  ["22/tcp", "SSH"],
  ["23/tcp", "Telnet"],
  ["2375/tcp", "the Docker API without TLS"],
  ["3389/tcp", "RDP"],
]);

function misconfigurationsOf({ Config, ConfigInfo, ELFBinaries }: Inventory): ImageDetection[] {
  const found: ImageDetection[] = [];
  const add = (
    Name: string,
    Severity: ImageDetection["Severity"],
    Title: string,
    Remediation: string,
    Path?: string,
  ): void => {
    found.push({
      ID: newUuid(),
      Type: "misconfiguration",
      Name,
      Severity,
      Title: clip(Title),
      Remediation,
      ...(Path === undefined ? {} : { Path }),
    });
  };
  const user = Config.config?.User ?? ConfigInfo.User ?? "";
  if (/^(|root|0)(:|$)/.test(user)) {
    add(
      "runs-as-root",
      "medium",
      "The container runs as root",
      "Create a user in the image, and name it with USER.",
    );
  }
  const ports = { ...ConfigInfo.ExposedPorts, ...Config.config?.ExposedPorts };
  for (const port of Object.keys(ports)) {
    const service = riskyPorts.get(port.includes("/") ? port : `${port}/tcp`);
    if (service === undefined) continue;
    add("risky-port", "medium", `The image exposes ${port}, ${service}`, "Do not expose the port.");
  }
  for (const { Path, Permissions } of ELFBinaries) {
    if (/^.{3}s/.test(Permissions)) {
      add(
        "setuid-binary",
        "low",
        `${Path} runs with the rights of its owner`,
        "Remove the setuid bit if nothing needs it.",
        Path,
      );
    }
    if (/^.{8}w/.test(Permissions)) {
      add(
        "world-writable-binary",
        "medium",
        `Every user can change ${Path}`,
        "Take the right to write from others.",
        Path,
      );
    }
  }
  return found;
}

function clip(title: string): string {
  return title.length > 512 ? `${title.slice(0, 511)}…` : title;
}

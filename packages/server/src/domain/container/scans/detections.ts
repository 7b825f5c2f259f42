import type { components } from "@security-platform/spec";
import { pause } from "../../../foundation/work-turns.ts";
import { assignedSecret, findSecrets, isLockFile, isSecretValue } from "../secrets/find-secrets.ts";
import { isIdentifier } from "../secrets/randomness.ts";
import type { ImageDetection, NewDetection } from "./detection.ts";
import { misconfigurationsOf } from "./misconfigurations.ts";
import type { ScanInventory } from "./scans.ts";

type Inventory = ScanInventory["inventory"];
type HighEntropyFile = components["schemas"]["HighEntropyFile"];
type ImageMlModel = components["schemas"]["ImageMlModel"];

/** Patterns whose matches are certainly secrets, identified by a word in the pattern's name. */
const certainSecrets = /private.?key|aws|github|gitlab|slack|stripe|token|jwt|password/i;

/** All findings of an inventory except vulnerabilities: secrets, malware, misconfigurations. */
export async function detectionsOf(
  body: ScanInventory,
  newId: () => string,
): Promise<readonly ImageDetection[]> {
  const detections: ImageDetection[] = [];
  for (const portion of findings(body)) {
    await pause();
    for (const each of portion) {
      detections.push({ ID: newId(), ...each, Title: clip(each.Title) });
    }
  }
  return detections;
}

/** The findings of all files, variables and build steps, one after the other. */
function* findings({
  inventory,
  original_image_name,
  high_entropy_strings = [],
}: ScanInventory): Iterable<readonly NewDetection[]> {
  const { ELFBinaries, MLModels = [], interesting_strings = [] } = inventory;
  for (const file of [...ELFBinaries, ...MLModels]) yield malwareIn(file);
  const listedSecrets = new Set<string>();
  for (const file of [...high_entropy_strings, ...interesting_strings])
    yield secretsIn(file, listedSecrets);
  const variables = environmentOf(inventory);
  for (const variable of variables) yield secretsInVariable(variable);
  for (const step of stepsOf(inventory)) yield secretsInStep(step, variables);
  yield* misconfigurationsOf(inventory, original_image_name);
}

function malwareIn({
  Malicious,
  Path,
  Hash,
  LayerHash,
}: Inventory["ELFBinaries"][number] | ImageMlModel): NewDetection[] {
  if (!Malicious) return [];
  return [
    {
      Type: "malware",
      Name: "malicious-file",
      Severity: "critical",
      Title: `Malware in ${Path}`,
      Description: `The scanner considers the file with the hash ${Hash} malware.`,
      Remediation: "Remove the file, and find out how it got into the image.",
      Path,
      ...(LayerHash === undefined ? {} : { LayerHash }),
    },
  ];
}

/** Secrets of a file that are not in `listedSecrets`, to which they are added. */
function secretsIn(
  { Path, LayerHash, Strings }: HighEntropyFile,
  listedSecrets: Set<string>,
): NewDetection[] {
  return Strings.flatMap(({ Line, Name, RegexName, String = "" }): NewDetection[] => {
    if (isHarmless(Path, RegexName, String)) return [];
    const key = JSON.stringify([Path, Line, Name, RegexName, LayerHash]);
    if (listedSecrets.has(key)) return [];
    listedSecrets.add(key);
    const named = Name === undefined || Name === "" ? "" : ` (${Name})`;
    return [
      {
        Type: "secret",
        Name: RegexName,
        Severity: certainSecrets.test(RegexName) ? "critical" : "high",
        Title: `Secret in ${Path}${named}`,
        Description: clip(`Line ${Line} has a string that matches ${RegexName}.`),
        Remediation: "Revoke the secret, and pass a new one to the container at run time.",
        Path,
        Line,
        ...(LayerHash === undefined ? {} : { LayerHash }),
      },
    ];
  });
}

/** Patterns that only check randomness. Lock files contain many such texts. */
const randomnessOnly = /entropy|generic|assigned|random|base64|hex/i;

/** Whether the reported secret is only the hash of a package or a UUID. */
function isHarmless(path: string, pattern: string, text: string): boolean {
  return randomnessOnly.test(pattern) && (isLockFile(path) || isIdentifier(text));
}

function environmentOf({ Config, ConfigInfo }: Inventory): ReadonlySet<string> {
  return new Set([...(Config.config?.Env ?? []), ...(ConfigInfo.Env ?? [])]);
}

/** Names of variables whose values are secrets. */
const secretVariable =
  /(PASSWORD|PASSWD|PASSPHRASE|SECRET(_?KEY)?|TOKEN|CREDENTIALS?|(API|ACCESS|PRIVATE|SIGNING|ENCRYPTION|AUTH)_?KEY)(_ID)?$/i;
/** A variable of the image that only names a file with a secret, or that a shell fills in. */
const harmlessValue = /^(\/|\.\/|file:|\$|<|true$|false$|none$|null$)/i;

function secretsInVariable(variable: string): NewDetection[] {
  const end = variable.indexOf("=");
  const name = variable.slice(0, end);
  const value = variable.slice(end + 1);
  if (end < 1 || value === "" || harmlessValue.test(value)) return [];
  const [secret] = findSecrets(value).filter(({ pattern }) => pattern !== assignedSecret);
  if (!secretVariable.test(name) && secret === undefined) return [];
  return [
    {
      Type: "secret",
      Name: "secret-in-environment",
      Severity: secret === undefined ? "high" : "critical",
      Title: `The variable ${name} of the image has a value`,
      Description: "Everybody who can pull the image can read its variables.",
      Remediation: "Remove the variable from the image, and set it when the container starts.",
    },
  ];
}

function stepsOf({ Config, Layers }: Inventory): ReadonlySet<string> {
  return new Set([
    ...(Config.history ?? []).map(({ created_by = "" }) => created_by),
    ...Layers.map(({ CreatedBy }) => CreatedBy),
  ]);
}

/**
 * Secrets in build steps stay in the history of the image, even if a later layer removes their
 * file.
 */
function secretsInStep(step: string, variables: ReadonlySet<string>): NewDetection[] {
  const instruction = step.replace(/^\/bin\/sh -c #\(nop\)\s*/, "").trim();
  // Variables of the image are reported separately.
  if (instruction.startsWith("ENV ") && variables.has(instruction.slice(4).trim())) return [];
  const argument = /^ARG ([A-Za-z_]\w*)=(.+)$/.exec(instruction);
  const secrets = [
    ...findSecrets(instruction).map(({ name, pattern }) => name || pattern),
    ...(argument !== null && isSecretValue(argument[1] ?? "", argument[2] ?? "")
      ? [argument[1] ?? ""]
      : []),
  ];
  return [...new Set(secrets)].slice(0, 1).map((name) => ({
    Type: "secret",
    Name: "secret-in-build-step",
    Severity: "high",
    Title: `A build step of the image contains a secret (${name})`,
    Description: "Everybody who can pull the image can read its build steps.",
    Remediation: "Revoke the secret, and pass a new one to the build as a secret mount.",
  }));
}

function clip(title: string): string {
  return title.length > 512 ? `${title.slice(0, 511)}…` : title;
}

import { didYouMean } from "../options/read-choice.ts";
import type { CliContext } from "../terminal/cli-context.ts";
import { CommandError, exitCodes } from "../terminal/exit-codes.ts";
import { variablesOf } from "./setting.ts";
import { settings } from "./table.ts";

/** Variables of other commands, of the client, of `compose.yaml`, and of programs that `secplat exec` starts. */
export const otherVariables: readonly string[] = [
  "SECPLAT_CID",
  "SECPLAT_CLIENT_ID",
  "SECPLAT_CLIENT_SECRET",
  "SECPLAT_CONFIG",
  "SECPLAT_DEBUG",
  "SECPLAT_MEMBER_CID",
  "SECPLAT_PROFILE",
  "SECPLAT_PROFILES",
  "SECPLAT_TENANT",
  "SECPLAT_TOKEN",
  "SECPLAT_URL",
  "SECPLAT_VERSION",
  "SECPLAT_WORKER_ASSIGNMENT",
];

/** The ends of variables that Kubernetes sets for a service, such as `_PORT_80_TCP_ADDR`. */
const ofKubernetes = [
  /_SERVICE_HOST$/,
  /_SERVICE_PORT$/,
  /_SERVICE_PORT_[A-Z0-9_]{1,63}$/,
  /_PORT_\d{1,5}_(?:TCP|UDP)(?:_(?:ADDR|PORT|PROTO))?$/,
];

/** Kubernetes sets such variables for a service whose name begins with `secplat`. */
const isOfKubernetes = (name: string): boolean => ofKubernetes.some((end) => end.test(name));

/** The variables that a server reads, and those of others. */
const knownVariables: readonly string[] = [...settings.flatMap(variablesOf), ...otherVariables];

/** What is wrong with the names of variables, which nothing would read. */
export const variableProblems = ({
  environment,
}: Pick<CliContext, "environment">): readonly string[] =>
  Object.keys(environment)
    .filter((name) => name.startsWith("SECPLAT_") && !knownVariables.includes(name))
    .filter((name) => !isOfKubernetes(name))
    .map((name) => `${name} is no setting; unset it.${didYouMean(name, knownVariables)}`);

export function refuseUnknownVariables(context: Pick<CliContext, "environment">): void {
  const problems = variableProblems(context);
  if (problems.length > 0) throw new CommandError(problems.join("\n"), exitCodes.usage);
}

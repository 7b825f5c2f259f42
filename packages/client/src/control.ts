/** A client of the control plane, for tests: `secplat serve --dev` and `secplat exec` serve it. */
import { environmentVariable } from "./credentials/environment.ts";
import { control, type ControlMethods } from "./generated/control.ts";
import type { Authorization } from "./sending/outgoing.ts";
import { Connection } from "./sending/connection.ts";
import { checkOptions, type ConnectionOptions } from "./sending/options.ts";

export type * from "./generated/control.ts";
export type { ControlOperationId } from "./generated/names.ts";

export interface ControlOptions extends Pick<
  ConnectionOptions,
  "fetch" | "hooks" | "timeoutMilliseconds" | "userAgent"
> {
  /** URL of the server, without `/_control`. Default: `SECPLAT_URL`. */
  readonly baseUrl?: string | undefined;
}

/** The control plane accepts requests from the same machine, and needs no token. */
const authorization: Authorization = {
  get: () => Promise.resolve(undefined),
  discard: () => false,
};

/**
 * Creates a client of the control plane, which needs no credentials. Throws a `TypeError` or a `RangeError` for
 * invalid options. `timeoutMilliseconds` has no default, because operations respond when their work has ended.
 */
export function createControlClient(options: ControlOptions = {}): ControlMethods {
  const { baseUrl = environmentVariable("SECPLAT_URL"), timeoutMilliseconds = Infinity } = options;
  if (baseUrl === undefined) {
    throw new TypeError("there is no URL of the server; set baseUrl, or SECPLAT_URL");
  }
  const settings = checkOptions({
    ...options,
    baseUrl: `${baseUrl.replace(/(?<!\/)\/+$/, "")}/_control`,
    timeoutMilliseconds,
    clientId: "control",
    clientSecret: "none",
    // Not all operations may act twice, and the server is on this machine.
    retries: 0,
  });
  return control(new Connection({ ...settings, authorization }));
}

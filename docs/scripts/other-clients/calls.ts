import calls from "./calls.json" with { type: "json" };

/** A method of FalconPy. */
export interface FalconPyCall {
  /** `IOC`. */
  readonly class: string;
  /** `indicator_create`. */
  readonly method: string;
  /** False if it sends everything in the body. */
  readonly takesQuery?: boolean;
}

/** A method of gofalcon. */
export interface GofalconCall {
  /** Member of the client: `Ioc`. */
  readonly member: string;
  /** Package below `falcon/client`: `ioc`. */
  readonly package: string;
  readonly method: string;
  /** Go types of the parameters by their names, without the context and the HTTP client. */
  readonly parameters: Readonly<Record<string, string>>;
  /** Results before the error. */
  readonly results: number;
  /** Whether the first result has a payload. */
  readonly payload: boolean;
  /** Whether the content is written to a writer that the caller passes. */
  readonly writer: boolean;
}

/** A command of PSFalcon with the parameters of one of its requests. */
export interface PSFalconCall {
  /** `New-FalconIoc`. */
  readonly command: string;
  readonly parameters: readonly PSFalconParameter[];
}

export interface PSFalconParameter {
  readonly name: string;
  /** Other names, among them that of the request: `host_groups`. */
  readonly aliases?: readonly string[];
  /** `string[]`. */
  readonly type: string;
  /** The only values that it accepts. Those of `Sort` are left out. */
  readonly values?: readonly string[];
  readonly mandatory?: boolean;
}

/** How other clients call one operation. */
export interface OtherCalls {
  readonly falconpy?: FalconPyCall;
  readonly gofalcon?: GofalconCall;
  readonly psfalcon?: PSFalconCall;
}

interface CallsFile {
  /** Versions of the clients from which the calls were read. */
  readonly versions: Readonly<Record<keyof OtherCalls, string>>;
  readonly operations: Readonly<Record<string, OtherCalls>>;
}

const file: CallsFile = calls;

export const clientVersions = file.versions;

/** The calls of other clients for an operation; empty if no client has it. */
export const otherCalls = (operationId: string): OtherCalls => file.operations[operationId] ?? {};

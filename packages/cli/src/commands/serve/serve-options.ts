import type { LogLevel } from "@security-platform/server/internal";
import type { FilesOptions } from "../../database/files.ts";
import type { ResultOptions } from "../../terminal/print-result.ts";
import type { TlsOptions } from "./tls.ts";

/** Options of `secplat serve` without the limits, which `readLimits` reads. */
export interface ServeOptions extends FilesOptions, ResultOptions, TlsOptions {
  readonly host: string;
  readonly port: number;
  readonly workers: number;
  /** Absent: the default. */
  readonly databaseConnections?: number;
  /** Absent: the database serves all reads. */
  readonly databaseReplica?: string;
  /** Absent: no metrics. */
  readonly metricsPort?: number;
  readonly metricsHost: string;
  readonly publicUrl?: string;
  readonly trustProxy?: readonly string[];
  readonly corsOrigin?: readonly string[];
  readonly demo: boolean;
  readonly compat?: boolean;
  /** The other name of `compat`. */
  readonly envelope?: boolean;
  readonly docs?: boolean | string;
  readonly dev?: boolean;
  readonly companion: boolean;
  readonly jobs: boolean;
  /** Drain delay in seconds. */
  readonly drainDelay: number;
  readonly smtpUrl?: string;
  readonly mailFrom?: string;
  readonly allowNetwork?: readonly string[];
  readonly pagerdutyUrl: string;
  readonly rtrRoot?: string;
  readonly logLevel: LogLevel;
}

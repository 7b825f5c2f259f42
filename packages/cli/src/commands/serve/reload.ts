import {
  systemClock,
  type createLogger,
  type RunningServer,
} from "@security-platform/server/internal";
import type { CliContext } from "../../terminal/cli-context.ts";
import { lifetimeProblem } from "./certificate-files.ts";
import type { ServeOptions } from "./serve-options.ts";
import { openTls } from "./tls.ts";

/** Reads the files of the certificate again. If they cannot be used, the server keeps the old certificate. */
export async function reloadCertificate(
  options: ServeOptions,
  context: CliContext,
  server: Pick<RunningServer, "useCertificate">,
  logger: Pick<ReturnType<typeof createLogger>, "info" | "warn" | "error">,
): Promise<void> {
  try {
    const tls = await openTls(options, context);
    if (tls !== null) server.useCertificate(tls.config);
    const problem = tls === null ? null : lifetimeProblem(tls.config.cert, systemClock.now());
    if (problem !== null) logger.warn(problem);
    logger.info(
      tls === null ? "SIGHUP changes nothing without TLS" : "the certificate was read again",
    );
  } catch (error) {
    logger.error(
      { err: error },
      "the certificate could not be read again; the old one stays in use",
    );
  }
}

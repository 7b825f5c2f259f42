import type { FastifyInstance, FastifyRequest } from "fastify";
import type { FaultRule } from "./fault-rule.ts";
import type { Faults } from "./faults.ts";
import { errors } from "../../errors.ts";
import { isLoopbackHost, isLoopbackOrigin } from "../loopback.ts";
import { faultProblems } from "./read-fault.ts";

/** `/_control`, for development only. `secplat serve --dev` adds it and then binds only to loopback. */
export async function routeControl(app: FastifyInstance, faults: Faults): Promise<void> {
  await app.register(async (control) => {
    control.addHook("onRequest", requireThisMachine);
    addRoutes(control, faults);
  });
}

/**
 * Refuses requests of pages of other origins, and host names that do not belong to this machine (DNS
 * rebinding). Both can make a browser on this machine send requests.
 */
function requireThisMachine(
  { headers: { host, origin } }: FastifyRequest,
  _reply: unknown,
  done: (error?: Error) => void,
): void {
  if (!isLoopbackHost(host)) {
    done(errors.forbidden("headers.host: expected localhost or a loopback address"));
  } else if (origin !== undefined && !isLoopbackOrigin(origin)) {
    done(errors.forbidden("headers.origin: expected a page of this machine"));
  } else {
    done();
  }
}

function addRoutes(app: FastifyInstance, faults: Faults): void {
  app.post("/_control/faults", (request, reply) => {
    const problems = faultProblems(request.body).map(({ at, message }) => ({
      at: at === "" ? "body" : `body.${at}`,
      message,
    }));
    if (problems.length > 0) throw errors.invalidRequest(problems);
    faults.add(request.body as FaultRule);
    return reply.code(204).send();
  });
  app.delete("/_control/faults", (_request, reply) => {
    faults.clear();
    return reply.code(204).send();
  });
}

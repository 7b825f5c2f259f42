import { servedDocument } from "@security-platform/spec";
import type { FastifyInstance, FastifyRequest } from "fastify";
import { faultStatuses, type Faults, type FaultStatus } from "./faults.ts";
import { errors, type Problem } from "../../errors.ts";
import { isLoopbackHost, isLoopbackOrigin } from "../loopback.ts";
import { suggestion } from "../../validation/suggestion.ts";

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
    const { operationId, status, times } = readFault(request.body);
    faults.force(operationId, status, times);
    return reply.code(204).send();
  });
  app.delete("/_control/faults", (_request, reply) => {
    faults.clear();
    return reply.code(204).send();
  });
}

const members = ["operation_id", "status", "times"];

function readFault(body: unknown): { operationId: string; status: FaultStatus; times: number } {
  if (body === null || typeof body !== "object" || Array.isArray(body)) {
    const message = `expected an object with ${members.join(", ")}`;
    throw errors.invalidRequest([{ at: "body", message }]);
  }
  const { operation_id, status, times = 1 } = body as Record<string, unknown>;
  const ids: string[] = servedDocument().operations.map(({ id }) => id);
  const problems: Problem[] = Object.keys(body)
    .filter((name) => !members.includes(name))
    .map((name) => ({ at: `body.${name}`, message: `unknown field${suggestion(name, members)}` }));
  if (!ids.includes(String(operation_id))) {
    problems.push({
      at: "body.operation_id",
      message: `no such operation${suggestion(String(operation_id), ids)}`,
    });
  }
  if (!faultStatuses.includes(status as FaultStatus)) {
    problems.push({ at: "body.status", message: `expected one of ${faultStatuses.join(", ")}` });
  }
  if (!Number.isInteger(times) || Number(times) < 1 || Number(times) > 1_000) {
    problems.push({ at: "body.times", message: "expected an integer from 1 to 1000" });
  }
  if (problems.length > 0) throw errors.invalidRequest(problems);
  return {
    operationId: String(operation_id),
    status: status as FaultStatus,
    times: Number(times),
  };
}

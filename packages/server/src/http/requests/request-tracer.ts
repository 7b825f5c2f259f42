import type { ServedOperation } from "@security-platform/spec";
import type { FastifyReply, FastifyRequest } from "fastify";

/** Follows requests for a trace. */
export interface RequestTracer {
  /** Begins to follow a request, until its response is complete or its connection is closed. */
  begin(request: FastifyRequest, reply: FastifyReply, operation: ServedOperation): void;
  /** Does work for a request, which belongs to its trace. */
  within<Result>(request: FastifyRequest, work: () => Result): Result;
}

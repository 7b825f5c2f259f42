import type { OperationId } from "@security-platform/spec";
import type { Answer } from "./answer.ts";
import type { Awaitable } from "./awaitable.ts";
import type { Call } from "./call.ts";

export type Handler<Id extends OperationId = OperationId> = (call: Call<Id>) => Awaitable<Answer>;

/** One handler for each operation of the document. A missing one does not compile. */
export type OperationHandlers = { readonly [Id in OperationId]: Handler<Id> };

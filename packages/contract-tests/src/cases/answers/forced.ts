import type { Case } from "../case.ts";
import type { CaseContext } from "../case-context.ts";
import { documents, type Generator } from "../generator.ts";

/** Answers that nobody can provoke from outside; the target is asked to give them. */
const forcedStatuses = [429, 500, 503] as const;

export const forced: Generator = (operation) =>
  forcedStatuses
    .filter((status) => documents(operation, status))
    .map((status): Case => ({
      operation,
      status,
      law: "answer",
      title: "forced by the target",
      needs: ["faults"],
      alone: true,
      run: (context) => force(context, status),
    }));

async function force(context: CaseContext, status: number): Promise<void> {
  const { faults } = context.run;
  if (faults === null) return;
  // Everything that the request needs is there before the fault is: only the request is to meet it.
  const parts = context.happy(await context.readable());
  await faults({ operationId: context.operation.id, status });
  const answer = await context.send(parts, { limited: true });
  context.needStatus(answer, status);
  if (status === 500) {
    const { trace_id } = ((answer.json as { meta?: object } | undefined)?.meta ?? {}) as {
      trace_id?: string;
    };
    context.check(
      answer,
      answer.text.includes(trace_id ?? "?"),
      "the message does not name its trace id",
    );
    const leaks = /\bat .+:\d+:\d+|node_modules|SELECT |\.ts\b/.exec(answer.text)?.[0];
    context.check(answer, leaks === undefined, "the answer tells of the inside of the server", {
      got: leaks,
    });
  }
}

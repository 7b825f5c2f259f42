import { compatQuirks } from "@security-platform/spec";
import { validRequests } from "../../recipes/happy-request.ts";
import { messagesOf } from "../../target/answer.ts";
import { requestViolations } from "../../violations/violations.ts";
import type { Case } from "../case.ts";
import { documents, type Generator } from "../generator.ts";

/**
 * Requests that the document does not allow are rejected with 400, and the message contains the
 * place.
 */
export const badRequest: Generator = (operation, { conformance, recipes }) => {
  if (!documents(operation, 400)) return [];
  const subject = { namespace: "ct00000000000000", records: [{}, {}] };
  const cases = new Map<string, Case>();
  // For existing clients, some invalid members have another status.
  const others = Object.keys(compatQuirks(operation).invalid ?? {});
  const isOther = (name: string) => others.some((member) => name.startsWith(`body.${member} `));
  for (const { build } of validRequests(conformance.contract, recipes, operation)) {
    for (const violation of requestViolations(conformance, operation, build(subject))) {
      if (cases.has(violation.name)) continue;
      if (conformance.compat && (violation.isAbsent === true || isOther(violation.name))) continue;
      cases.set(violation.name, {
        operation,
        status: 400,
        law: violation.law,
        title: violation.name,
        needs: [],
        run: async (context) => {
          const answer = await context.send(violation.apply(build(await context.refusable())));
          context.needStatus(answer, 400);
          const text = messagesOf(answer).join("\n");
          for (const names of violation.named) {
            const namesPlace = names.some((name) => text.includes(name));
            context.checkMessage(answer, namesPlace, "the message does not name the place", {
              expected: names.join(" or "),
              got: text,
            });
          }
        },
      });
    }
  }
  return [...cases.values()];
};

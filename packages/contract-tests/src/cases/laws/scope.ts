import { messagesOf } from "../../target/answer.ts";
import type { Case } from "../case.ts";
import { documents, type Generator } from "../generator.ts";

/** The documented scope is sufficient; all other scopes together are not. */
export const scopeLaw: Generator = (operation) => {
  const { scope } = operation;
  if (scope === null) return [];
  const sufficient: Case = {
    operation,
    status: operation.successStatus,
    law: "scope",
    title: `${scope} alone is enough`,
    needs: [],
    run: async (context) => {
      const parts = context.happy(await context.own());
      const answer = await context.send(parts, {
        access: { kind: "tenant", tenant: "own", scopes: [scope] },
      });
      context.needStatus(answer, operation.successStatus);
    },
  };
  const insufficient: Case = {
    operation,
    status: 403,
    law: "scope",
    title: `every scope but ${scope} does not suffice`,
    needs: ["second scope"],
    run: async (context) => {
      const all = await context.run.target.scopes("own");
      const scopes = all.filter((each) => each !== scope);
      const parts = context.happy(await context.refusable());
      const answer = await context.send(parts, {
        access: { kind: "tenant", tenant: "own", scopes },
      });
      context.needStatus(answer, 403);
      const text = messagesOf(answer).join("\n");
      context.checkMessage(answer, text.includes(scope), "the message does not name the scope", {
        expected: scope,
        got: text,
      });
      const challenge = answer.headers["www-authenticate"] ?? "";
      const named = challenge.includes("insufficient_scope") && challenge.includes(scope);
      context.check(answer, named, "WWW-Authenticate does not ask for the scope", {
        expected: `Bearer … error="insufficient_scope", scope="${scope}"`,
        got: challenge,
      });
    },
  };
  return documents(operation, 403) ? [sufficient, insufficient] : [sufficient];
};

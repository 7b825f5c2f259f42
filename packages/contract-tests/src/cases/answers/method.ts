import type { Operation } from "../../contract.ts";
import { emptyRequest } from "../../requests/request.ts";
import type { Generator } from "../generator.ts";

const methods = ["get", "put", "post", "patch", "delete"] as const;

/** An unsupported method: 405 with `Allow`. Tested once for each path. */
export const wrongMethod: Generator = (operation, { conformance }) => {
  const onPath = conformance.contract.operations.filter(({ path }) => path === operation.path);
  const method = methods.find((candidate) => !onPath.some((other) => other.method === candidate));
  if (onPath[0]?.id !== operation.id || method === undefined) return [];
  const other: Operation = { ...operation, method };
  const expected = onPath.map((each) => each.method.toUpperCase()).toSorted();
  return [
    {
      operation,
      status: 405,
      law: "answer",
      title: `${method.toUpperCase()} ${operation.path}`,
      needs: [],
      run: async (context) => {
        const answer = await context.send(emptyRequest, { operation: other });
        context.needStatus(answer, 405);
        const allowed = (answer.headers["allow"] ?? "")
          .split(",")
          .map((each) => each.trim())
          .toSorted();
        context.check(
          answer,
          String(allowed) === String(expected),
          "Allow does not list the methods",
          {
            expected: expected.join(", "),
            got: answer.headers["allow"],
          },
        );
      },
    },
  ];
};

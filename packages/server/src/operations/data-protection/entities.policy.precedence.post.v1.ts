import { setOrders } from "../../domain/data-protection/policies/order.ts";
import { writePolicies } from "../../domain/data-protection/policies/write.ts";
import type { Handler } from "../../calls/handler.ts";

/** Answers with the policies of each platform in their new order. */
export const entitiesPolicyPrecedencePostV1: Handler<"entities.policy.precedence.post.v1"> = (
  call,
) =>
  writePolicies(call, (writing) => {
    const requested = call.body.resources.map(({ platform, precedence }, index) => ({
      at: `body.resources[${index}]`,
      platform,
      ids: precedence,
    }));
    return setOrders(writing, requested);
  });

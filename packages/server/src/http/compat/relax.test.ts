import { expect, test } from "vitest";
import { IgnoredMembers } from "./ignored-members.ts";
import { relax } from "./relax.ts";
import { ValueRules } from "./value-rules.ts";

const schema = {
  type: "object",
  additionalProperties: {
    type: "object",
    additionalProperties: { $ref: "#/components/schemas/IdentityGraphqlVariables" },
  },
};

/** An object in an object, and so on, that counts how often its members are read. */
function nested(levels: number, count: () => void): object {
  let value: object = {};
  for (let level = 0; level < levels; level += 1) {
    value = new Proxy(
      { a: value },
      {
        ownKeys: (target) => {
          count();
          return Reflect.ownKeys(target);
        },
      },
    );
  }
  return value;
}

function reads(levels: number): number {
  let count = 0;
  relax(new ValueRules([schema]), { v: nested(levels, () => (count += 1)) }, new IgnoredMembers());
  return count;
}

test("an object in many others is read in proportion to its levels", () => {
  expect(reads(40)).toBeGreaterThan(40);
  expect(reads(80)).toBeLessThan(2.5 * reads(40));
});

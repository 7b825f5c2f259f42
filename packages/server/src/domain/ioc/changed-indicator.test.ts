import { expect, test } from "vitest";
import { changedIndicator, changeWarnings, type Changes } from "./changed-indicator.ts";
import { newIndicator } from "./new-indicator.ts";
import type { Indicator } from "./indicators.ts";

const created = new Date("2026-03-01T12:00:00.000Z");
const later = { actor: "second", now: new Date("2026-03-02T12:00:00.000Z") };

function stored(): Indicator {
  const result = newIndicator(
    {
      type: "sha256",
      value: "A".repeat(64),
      platforms: ["windows"],
      action: "detect",
      severity: "high",
      description: "first",
      source: "feed",
      tags: ["one"],
      applied_globally: true,
      metadata: { filename: "a.exe" },
      expiration: "2026-03-01T18:00:00.000Z",
    },
    { actor: "first", now: created },
    "body",
  );
  if ("problems" in result) throw new Error(JSON.stringify(result.problems));
  return result.indicator;
}

const change = (changes: Changes) => changedIndicator(stored(), changes, later, "body");
const changed = (changes: Changes): Indicator => {
  const result = change(changes);
  if ("problems" in result) throw new Error(JSON.stringify(result.problems));
  return result.indicator;
};

test("absent members stay, modification members change", () => {
  const { id: _id, ...before } = stored();
  const { id: _sameId, ...after } = changed({});
  expect(after).toEqual({
    ...before,
    modified_by: "second",
    modified_on: "2026-03-02T12:00:00.000Z",
  });
});

test("null and the empty text clear a member, the empty list is stored", () => {
  const after = changed({
    description: null,
    source: null,
    expiration: null,
    metadata: { filename: null },
    tags: [],
  });
  expect(after.description).toBe("");
  expect(after).not.toHaveProperty("source");
  expect(after).not.toHaveProperty("expiration");
  expect(after.metadata).toEqual({ av_hits: -1, signed: false });
  expect(after.tags).toEqual([]);
  expect(changed({ description: "" }).description).toBe("");
  expect(changed({ action: "allow", severity: null }).severity).toBe("");
  expect(changed({ action: "allow", severity: "" }).severity).toBe("");
});

test("the result must be valid", () => {
  expect(change({ severity: null })).toMatchObject({ problems: [{ at: "body.severity" }] });
  expect(change({ platforms: ["ios"] })).toMatchObject({ problems: [{ at: "body.platforms[0]" }] });
  expect(change({ applied_globally: false })).toMatchObject({
    problems: [{ at: "body.host_groups" }],
  });
});

test("host groups alone take the place of all hosts", () => {
  const host_groups = ["a".repeat(32)];
  expect(changed({ host_groups })).toMatchObject({ applied_globally: false, host_groups });
  expect(change({ host_groups, applied_globally: true })).toMatchObject({
    problems: [{ at: "body.host_groups" }],
  });
  expect(changed({ host_groups: [] }).applied_globally).toBe(true);
});

test("type and value cannot change; the stored ones may be sent", () => {
  expect(changed({ type: "sha256", value: "a".repeat(64) }).value).toBe("a".repeat(64));
  expect(change({ type: "md5", value: "b".repeat(64) })).toMatchObject({
    problems: [{ at: "body.type" }, { at: "body.value" }],
  });
});

test("a new expiration must be in the future, a stored one need not", () => {
  expect(changed({ description: "x" }).expiration).toBe("2026-03-01T18:00:00.000Z");
  expect(change({ expiration: "2026-03-01T18:00:00.000Z" })).toMatchObject({
    problems: [{ at: "body.expiration" }],
  });
  const expiration = "2026-03-02T22:00:00.000Z";
  expect(changed({ expiration }).expiration).toBe(expiration);
});

test("warnings are about changed members only", () => {
  const indicator = {
    ...stored(),
    value: "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
  };
  const warn = (changes: Changes) => changeWarnings(indicator, changes, later.now, "body").length;
  expect(warn({ description: "x" })).toBe(0);
  expect(warn({ action: "prevent" })).toBe(1);
});

test("members keep their order after any change", () => {
  const order = Object.keys(stored());
  const emptied = changed({ description: null, metadata: { filename: null } });
  const refilled = changedIndicator(
    emptied,
    { description: "back", metadata: { filename: "b.exe" } },
    later,
    "body",
  );
  expect("indicator" in refilled && Object.keys(refilled.indicator)).toEqual(order);
  expect("indicator" in refilled && Object.keys(refilled.indicator.metadata)).toEqual(
    Object.keys(stored().metadata),
  );
});

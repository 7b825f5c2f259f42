import type { JsonObject } from "../json.ts";
import type { RuleId } from "../rules/rules.ts";
import { lifecycleOf } from "./lifecycle.ts";

const stabilities = ["draft", "alpha", "beta", "stable"];

/** Compares the deprecation and sunset of an operation or a part of one. */
export function compareLifecycle(
  kind: "operation" | "parameter" | "property" | "security-scheme",
  base: readonly JsonObject[],
  revision: readonly JsonObject[],
  today: Date,
  report: (rule: RuleId, message: string) => void,
): void {
  const before = lifecycleOf(base);
  const after = lifecycleOf(revision);
  const words = kind === "property" ? "the member" : `the ${kind.replace("-", " ")}`;
  if (!before.isDeprecated && after.isDeprecated) {
    if (after.hasDate) report(`${kind}-deprecated`, `${words} is deprecated`);
    else report(`${kind}-deprecated-without-date`, `${words} is deprecated, without a date`);
    if (after.sunset?.date !== undefined && after.sunset.date <= today) {
      report("sunset-too-soon", `${words} is to end on ${after.sunset.text}, which is past`);
    }
  }
  if (before.isDeprecated && !after.isDeprecated) {
    report(`${kind}-reactivated`, `${words} is no longer deprecated`);
  }
  if (after.sunset !== undefined && after.sunset.text !== before.sunset?.text) {
    if (after.sunset.date === undefined) {
      report("sunset-unreadable", `the end ${after.sunset.text} is no date such as 2030-12-31`);
    } else if (before.sunset?.date !== undefined && after.sunset.date < before.sunset.date) {
      report(
        "sunset-brought-forward",
        `the end was on ${before.sunset.text} and is on ${after.sunset.text} now`,
      );
    }
  }
  if (before.sunset !== undefined && after.sunset === undefined && after.isDeprecated) {
    report("sunset-removed", `the end on ${before.sunset.text} is no longer announced`);
  }
  compareStability(base, revision, words, report);
}

function compareStability(
  base: readonly JsonObject[],
  revision: readonly JsonObject[],
  words: string,
  report: (rule: RuleId, message: string) => void,
): void {
  const levelOf = (nodes: readonly JsonObject[]) =>
    nodes.find((node) => node["x-stability-level"] !== undefined)?.["x-stability-level"];
  const [before = "stable", after = "stable"] = [levelOf(base), levelOf(revision)];
  if (before === after) return;
  const [from, to] = [before, after].map((level) => stabilities.indexOf(String(level)));
  const text = `from ${String(before)} to ${String(after)}`;
  if (to === undefined || to < 0) {
    report("stability-unknown", `${words} has the unknown stability ${String(after)}`);
  } else if (from !== undefined && to < from) {
    report("stability-decreased", `the stability of ${words} went down ${text}`);
  } else report("stability-increased", `the stability of ${words} went up ${text}`);
}

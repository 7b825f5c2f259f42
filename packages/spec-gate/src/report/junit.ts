import type { Finding } from "../change.ts";
import { isBreaking, type Judgement } from "./report.ts";

/** One suite for each operation, one case for each change; breaking ones fail. */
export function junitReport(judgement: Judgement): string {
  const suites = new Map<string, Finding[]>();
  for (const finding of judgement.changes) {
    const name = finding.operations[0] ?? "document";
    const group = suites.get(name) ?? [];
    group.push(finding);
    suites.set(name, group);
  }
  const lines = ['<?xml version="1.0" encoding="UTF-8"?>'];
  const failed = (group: readonly Finding[]) =>
    group.filter((finding) => isBreaking(judgement, finding)).length;
  const { changes, failures } = judgement;
  const total = Math.max(changes.length + failures.length, 1);
  lines.push(
    `<testsuites name="spec-gate" tests="${total}" failures="${failed(changes) + failures.length}">`,
  );
  for (const [name, group] of suites) {
    lines.push(
      `  <testsuite name="${escape(name)}" tests="${group.length}" failures="${failed(group)}">`,
    );
    for (const finding of group) lines.push(...testCase(judgement, name, finding));
    lines.push("  </testsuite>");
  }
  if (failures.length > 0 || changes.length === 0) {
    const count = failures.length === 0 ? 1 : failures.length;
    lines.push(`  <testsuite name="gate" tests="${count}" failures="${failures.length}">`);
    for (const { rule, place, message } of failures) {
      lines.push(
        `    <testcase classname="gate" name="${escape(`${rule} ${place}`)}">`,
        `      <failure type="${escape(rule)}" message="${escape(message)}"/>`,
        "    </testcase>",
      );
    }
    if (failures.length === 0) lines.push('    <testcase classname="gate" name="no change"/>');
    lines.push("  </testsuite>");
  }
  lines.push("</testsuites>");
  return `${lines.join("\n")}\n`;
}

function testCase(judgement: Judgement, suite: string, finding: Finding): readonly string[] {
  const { rule, direction, place, message } = finding;
  const head = `    <testcase classname="${escape(suite)}" name="${escape(`${rule} (${direction}) ${place}`)}"`;
  if (!isBreaking(judgement, finding)) return [`${head}/>`];
  return [
    `${head}>`,
    `      <failure type="${escape(rule)}" message="${escape(message)}">${escape(`${place}: ${message}`)}</failure>`,
    "    </testcase>",
  ];
}

const escape = (text: string): string =>
  text
    // Characters that are not allowed in XML 1.0.
    .replaceAll(/[^\t\n\r\u0020-\uD7FF\uE000-\uFFFD\u{10000}-\u{10FFFF}]/gu, "\uFFFD")
    .replaceAll("&", "&amp;")
    .replaceAll("<", "&lt;")
    .replaceAll(">", "&gt;")
    .replaceAll('"', "&quot;")
    .replaceAll(/[\r\n]/g, "&#10;");

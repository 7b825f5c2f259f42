import { groupBy } from "../group-by.ts";
import { spotText, type Report, type ReportedChange } from "./model.ts";

/** One suite for each operation, one case for each change; breaking ones fail. */
export function junitReport({ changes, failures, notes }: Report): string {
  const suites = groupBy(changes, ({ operations }) => operations[0] ?? "document");
  const lines = ['<?xml version="1.0" encoding="UTF-8"?>'];
  const failed = (group: readonly ReportedChange[]) => group.filter(({ breaks }) => breaks).length;
  const total = Math.max(changes.length + failures.length, 1);
  lines.push(
    `<testsuites name="spec-gate" tests="${total}" failures="${failed(changes) + failures.length}">`,
  );
  for (const [name, group] of suites) {
    lines.push(
      `  <testsuite name="${escape(name)}" tests="${group.length}" failures="${failed(group)}">`,
    );
    for (const change of group) lines.push(...testCase(name, change));
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
  if (notes.length > 0) {
    lines.push(
      '  <testsuite name="notes" tests="0" failures="0">',
      `    <system-out>${escape(notes.join("\n"))}</system-out>`,
      "  </testsuite>",
    );
  }
  lines.push("</testsuites>");
  return `${lines.join("\n")}\n`;
}

function testCase(suite: string, change: ReportedChange): readonly string[] {
  const { rule, direction, place, message, breaks, approval, who, fix, locations, values } = change;
  const head = `    <testcase classname="${escape(suite)}" name="${escape(`${rule} (${direction}) ${place}`)}"`;
  if (approval !== null) {
    const words = `approved: ${approval.reason} (until ${approval.expiry})`;
    return [`${head}>`, `      <system-out>${escape(words)}</system-out>`, "    </testcase>"];
  }
  if (!breaks) return [`${head}/>`];
  const text = [
    `${place}: ${message}`,
    `before ${spotText(locations.base)}: ${values.base ?? "absent"}`,
    `after ${spotText(locations.revision)}: ${values.revision ?? "absent"}`,
    `${who} ${fix}`,
  ].join("\n");
  return [
    `${head}>`,
    `      <failure type="${escape(rule)}" message="${escape(message)}">${escape(text)}</failure>`,
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

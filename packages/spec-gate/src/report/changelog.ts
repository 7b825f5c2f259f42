import type { ChangelogFormat } from "../command-line.ts";
import type { Direction, Verdict } from "../change.ts";
import { code, plainText } from "./markup.ts";
import { firstFew, schemaUrl, type Report } from "./model.ts";
import { escapeHtml } from "./html.ts";

/** The changes of one version, for users of the API. */
export interface ChangelogEntry {
  readonly version: string;
  /** Such as `2030-12-31`. */
  readonly date: string;
  readonly verdict: Verdict | null;
  readonly changes: readonly ChangelogItem[];
}

export interface ChangelogItem {
  readonly rule: string;
  readonly verdict: Verdict;
  readonly direction: Direction;
  readonly message: string;
  /** Empty if all operations change. */
  readonly operations: readonly string[];
  /** Such as `Thing.name`. */
  readonly members: readonly string[];
}

const titles: Readonly<Record<Exclude<Verdict, "none">, string>> = {
  major: "Breaking changes",
  minor: "Additions",
  patch: "Other changes",
};
const order = ["major", "minor", "patch"] as const;

export function entryOf(report: Report, today: Date): ChangelogEntry {
  const { causes, changes, revision, verdict } = report;
  return {
    version: revision.version,
    date: today.toISOString().slice(0, 10),
    verdict,
    changes: order.flatMap((each) =>
      causes
        .filter((cause) => cause.verdict === each)
        .map(({ rule, direction, message, operations, changes: own }) => ({
          rule,
          verdict: each,
          direction,
          message,
          operations,
          members: [...new Set(own.flatMap((index) => changes[index]?.member ?? []))],
        })),
    ),
  };
}

/** A changelog entry in Markdown, for users of the API. */
export const changelogEntry = (report: Report, today: Date): string =>
  entryText(entryOf(report, today));

function entryText({ version, date, changes }: ChangelogEntry): string {
  const lines = [`## ${plainText(version)} (${date})`, ""];
  for (const verdict of order) {
    const sentences = changes
      .filter((change) => change.verdict === verdict)
      .map((change) => `- ${sentence(change, code, plainText)}`);
    if (sentences.length === 0) continue;
    lines.push(`### ${titles[verdict]}`, "", ...new Set(sentences), "");
  }
  if (lines.length === 2) lines.push("Nothing changes for clients.", "");
  return lines.join("\n");
}

function sentence(
  { operations, members, direction, message }: ChangelogItem,
  asCode: (text: string) => string,
  asText: (text: string) => string,
): string {
  const where =
    operations.length === 0
      ? asCode("All operations")
      : firstFew(operations)
          .map((each, index) => (index === 5 ? each : asCode(each)))
          .join(", ");
  const of =
    members.length === 0
      ? ""
      : ` (${firstFew(members).map(asCode).join(", ")} in the ${direction})`;
  return `${where}${of}: ${asText(message)}.`;
}

const title = "Changes of the document";

/** The address of `changelog.schema.json`. */
const changelogSchema = schemaUrl("changelog");

const asHtmlCode = (text: string): string => `<code>${escapeHtml(text)}</code>`;

function entryHtml({ version, date, changes }: ChangelogEntry): string {
  const lines = [`<h2>${escapeHtml(version)} (${date})</h2>`];
  for (const verdict of order) {
    const sentences = changes
      .filter((change) => change.verdict === verdict)
      .map((change) => `<li>${sentence(change, asHtmlCode, escapeHtml)}</li>`);
    if (sentences.length === 0) continue;
    lines.push(`<h3>${titles[verdict]}</h3>`, "<ul>", ...new Set(sentences), "</ul>");
  }
  if (lines.length === 1) lines.push("<p>Nothing changes for clients.</p>");
  return lines.join("\n");
}

/** A changelog of several versions, the newest first. */
export const changelogs = {
  markdown: (entries: readonly ChangelogEntry[]): string =>
    `${[`# ${title}`, ...entries.map((each) => entryText(each).trim())].join("\n\n")}\n`,
  json: (entries: readonly ChangelogEntry[]): string =>
    `${JSON.stringify({ $schema: changelogSchema, version: 1, entries }, null, 2)}\n`,
  html: (entries: readonly ChangelogEntry[]): string =>
    [
      "<!doctype html>",
      '<html lang="en">',
      "<head>",
      '<meta charset="utf-8">',
      '<meta name="viewport" content="width=device-width, initial-scale=1">',
      '<meta name="color-scheme" content="light dark">',
      `<title>${title}</title>`,
      "</head>",
      "<body>",
      `<h1>${title}</h1>`,
      ...entries.map(entryHtml),
      "</body>",
      "</html>",
      "",
    ].join("\n"),
} as const satisfies Record<ChangelogFormat, unknown>;

import { changesOf, firstFew, placesOf, type Cause, type Report } from "./model.ts";

/** GitHub shows at most this many annotations of a kind per step. */
const mostShown = 10;

/** Commands that GitHub shows as annotations, the worst first; further causes as plain lines. */
export function githubReport(report: Report): string {
  const { causes, failures, notes, conclusion } = report;
  const shown = causes.filter(({ verdict }) => verdict !== "none");
  const errors = [
    ...shown.filter(({ breaks }) => breaks).map((cause) => annotation(report, "error", cause)),
    ...failures.map(
      ({ rule, place, message }) =>
        `::error title=${property(rule)}::${data(`${place}: ${message}`)}`,
    ),
  ];
  const warnings = shown
    .filter(({ verdict, breaks }) => verdict === "major" && !breaks)
    .map((cause) => annotation(report, "warning", cause));
  const notices = [
    ...shown
      .filter(({ verdict }) => verdict !== "major")
      .map((cause) => annotation(report, "notice", cause)),
    ...notes.map((note) => `::notice title=note::${data(note)}`),
  ];
  const lines = [errors, warnings, notices].flatMap((all) => [
    ...all.slice(0, mostShown),
    ...(all.length > mostShown ? ["Not shown as annotations:"] : []),
    ...all.slice(mostShown).map(plain),
  ]);
  return `${[...lines, data(conclusion)].join("\n")}\n`;
}

function annotation(report: Report, kind: string, cause: Cause): string {
  const { rule, message, breaks, who, fix } = cause;
  const [first] = changesOf(report, cause);
  const spot = first?.locations.revision;
  const at =
    spot === undefined ? "" : `file=${property(spot.file)},line=${spot.line},col=${spot.column},`;
  const advice = breaks ? ` ${who} ${fix}` : "";
  const places = firstFew(placesOf(report, cause)).join(", ");
  return `::${kind} ${at}title=${property(rule)}::${data(`${places}: ${message}.${advice}`)}`;
}

/** `::error file=a,title=rule::text` → `  rule: text`, which is no command. */
function plain(command: string): string {
  // The colons of the properties are escaped.
  const end = command.indexOf("::", 2);
  const title = command.slice(command.lastIndexOf("title=", end) + "title=".length, end);
  return `  ${title}: ${command.slice(end + 2)}`;
}

const data = (text: string): string =>
  text.replaceAll("%", "%25").replaceAll("\r", "%0D").replaceAll("\n", "%0A");

const property = (text: string): string => data(text).replaceAll(":", "%3A").replaceAll(",", "%2C");

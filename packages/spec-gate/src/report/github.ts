import { spotsOf } from "./located.ts";
import { isBreaking, type Judgement } from "./report.ts";
import { conclusion } from "./text.ts";

/** Commands that GitHub shows as annotations. It shows at most ten of each kind per step. */
export function githubReport(judgement: Judgement): string {
  const shown = judgement.changes.filter(({ verdict }) => verdict !== "none");
  const spots = spotsOf(shown, judgement.revision, judgement.folder);
  const lines = shown.map((finding) => {
    const isError = isBreaking(judgement, finding);
    const kind = isError ? "error" : finding.verdict === "major" ? "warning" : "notice";
    const spot = spots.get(finding);
    const at = spot === undefined ? "" : `file=${property(spot.file)},line=${spot.line},`;
    return `::${kind} ${at}title=${property(finding.rule)}::${data(`${finding.place}: ${finding.message}`)}`;
  });
  for (const { rule, place, message } of judgement.failures) {
    lines.push(`::error title=${property(rule)}::${data(`${place}: ${message}`)}`);
  }
  return `${[...lines, conclusion(judgement)].join("\n")}\n`;
}

const data = (text: string): string =>
  text.replaceAll("%", "%25").replaceAll("\r", "%0D").replaceAll("\n", "%0A");

const property = (text: string): string => data(text).replaceAll(":", "%3A").replaceAll(",", "%2C");

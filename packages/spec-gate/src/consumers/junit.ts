import { SaxesParser } from "saxes";
import { CannotJudge } from "../read/cannot-judge.ts";

/** A failed test case in a JUnit report. */
export interface FailedCase {
  /** Class and name of the case. */
  readonly name: string;
  /** The failure message, if the report has one. */
  readonly message: string;
}

export interface CaseReport {
  /** Number of executed cases, without skipped ones. */
  readonly ran: number;
  readonly failed: readonly FailedCase[];
}

/** Reads a JUnit report. Throws `CannotJudge` for anything else. */
export function readCaseReport(xml: string, file: string): CaseReport {
  const parser = new SaxesParser();
  const failed: FailedCase[] = [];
  let ran = 0;
  let name = "";
  let [isFailed, isSkipped, isInside] = [false, false, false];
  let [message, text] = ["", ""];
  parser.on("opentag", (tag) => {
    const attribute = (key: string): string => String(tag.attributes[key] ?? "");
    if (tag.name === "testcase") {
      name = [attribute("classname"), attribute("name")].filter((each) => each !== "").join(" ");
      [isFailed, isSkipped, message, text] = [false, false, "", ""];
    } else if (tag.name === "failure" || tag.name === "error") {
      isInside = true;
      isFailed = true;
      message ||= attribute("message");
    } else if (tag.name === "skipped") isSkipped = true;
  });
  const keep = (part: string): void => {
    if (isInside && text.length < 1_000) text += part;
  };
  parser.on("text", keep);
  parser.on("cdata", keep);
  parser.on("closetag", (tag) => {
    if (tag.name === "failure" || tag.name === "error") isInside = false;
    if (tag.name !== "testcase" || isSkipped) return;
    ran += 1;
    if (isFailed) failed.push({ name, message: oneLine([message, text].join(" ")) });
  });
  parser.on("error", (error) => {
    throw new CannotJudge(`${file} is no JUnit report: ${error.message}`);
  });
  parser.write(xml).close();
  return { ran, failed };
}

const longest = 300;

function oneLine(text: string): string {
  const line = text.replaceAll(/\s+/g, " ").trim();
  return line.length > longest ? `${line.slice(0, longest - 1)}…` : line;
}

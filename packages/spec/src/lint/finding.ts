/** One violation of a rule in spec/. */
export interface Finding {
  readonly rule: string;
  /** Path relative to spec/. */
  readonly file: string;
  /** The line, counted from 1. */
  readonly line: number;
  readonly found: string;
  readonly expected: string;
}

/** The report of a rule; the caller adds the rule's name. */
export type Report = Omit<Finding, "rule">;

/** `ioc/paths/x.yaml:12 rule-name: found …, expected …` */
export const findingText = ({ rule, file, line, found, expected }: Finding): string =>
  `${file}:${line} ${rule}: found ${found}; expected ${expected}`;

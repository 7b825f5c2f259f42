/** One thing in spec/ that breaks a rule. */
export interface Finding {
  readonly rule: string;
  /** Path below spec/. */
  readonly file: string;
  /** From 1. */
  readonly line: number;
  readonly found: string;
  readonly expected: string;
}

/** What a rule reports; its name is added by who runs it. */
export type Report = Omit<Finding, "rule">;

/** `ioc/paths/x.yaml:12 rule-name: found …, expected …` */
export const findingText = ({ rule, file, line, found, expected }: Finding): string =>
  `${file}:${line} ${rule}: found ${found}; expected ${expected}`;

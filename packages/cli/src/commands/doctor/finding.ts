/** The result of one check. */
export interface Finding {
  readonly name: string;
  readonly status: "ok" | "warn" | "fail";
  readonly detail: string;
  /** What to do; null if all is well. */
  readonly remedy: string | null;
}

export const ok = (name: string, detail: string): Finding => ({
  name,
  status: "ok",
  detail,
  remedy: null,
});

export const warn = (name: string, detail: string, remedy: string): Finding => ({
  name,
  status: "warn",
  detail,
  remedy,
});

export const fail = (name: string, detail: string, remedy: string): Finding => ({
  name,
  status: "fail",
  detail,
  remedy,
});

import { createConformance, type CheckedResponse, type Conformance } from "./conformance.ts";
import { describeFinding, findingKey, type Finding } from "./finding.ts";

/** Collects the violations of all responses of a test run. */
export interface ConformanceRecorder {
  /** Accepts the server's `Exchange`, or any other response. */
  readonly observe: (response: CheckedResponse) => void;
  /** Number of checked responses. */
  readonly observed: () => number;
  /** Each kind of violation once. */
  readonly findings: () => readonly Finding[];
  /**
   * Throws an error with all findings; call it at the end of the tests. Also throws if nothing was
   * observed.
   */
  readonly assertClean: () => void;
}

export function conformanceRecorder(
  conformance: Conformance = sharedConformance(),
): ConformanceRecorder {
  const byKey = new Map<string, { readonly finding: Finding; times: number }>();
  let responses = 0;
  return {
    observe: (response) => {
      responses += 1;
      for (const finding of conformance.check(response)) {
        const key = findingKey(finding);
        const entry = byKey.get(key);
        if (entry === undefined) byKey.set(key, { finding, times: 1 });
        else entry.times += 1;
      }
    },
    observed: () => responses,
    findings: () => [...byKey.values()].map(({ finding }) => finding),
    assertClean: () => {
      if (responses === 0)
        throw new Error("no response was observed: the recorder is not connected");
      if (byKey.size === 0) return;
      const lines = [...byKey.values()].map(
        ({ finding, times }) =>
          `- ${describeFinding(finding)}${times > 1 ? `, ${times} times` : ""}`,
      );
      throw new Error(`responses depart from the document:\n${lines.join("\n")}`);
    },
  };
}

let shared: Conformance | undefined;

/** One set of compiled schemas per process is enough. */
function sharedConformance(): Conformance {
  shared ??= createConformance();
  return shared;
}

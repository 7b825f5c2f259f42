import cvss from "ae-cvss-calculator";
import type { components } from "@security-platform/spec";
import type { OsvAffected, OsvRecord, OsvSeverity } from "./osv.ts";
import type { Severity } from "./severity.ts";

export type Rating = components["schemas"]["VulnerabilityCvss"];

export interface Ratings {
  readonly severity: Severity;
  readonly cvss_v2_score?: Rating;
  readonly cvss_v3_score?: Rating;
  /** The rating that decides `severity`; null without a valid vector. */
  readonly score: number | null;
}

/**
 * The ratings of an advisory for one package, computed from its CVSS vectors. The newest version of
 * CVSS decides the severity. Without a valid vector, the severity of the publishing database
 * decides.
 */
export function ratingsOf(record: OsvRecord, affected: OsvAffected): Ratings {
  const own = affected.severity ?? [];
  const vectors = own.length > 0 ? own : (record.severity ?? []);
  const v4 = rate(vectors, "CVSS_V4");
  const v3 = rate(vectors, "CVSS_V3");
  const v2 = rate(vectors, "CVSS_V2");
  const best = v4 ?? v3 ?? v2;
  return {
    severity: best?.severity ?? namedSeverity(record, vectors),
    ...(v3 === undefined ? {} : { cvss_v3_score: v3 }),
    ...(v2 === undefined ? {} : { cvss_v2_score: v2 }),
    score: best?.base_score ?? null,
  };
}

function rate(vectors: readonly OsvSeverity[], type: string): Rating | undefined {
  for (const vector of vectors) {
    if (vector.type !== type) continue;
    const score = baseScore(vector.score);
    if (score === undefined) continue;
    return { severity: severityOf(score, type), base_score: score, vector: vector.score };
  }
  return undefined;
}

/** Undefined for a vector that is not valid or lacks a base metric. */
export function baseScore(vector: string): number | undefined {
  const text = vector.trim();
  // The calculator accepts vectors with unknown or missing metrics, but their ratings are
  // meaningless.
  const form = text.startsWith("CVSS:")
    ? /^CVSS:[34]\.[01](\/[A-Za-z]+:[A-Za-z]+)+$/
    : /^([A-Za-z]+:[A-Z]+)(\/[A-Za-z]+:[A-Z]+)+$/;
  if (!form.test(text) || text.length > 512) return undefined;
  try {
    const parsed = cvss.fromVector(text);
    if (parsed === null || !parsed.isBaseFullyDefined()) return undefined;
    const scores = parsed.calculateScores();
    const score = "baseMetricsOnly" in scores ? scores.baseMetricsOnly : scores.base;
    return typeof score === "number" && Number.isFinite(score) ? score : undefined;
  } catch {
    return undefined;
  }
}

/** The qualitative scale of CVSS 3 and 4; CVSS 2 has only low, medium and high. */
function severityOf(score: number, type: string): Severity {
  if (type === "CVSS_V2") return score < 4 ? "low" : score < 7 ? "medium" : "high";
  if (score === 0) return "none";
  if (score < 4) return "low";
  if (score < 7) return "medium";
  return score < 9 ? "high" : "critical";
}

const names: ReadonlyMap<string, Severity> = new Map([
  ["none", "none"],
  ["unimportant", "none"],
  ["negligible", "low"],
  ["low", "low"],
  ["moderate", "medium"],
  ["medium", "medium"],
  ["important", "high"],
  ["high", "high"],
  ["critical", "critical"],
]);

function namedSeverity(record: OsvRecord, vectors: readonly OsvSeverity[]): Severity {
  const words = [
    ...vectors.filter(({ type }) => !type.startsWith("CVSS_")).map(({ score }) => score),
    record.database_specific?.severity,
  ];
  for (const word of words) {
    const severity = typeof word === "string" ? names.get(word.toLowerCase()) : undefined;
    if (severity !== undefined) return severity;
  }
  return "unknown";
}

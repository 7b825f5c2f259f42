/** Credentials that the command line stores under a name. */
export interface Profile {
  readonly url: string;
  readonly client_id: string;
  readonly client_secret: string;
  readonly member_cid?: string;
}

/** Where profiles are stored; undefined where the runtime has no files. */
export interface Profiles {
  readonly file: string | undefined;
  /** Undefined if there is no such profile. Throws a `TypeError` if the file cannot be read. */
  read(name: string): Profile | undefined;
}

/**
 * The profiles in the content of their file, by name. They are not checked: `parseProfile` checks one.
 * Throws a `TypeError` that never repeats the content.
 */
export const parseProfiles = (file: string, text: string): Readonly<Record<string, unknown>> =>
  members(file, parseJson(file, text), "a profile for each name");

/**
 * One profile in the content of their file; undefined if there is none with this name. Throws a
 * `TypeError` that never repeats the content.
 */
export function parseProfile(file: string, text: string, name: string): Profile | undefined {
  const profile = parseProfiles(file, text)[name];
  if (profile === undefined) return undefined;
  const place = `${file}: profile ${name}`;
  const { url, client_id, client_secret, member_cid } = members(place, profile);
  const required = { url, client_id, client_secret };
  for (const [member, value] of Object.entries(required)) {
    if (typeof value !== "string" || value === "") {
      throw new TypeError(`${place}: ${member} must be a non-empty string`);
    }
  }
  if (member_cid !== undefined && (typeof member_cid !== "string" || member_cid === "")) {
    throw new TypeError(`${place}: member_cid must be a non-empty string, or be absent`);
  }
  return {
    ...(required as Omit<Profile, "member_cid">),
    ...(typeof member_cid === "string" ? { member_cid } : {}),
  };
}

/** The error of the parser would repeat a part of the file, which has secrets. */
function parseJson(file: string, text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    const [place = ""] = /\(line \d+ column \d+\)/.exec(String(error)) ?? [];
    // oxlint-disable-next-line eslint/preserve-caught-error -- its message has a part of the file
    throw new TypeError(`${file} is not JSON ${place}`.trimEnd());
  }
}

function members(
  place: string,
  value: unknown,
  expected = "url, client_id and client_secret",
): Readonly<Record<string, unknown>> {
  if (typeof value !== "object" || value === null || Array.isArray(value)) {
    throw new TypeError(`${place} must be an object with ${expected}`);
  }
  return value as Readonly<Record<string, unknown>>;
}

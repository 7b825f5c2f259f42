/** Credentials that the command line stores under a name. */
export interface Profile {
  readonly url: string;
  readonly client_id: string;
  readonly client_secret: string;
  readonly member_cid?: string;
  /**
   * A certificate that only this server needs, such as the one that `secplat serve --tls` made. The command line
   * trusts it; programs pass it to Node.js, for example by `NODE_EXTRA_CA_CERTS`.
   */
  readonly ca_file?: string;
}

/** Where profiles are stored; undefined where the runtime has no files. */
export interface Profiles {
  readonly file: string | undefined;
  /** Undefined if there is no such profile. By default the current one. Throws a `TypeError` if the file cannot be read. */
  read(name: string | undefined): Profile | undefined;
}

/** The member of the file that names the current profile. No profile can have this name. */
const currentMember = "$current";

/** The name of the profile that is used unless another one is chosen. */
export function currentProfile(file: string, text: string): string {
  const name = members(file, parseJson(file, text), profilesByName)[currentMember] ?? "default";
  if (typeof name === "string" && name !== "") return name;
  throw new TypeError(`${file}: ${currentMember} must be the name of a profile, or be absent`);
}

/** The content of the file with these profiles. */
export const printProfiles = (
  profiles: Readonly<Record<string, unknown>>,
  current: string,
): string =>
  `${JSON.stringify({ ...(current === "default" ? {} : { [currentMember]: current }), ...profiles }, null, 2)}\n`;

const profilesByName = "a profile for each name";

/**
 * The profiles in the content of their file, by name. They are not checked: `parseProfile` checks one.
 * Throws a `TypeError` that never repeats the content.
 */
export function parseProfiles(file: string, text: string): Readonly<Record<string, unknown>> {
  const { [currentMember]: _current, ...profiles } = members(
    file,
    parseJson(file, text),
    profilesByName,
  );
  return profiles;
}

/**
 * One profile in the content of their file; undefined if there is none with this name. Throws a
 * `TypeError` that never repeats the content.
 */
export function parseProfile(file: string, text: string, name: string): Profile | undefined {
  const profile = parseProfiles(file, text)[name];
  if (profile === undefined) return undefined;
  const place = `${file}: profile ${name}`;
  const { url, client_id, client_secret, ...others } = members(place, profile);
  const required = { url, client_id, client_secret };
  for (const [member, value] of Object.entries(required)) {
    if (typeof value !== "string" || value === "") {
      throw new TypeError(`${place}: ${member} must be a non-empty string`);
    }
  }
  const optional: { -readonly [Member in "member_cid" | "ca_file"]?: string } = {};
  for (const member of ["member_cid", "ca_file"] as const) {
    const value = others[member];
    if (value === undefined) continue;
    if (typeof value !== "string" || value === "") {
      throw new TypeError(`${place}: ${member} must be a non-empty string, or be absent`);
    }
    optional[member] = value;
  }
  return { ...(required as Pick<Profile, keyof typeof required>), ...optional };
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

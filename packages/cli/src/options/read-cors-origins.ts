import { InvalidArgumentError } from "commander";

const words = ["*", "loopback", "none"];

/** Reads origins as browsers send them; repeated options are combined. */
export function readCorsOrigins(text: string, before: readonly string[] = []): readonly string[] {
  const origins = text.split(",").map((part) => part.trim());
  const wrong = origins.find((origin) => !words.includes(origin) && !isOrigin(origin));
  if (wrong !== undefined) {
    throw new InvalidArgumentError(
      `${wrong.includes("@") ? "This" : `"${wrong}"`} is not an origin such as https://console.example, nor one of ${words.join(", ")}.`,
    );
  }
  const all = [...before, ...origins];
  if (!all.includes("none") || all.length === 1) return all;
  throw new InvalidArgumentError("none cannot be combined with origins.");
}

function isOrigin(text: string): boolean {
  if (!/^https?:\/\//.test(text) || !URL.canParse(text)) return false;
  return new URL(text).origin === text;
}

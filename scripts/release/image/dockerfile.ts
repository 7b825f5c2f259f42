import { readFileSync } from "node:fs";
import { join } from "node:path";

export const dockerfile = join(import.meta.dirname, "../../../packages/cli/deploy/Dockerfile");

/** Settings of an image that its Dockerfile sets, in the form of an image configuration. */
export interface ImageSettings {
  readonly config: {
    readonly User: string;
    readonly Env: readonly string[];
    readonly Entrypoint: readonly string[];
    readonly Cmd: readonly string[];
    readonly ExposedPorts: Readonly<Record<string, object>>;
    readonly Volumes: Readonly<Record<string, object>>;
    readonly StopSignal: string;
    readonly WorkingDir: string;
    readonly Healthcheck: { readonly Test: readonly string[] };
  };
  readonly labels: Readonly<Record<string, string>>;
}

/**
 * The settings of the last stage of the project's Dockerfile.
 *
 * @param values The arguments of the build.
 */
export function settingsOf(values: Readonly<Record<string, string>>): ImageSettings {
  const text = readFileSync(dockerfile, "utf8").replaceAll(/\\\n\s*/g, "");
  const lines = text.slice(text.lastIndexOf("\nFROM ")).split("\n");
  const all = (word: string): readonly string[] =>
    lines.flatMap((line) => (line.startsWith(`${word} `) ? [line.slice(word.length + 1)] : []));
  const one = (word: string): string => {
    const [found, ...others] = all(word);
    if (found === undefined || others.length > 0) throw new Error(`expected one ${word}`);
    return found;
  };
  const list = (word: string): readonly string[] => JSON.parse(one(word)) as string[];
  const defaults = Object.fromEntries(all("ARG").map((each) => each.split("=")));
  const pairs = (word: string): Readonly<Record<string, string>> =>
    Object.fromEntries(
      all(word).flatMap((each) =>
        [...each.matchAll(/([\w.]+)=(?:"([^"]*)"|(\S+))/g)].map(([, name, quoted, plain]) => [
          name,
          (quoted ?? plain ?? "").replaceAll(
            /\$\{(\w+)\}/g,
            (_, key: string) => values[key] ?? defaults[key] ?? "",
          ),
        ]),
      ),
    );
  const [, check = ""] = /CMD (\[.*\])$/.exec(one("HEALTHCHECK")) ?? [];
  return {
    config: {
      User: one("USER"),
      Env: Object.entries(pairs("ENV")).map(([name, value]) => `${name}=${value}`),
      Entrypoint: list("ENTRYPOINT"),
      Cmd: list("CMD"),
      ExposedPorts: { [`${one("EXPOSE")}/tcp`]: {} },
      Volumes: Object.fromEntries(list("VOLUME").map((path) => [path, {}])),
      StopSignal: one("STOPSIGNAL"),
      WorkingDir: "/data",
      Healthcheck: { Test: ["CMD", ...(JSON.parse(check) as string[])] },
    },
    labels: pairs("LABEL"),
  };
}

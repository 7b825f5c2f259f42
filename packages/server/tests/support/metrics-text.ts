/** A line of the text format with a value. */
export interface Sample {
  readonly name: string;
  readonly labels: Readonly<Record<string, string>>;
  readonly value: number;
}

const comment = /^# (?:HELP \w+ .+|TYPE \w+ (?:counter|gauge|histogram|summary))$/;
const sample = /^(?<name>[a-zA-Z_:][\w:]*)(?:\{(?<labels>.*)\})? (?<value>\S+)$/;
const label = /(?<name>[a-zA-Z_]\w*)="(?<value>(?:[^"\\\n]|\\["\\n])*)"(?:,|$)/gy;

/** Reads the text format of Prometheus. Throws at the first line that departs from it. */
export function readMetrics(text: string): readonly Sample[] {
  if (!text.endsWith("\n")) throw new Error("the last line has no end");
  const lines = text.split("\n").filter((line) => line !== "" && !comment.test(line));
  const samples = lines.map((line): Sample => {
    const { name = "", labels = "", value = "" } = sample.exec(line)?.groups ?? {};
    const pairs = [...labels.matchAll(label)];
    const read = pairs.reduce((length, [pair]) => length + pair.length, 0);
    const number = value === "+Inf" ? Infinity : Number(value);
    const isNumber = !Number.isNaN(number) || /^nan$/i.test(value);
    if (name === "" || value === "" || read !== labels.length || !isNumber) {
      throw new Error(`not in the text format: ${line}`);
    }
    const named = pairs.map(({ groups }) => [groups?.["name"], groups?.["value"]] as const);
    return { name, labels: Object.fromEntries(named) as Sample["labels"], value: number };
  });
  const keys = samples.map(({ name, labels }) => `${name} ${JSON.stringify(labels)}`);
  const twice = keys.find((key, at) => keys.indexOf(key) !== at);
  if (twice !== undefined) throw new Error(`two samples of ${twice}`);
  return samples;
}

/** The value of the sample that has these labels; undefined if there is none. */
export const valueOf = (
  samples: readonly Sample[],
  name: string,
  labels: Sample["labels"] = {},
): number | undefined =>
  samples.find(
    (each) =>
      each.name === name &&
      Object.entries(labels).every(([key, value]) => each.labels[key] === value),
  )?.value;

import type { Operation } from "@security-platform/spec";
import { clientVersions } from "./calls.ts";
import { falconPySample } from "./falconpy-sample.ts";
import { gofalconSample } from "./gofalcon-sample.ts";
import { psfalconSample } from "./psfalcon-sample.ts";

interface OtherSample {
  /** Language of a fenced block. */
  readonly language: string;
  readonly title: string;
  readonly source: string;
  /** What readers must know about the sample. */
  readonly note: string;
}

/** The samples of an operation for clients of other languages that have it. */
export function otherSamples(operation: Operation): readonly OtherSample[] {
  const samples = [
    {
      language: "python",
      title: "Python",
      source: falconPySample(operation),
      note: `The Python sample runs with FalconPy ${clientVersions.falconpy}.`,
    },
    {
      language: "go",
      title: "Go",
      source: gofalconSample(operation),
      note: `The Go sample was compiled with gofalcon ${clientVersions.gofalcon}, which also needs \`--tls\`.`,
    },
    {
      language: "powershell",
      title: "PowerShell",
      source: psfalconSample(operation),
      note:
        "The PowerShell sample was not run: only the names of its command and parameters were compared with " +
        `PSFalcon ${clientVersions.psfalcon}.`,
    },
  ];
  return samples.flatMap(({ source, ...rest }) => (source === null ? [] : [{ ...rest, source }]));
}

/** What the samples need; empty without samples. */
export function otherSamplesNote(operation: Operation): string {
  const notes = otherSamples(operation).map(({ note }) => note);
  if (notes.length === 0) return "";
  return [
    "Clients of other languages need a server with [`--compat`](/guides/move-existing-clients).",
    ...notes,
  ].join(" ");
}

type Parser = (text: string, before: never) => unknown;

interface Common {
  /** The key in `secplat.yaml`, and the flag without its dashes. */
  readonly name: string;
  readonly about: string;
  /** Heading in the help. */
  readonly group?: string;
}

interface Valued extends Common {
  /** What stands for the value in the help, such as a unit. */
  readonly value: string;
}

export interface IntegerSetting extends Valued {
  readonly type: "integer";
  readonly minimum: number;
  readonly maximum: number;
  readonly default?: number;
  readonly read: Parser;
}

export interface TextSetting extends Valued {
  readonly type: "text";
  readonly default?: string;
  readonly choices?: readonly string[];
  /** Throws `InvalidArgumentError`. Absent: the command reads it, and `problem` is its problem. */
  readonly read?: Parser;
  readonly problem?: (text: string, name: string) => string | null;
  /** Whether a value may have a password. Errors do not show it, and `secplat config print` only its harmless parts. */
  readonly isSecret?: true;
  /** What `false` does, and `--no-<name>`. Absent: there is no such value. */
  readonly off?: string;
}

/** Repeated flags are combined. A variable has several values, separated by commas. */
export interface ListSetting extends Valued {
  readonly type: "list";
  readonly read: Parser;
}

export interface SwitchSetting extends Common {
  readonly type: "switch";
  /** The flag of a switch that is on by default is `--no-<name>`. */
  readonly default: boolean;
  /** The flag alone has another name as well. */
  readonly alias?: string;
}

export type Setting = IntegerSetting | TextSetting | ListSetting | SwitchSetting;

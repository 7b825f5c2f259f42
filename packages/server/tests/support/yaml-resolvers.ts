/**
 * The plain scalars that parsers do not read as text: the implicit resolvers of PyYAML, `y` and `n` of the
 * YAML 1.1 types, and those of the YAML 1.2 core schema.
 */
const resolvers: readonly RegExp[] = [
  /^(?:y|Y|n|N|(?:yes|no|true|false|on|off)|(?:Yes|No|True|False|On|Off)|(?:YES|NO|TRUE|FALSE|ON|OFF))$/,
  /^(?:~|null|Null|NULL|)$/,
  // Integers: binary, octal, decimal, hexadecimal, in base 60.
  /^[-+]?0b[01_]+$/,
  /^[-+]?0[0-7_]+$/,
  /^[-+]?(?:0|[1-9][0-9_]*)$/,
  /^[-+]?0x[0-9a-fA-F_]+$/,
  /^[-+]?[1-9][0-9_]*(?::[0-5]?[0-9])+$/,
  /^(?:0o[0-7]+|[-+]?[0-9]+)$/,
  // Floating-point numbers.
  /^[-+]?[0-9][0-9_]*\.[0-9_]*(?:[eE][-+][0-9]+)?$/,
  /^[-+]?\.[0-9][0-9_]*(?:[eE][-+][0-9]+)?$/,
  /^[-+]?[0-9][0-9_]*(?::[0-5]?[0-9])+\.[0-9_]*$/,
  /^[-+]?(?:\.[0-9]+|[0-9]+(?:\.[0-9]*)?)(?:[eE][-+]?[0-9]+)?$/,
  /^(?:[-+]?\.(?:inf|Inf|INF)|\.(?:nan|NaN|NAN))$/,
  // Dates and times.
  /^[0-9]{4}-[0-9]{2}-[0-9]{2}$/,
  /^[0-9]{4}-[0-9]{1,2}-[0-9]{1,2}(?:[Tt]|[ \t]+)[0-9]{1,2}:[0-9]{2}:[0-9]{2}(?:\.[0-9]*)?(?:[ \t]*(?:Z|[-+][0-9]{1,2}(?::[0-9]{2})?))?$/,
  // Merge key, default value, and indicators of YAML itself.
  /^(?:<<|=|[!&*])$/,
];

/** Whether every parser reads a plain scalar as text. */
export const isText = (plain: string): boolean => !resolvers.some((each) => each.test(plain));

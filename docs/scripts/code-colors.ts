import light from "shiki/themes/github-light-high-contrast.mjs";
import dark from "shiki/themes/github-dark-high-contrast.mjs";
import type { MarkdownOptions } from "vitepress";

/** The themes of code in the site's light and dark theme. */
export const codeThemes = { light, dark };

/** By default, Shiki leaves the rest of a line without colours after half a second, which a busy machine may need. */
export const everyLineColored = { tokenizeTimeLimit: 0 } as const;

/** Makes VitePress colour every line. */
export const withoutTimeLimit: NonNullable<MarkdownOptions["shikiSetup"]> = (highlighter) => {
  const toHtml = highlighter.codeToHtml.bind(highlighter);
  highlighter.codeToHtml = (code, options) => toHtml(code, { ...everyLineColored, ...options });
};

type Transformer = NonNullable<MarkdownOptions["codeTransformers"]>[number];
type Line = Parameters<NonNullable<Transformer["line"]>>[0];

/** The declarations of Shiki, such as `--shiki-light:#024C1A`, with their classes. */
const classes = new Map<string, string>();
/** The declarations of most tokens, which inherit them from their block. */
const inherited = new Set<string>();

for (const [mode, theme] of Object.entries(codeThemes)) {
  const declare = (color: string): string => `--shiki-${mode}:${color.toUpperCase()}`;
  const foreground = theme.colors?.["editor.foreground"];
  if (foreground !== undefined) inherited.add(declare(foreground));
  for (const { settings } of theme.tokenColors ?? []) {
    if (settings.foreground === undefined) continue;
    const declaration = declare(settings.foreground);
    if (!classes.has(declaration)) classes.set(declaration, `${mode[0]}${classes.size}`);
  }
}

/** The style sheet of blocks of code and of the classes. */
export const codeColorStyles = (): string =>
  [
    `.vp-code { ${[...inherited].join("; ")}; }\n`,
    ...[...classes].map(([declaration, name]) => `.vp-code .${name} { ${declaration}; }\n`),
  ].join("");

/**
 * Colours code by classes. Shiki writes both colours of each token into its style, which would be more than a third of
 * a page of the reference.
 */
export const colorsAsClasses: Transformer = {
  name: "colors-as-classes",
  line(line) {
    line.children = line.children.flatMap((token) => withClasses(token));
  },
};

function withClasses(token: Line["children"][number]): Line["children"] {
  if (token.type !== "element" || typeof token.properties["style"] !== "string") return [token];
  const declarations = token.properties["style"].split(";").filter((each) => each !== "");
  const own = declarations.filter((each) => !inherited.has(each));
  const names = own.flatMap((each) => classes.get(each) ?? []);
  const others = own.filter((each) => !classes.has(each));
  if (own.length === 0) return token.children;
  const { style: _, ...properties } = token.properties;
  return [
    {
      ...token,
      properties: {
        ...properties,
        ...(names.length > 0 && { class: names.join(" ") }),
        ...(others.length > 0 && { style: others.join(";") }),
      },
    },
  ];
}

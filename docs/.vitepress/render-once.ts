import type { DefaultTheme, MarkdownRenderer } from "vitepress";

const highlighted = new Map<string, string>();

/**
 * Highlights each distinct block once. The site is built for browsers and for the server, each time with a
 * search index: without this, most of the build's time would go into highlighting the same blocks again.
 */
export function highlightOnce(markdown: MarkdownRenderer): void {
  const { highlight } = markdown.options;
  if (highlight === undefined || highlight === null) return;
  markdown.options.highlight = (code, language, attributes) => {
    const key = JSON.stringify([language, attributes, code]);
    let html = highlighted.get(key);
    if (html === undefined) {
      html = highlight(code, language, attributes);
      highlighted.set(key, html);
    }
    return html;
  };
}

type Render = NonNullable<DefaultTheme.LocalSearchOptions["_render"]>;

/** Renders a page for the search index once for both builds, unless its source changes. */
export function renderOnce(render: Render): Render {
  const pages = new Map<string, { readonly source: string; readonly html: ReturnType<Render> }>();
  return (source, env, markdown) => {
    const rendered = pages.get(env.path);
    if (rendered?.source === source) return rendered.html;
    const html = render(source, env, markdown);
    pages.set(env.path, { source, html });
    return html;
  };
}

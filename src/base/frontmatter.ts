/** A Markdown text and the YAML that may stand before it between two `---` lines. The YAML is not read here. */
export interface Frontmatter {
  readonly head?: string;
  readonly body: string;
}

/** A head that is never closed is no head: the text is given back whole. */
export function splitFrontmatter(text: string): Frontmatter {
  const opening = /^---[ \t]*\r?\n/.exec(text);
  if (opening === null) return { body: text };
  const start = opening[0].length;
  const closing = /(?:^|\n)---[ \t]*(?:\r?\n|$)/.exec(text.slice(start));
  if (closing === null) return { body: text };
  return { head: text.slice(start, start + closing.index), body: text.slice(start + closing.index + closing[0].length) };
}

/** The text with empty lines in place of its head: what follows keeps its line numbers. */
export function blankOutFrontmatter(text: string): string {
  const { body } = splitFrontmatter(text);
  const above = text.slice(0, text.length - body.length).split('\n').length - 1;
  return '\n'.repeat(above) + body;
}

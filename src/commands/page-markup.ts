import { toPrintable } from '../base/printable.ts';

/** Markup we wrote ourselves. Whatever is put into it as a text is escaped, so that no text can act in a page. */
export class Markup {
  readonly source: string;
  constructor(source: string) {
    this.source = source;
  }
}
export type MarkupPart = Markup | string | number | undefined | readonly MarkupPart[];

/** Joins markup and texts: `markup\`<p>${words}</p>\``. */
export const markup = (fixed: TemplateStringsArray, ...parts: readonly MarkupPart[]): Markup =>
  new Markup(fixed.map((piece, index) => piece + toSource(parts[index])).join(''));

function toSource(part: MarkupPart): string {
  if (part === undefined) return '';
  if (part instanceof Markup) return part.source;
  return typeof part === 'object' ? part.map(toSource).join('') : escapeHtml(String(part));
}

const ENTITIES: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' };

/** A text as it may stand between tags and in quoted attributes. What a terminal or a reader's eye could be tricked by is replaced. */
export const escapeHtml = (text: string): string => toPrintable(text).replaceAll(/[&<>"']/g, (sign) => ENTITIES[sign] ?? sign);

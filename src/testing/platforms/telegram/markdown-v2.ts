import type { JsonObject } from '../../../base/json-types.ts';
import { byteOffset, EntityError } from './entity-error.ts';

const RESERVED = '_*[]()~`>#+-=|{}.!';

type MarkType =
  | 'bold'
  | 'italic'
  | 'underline'
  | 'strikethrough'
  | 'spoiler'
  | 'code'
  | 'pre'
  | 'text_link'
  | 'custom_emoji'
  | 'blockquote';

/** What opens and closes a stretch, the longer marks first. */
const MARKS: readonly (readonly [open: string, type: MarkType, close: string])[] = [
  ['```', 'pre', '```'],
  ['`', 'code', '`'],
  ['__', 'underline', '__'],
  ['_', 'italic', '_'],
  ['*', 'bold', '*'],
  ['~', 'strikethrough', '~'],
  ['||', 'spoiler', '||'],
  ['![', 'custom_emoji', ']'],
  ['[', 'text_link', ']'],
];
/** How the server calls them in its complaints. */
const NAMES: Readonly<Record<MarkType, string>> = {
  bold: 'Bold',
  italic: 'Italic',
  underline: 'Underline',
  strikethrough: 'Strikethrough',
  spoiler: 'Spoiler',
  code: 'Code',
  pre: 'Pre',
  text_link: 'TextUrl',
  custom_emoji: 'CustomEmoji',
  blockquote: 'BlockQuote',
};

interface MarkdownV2Mark {
  readonly type: MarkType;
  readonly close: string;
  /** Where it began, in the words and in the source. */
  readonly offset: number;
  readonly at: number;
  readonly language?: string;
}

export function parseMarkdownV2(source: string): { text: string; entities: JsonObject[] } {
  const reader = new MarkdownReader(source);
  reader.read();
  return { text: reader.text, entities: reader.entities };
}

class MarkdownReader {
  text = '';
  readonly entities: JsonObject[] = [];
  readonly #source: string;
  readonly #open: MarkdownV2Mark[] = [];
  #at = 0;

  constructor(source: string) {
    this.#source = source;
  }

  read(): void {
    while (this.#at < this.#source.length) this.#step();
    if (this.#open.at(-1)?.type === 'blockquote') this.#end(this.#open.pop(), {});
    const left = this.#open.at(-1);
    if (left !== undefined)
      throw new EntityError(`Can't find end of ${NAMES[left.type]} entity at byte offset ${byteOffset(this.#source, left.at)}`);
  }

  #step(): void {
    const sign = this.#source.charAt(this.#at);
    const next = this.#source.charCodeAt(this.#at + 1);
    if (sign === '\\' && next > 0 && next < 127) return this.#take(this.#source.charAt(this.#at + 1), 2);
    const top = this.#open.at(-1);
    if (top !== undefined && this.#closes(top)) return this.#close(top);
    if (top?.type === 'code' || top?.type === 'pre') return this.#take(sign, 1);
    if (sign === '\n' && top?.type === 'blockquote') return this.#breakQuote();
    if (!RESERVED.includes(sign)) return this.#take(sign, 1);
    this.#begin(sign);
  }

  #take(sign: string, length: number): void {
    this.text += sign;
    this.#at += length;
  }

  #closes(top: MarkdownV2Mark): boolean {
    if (top.type === 'blockquote' || !this.#source.startsWith(top.close, this.#at)) return false;
    // Two of them are an underline's, never two italics'.
    return top.type !== 'italic' || this.#source.charAt(this.#at + 1) !== '_';
  }

  #close(top: MarkdownV2Mark): void {
    const closedAt = this.#at;
    this.#at += top.close.length;
    this.#open.pop();
    if (top.type !== 'text_link' && top.type !== 'custom_emoji') return this.#end(top, {});
    const url = this.#source.charAt(this.#at) === '(' ? this.#address(closedAt) : '';
    // Words in brackets without an address are words.
    if (url !== '') this.#end(top, top.type === 'text_link' ? { url } : { custom_emoji_id: url.replace(/^.*id=/, '') });
  }

  #address(closedAt: number): string {
    let url = '';
    for (this.#at += 1; this.#at < this.#source.length; this.#at += 1) {
      const sign = this.#source.charAt(this.#at);
      if (sign === ')') {
        this.#at += 1;
        return url;
      }
      if (sign === '\\') this.#at += 1;
      url += this.#source.charAt(this.#at);
    }
    throw new EntityError(`Can't find end of a URL at byte offset ${byteOffset(this.#source, closedAt)}`);
  }

  /** A quotation goes on in the next line when that begins with its mark. */
  #breakQuote(): void {
    if (this.#source.charAt(this.#at + 1) === '>') return this.#take('\n', 2);
    this.#end(this.#open.pop(), {});
    this.#take('\n', 1);
  }

  #begin(sign: string): void {
    const at = this.#at;
    const offset = this.text.length;
    if (sign === '>' && (at === 0 || this.#source.charAt(at - 1) === '\n')) {
      this.#open.push({ type: 'blockquote', close: '\n', offset, at });
      this.#at += 1;
      return;
    }
    const mark = MARKS.find(([open]) => this.#source.startsWith(open, at));
    if (mark === undefined || this.#open.some(({ type }) => type === mark[1]))
      throw new EntityError(`Character '${sign}' is reserved and must be escaped with the preceding '\\'`);
    const [open, type, close] = mark;
    this.#at += open.length;
    this.#open.push({ type, close, offset, at, ...(type === 'pre' && this.#language()) });
  }

  #language(): { language?: string } {
    const [whole = '', language = ''] = /^([^\s`]*)\n?/.exec(this.#source.slice(this.#at)) ?? [];
    if (!whole.endsWith('\n')) return {};
    this.#at += whole.length;
    return language === '' ? {} : { language };
  }

  #end(mark: MarkdownV2Mark | undefined, more: JsonObject): void {
    if (mark === undefined || this.text.length === mark.offset) return;
    const { type, offset, language } = mark;
    this.entities.push({ type, offset, length: this.text.length - offset, ...(language !== undefined && { language }), ...more });
  }
}

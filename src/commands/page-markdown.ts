import { Marked, type Tokens } from '@earendil-works/pi-tui';
import { toPrintable } from '../base/printable.ts';
import { drawCode } from './page-highlight.ts';
import { escapeHtml, markup, Markup } from './page-markup.ts';

/** Addresses a reader may follow; everything else is text. */
const FOLLOWED = /^(?:https?:\/\/|mailto:)/i;
/** The page has headings of its own above those of a message. */
const TOP_HEADING = 3;

const marked = new Marked({
  gfm: true,
  breaks: true,
  renderer: {
    html: ({ text }: Tokens.HTML | Tokens.Tag) => escapeHtml(text),
    code: ({ text, lang = '' }: Tokens.Code) => drawCode(text, lang.trim().split(/\s/)[0]).source,
    heading({ tokens, depth }: Tokens.Heading) {
      const level = Math.min(6, depth + TOP_HEADING - 1);
      return `<h${level}>${this.parser.parseInline(tokens)}</h${level}>`;
    },
    link({ href, tokens }: Tokens.Link) {
      const words = this.parser.parseInline(tokens);
      return FOLLOWED.test(href)
        ? `<a href="${escapeHtml(href)}" rel="noreferrer noopener nofollow">${words}</a>`
        : `${words} (${escapeHtml(href)})`;
    },
    // A picture that is fetched would tell its server who reads this.
    image: ({ href, text }: Tokens.Image) => markup`<span class="faint">[image: ${text === '' ? href : text}]</span>`.source,
  },
});

/** A message as its writer meant it to look. No text in it can become a tag of ours, an address that acts or a picture from elsewhere. */
export const drawMarkdown = (text: string): Markup => new Markup(marked.parse(toPrintable(text), { async: false }));

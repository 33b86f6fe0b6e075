import { detectBinaryKind, SNIFFED } from '../../files/sniff.ts';
import { detectBom, decodeText, looksLikeUtf8 } from './charset.ts';
import { toMarkdown, type ConvertedPage } from './markdown.ts';
import { extractPdfText } from './pdf.ts';

/** A page as it came. */
export interface RawPage {
  readonly url: string;
  readonly type: string;
  readonly body: Buffer;
  readonly signal: AbortSignal;
  /** The program that reads PDFs. */
  readonly pdftotext: string;
}
export type WebPageResult = (ConvertedPage & { readonly ok: true }) | { readonly ok: false; readonly reason: string };

interface PageKind {
  /** The media type, without its parameters, lower-case. */
  readonly types: RegExp;
  /** How the bytes begin, for servers that do not say. */
  readonly begins?: RegExp;
  read(raw: RawPage): Promise<WebPageResult>;
}

const asIs = async ({ body, type }: RawPage): Promise<WebPageResult> => ({ ok: true, title: '', text: decodeText(body, type).trim() });
const named =
  (what: string, cure = '') =>
  async ({ body, type }: RawPage): Promise<WebPageResult> => ({
    ok: false,
    reason: `it is ${what} (${mediaType(type) || 'no type given'}, ${body.length} bytes)${cure}`,
  });

/** What can be read, first match wins. */
const KINDS: readonly PageKind[] = [
  {
    types: /^(?:text\/html|application\/xhtml\+xml)$/,
    begins: /^\s*(?:<!--[^]{0,500}?-->\s*)?<(?:!doctype html|html|head|body|title|meta|link|h[1-6]|p|div|main|article|section|table|ul)\b/i,
    read: async ({ body, type, url, signal }) => ({ ok: true, ...(await toMarkdown(decodeText(body, type), url, signal)) }),
  },
  {
    types: /^application\/(?:x-)?pdf$/,
    begins: /^%PDF-/,
    read: async ({ body, pdftotext, signal }) => {
      const read = await extractPdfText(body, pdftotext, signal);
      return read.ok ? { ok: true, title: '', text: read.text } : read;
    },
  },
  { types: /^image\/svg\+xml$/, read: asIs },
  {
    types: /^image\//,
    begins: /^(?:\u0089PNG|\u00ff\u00d8\u00ff|GIF8|RIFF....WEBP)/s,
    read: named('an image', '; look at it with vision_analyze'),
  },
  { types: /^(?:audio|video)\//, read: named('a recording') },
  { types: /^(?:text\/|application\/(?:[\w.-]+\+)?(?:json|xml|yaml|x-yaml|javascript|x-ndjson|toml|rtf|x-sh)$)/, read: asIs },
];
const UNTOLD = /^(?:|application\/octet-stream|binary\/octet-stream|application\/x-download)$/;

/** Reads a page by what it is. */
export function readPage(raw: RawPage): Promise<WebPageResult> {
  const media = mediaType(raw.type);
  const head = raw.body.subarray(0, 1_024).toString('latin1');
  const kind = UNTOLD.test(media) ? KINDS.find(({ begins }) => begins?.test(head) ?? false) : KINDS.find(({ types }) => types.test(media));
  if (kind !== undefined) return kind.read(raw);
  return UNTOLD.test(media) && isText(raw.body) ? asIs(raw) : named('a file that is not text')(raw);
}

/** Nobody said what it is: it must be UTF-8, or hold no byte that only marks control something. */
function isText(body: Buffer): boolean {
  const head = body.subarray(0, SNIFFED);
  if (detectBom(head) !== undefined) return true;
  return detectBinaryKind(head) === undefined && (looksLikeUtf8(body) || !head.some(isControl));
}
/** Of both sets of control characters; text in an old encoding has at most the blank ones. */
const isControl = (byte: number): boolean => (byte < 0x20 && !BLANK.has(byte)) || (byte >= 0x7f && byte < 0xa0);
const BLANK: ReadonlySet<number> = new Set([0x09, 0x0a, 0x0c, 0x0d]);

const mediaType = (type: string): string => (type.split(';')[0] ?? '').trim().toLowerCase();

import { isUtf8 } from 'node:buffer';
import { simpleParser } from 'mailparser';
import { decodeHeader, dropComments } from './headers.ts';

/** Words of a mail part as they came: its own header lines, and its body as it is encoded. */
export interface EncodedText {
  readonly header: Uint8Array;
  readonly body: Uint8Array;
}
export interface DecodedNames {
  readonly subject: string;
  /** The author's name, which the author chose. */
  readonly name?: string;
}

const OPTIONS = { skipTextToHtml: true, skipImageLinks: true, skipTextLinks: true } as const;

/** Takes the encoding off a part, whatever it is: transfer encoding, character set, HTML. */
export async function decodeText({ header, body }: EncodedText): Promise<string> {
  const fields = plainFields(pickFields(header, /^content-type\s*:/i));
  const bytes = decodeTransfer(pickFields(header, /^content-transfer-encoding\s*:/i), body);
  const whole = Buffer.concat([Buffer.from(`${fixCharset(fields, bytes)}\r\n\r\n`), bytes]);
  const mail = await simpleParser(whole, { ...OPTIONS, skipHtmlToText: true });
  return cleanText(typeof mail.html === 'string' ? await readHtml(mail.html) : (mail.text ?? ''));
}

/** Subject and name of a header, with encoded words taken apart. */
export async function decodeNames(header: Uint8Array): Promise<DecodedNames> {
  const mail = await simpleParser(Buffer.from(`${pickFields(header, /^(?:subject|from)\s*:/i)}\r\n\r\n`), OPTIONS);
  const name = toLine(mail.from?.value[0]?.name ?? '');
  return { subject: toLine(mail.subject ?? ''), ...(name !== '' && { name }) };
}

async function readHtml(html: string): Promise<string> {
  const source = html
    // Cells stand beside each other, and addresses of pictures tell nobody anything.
    .replaceAll(/<(?=t[dh]\b)/gi, ' <')
    .replaceAll(/(<img\b[^>]{0,2000}?)\ssrc\s*=\s*(?:"[^"]*"|'[^']*'|[^\s>]+)/gi, '$1');
  try {
    const mail = await simpleParser(Buffer.from(`Content-Type: text/html; charset=utf-8\r\n\r\n${source}`), OPTIONS);
    return mail.text ?? '';
  } catch {
    // Nested beyond all measure: the words are there all the same.
    return source.replaceAll(/<[^<>]*>/g, ' ').replaceAll(/[^\S\n]+/g, ' ');
  }
}

const toLine = (words: string): string =>
  words
    .replaceAll(/[\p{C}\s]+/gu, ' ')
    .trim()
    .slice(0, 500);

const FIELD_START = /\r?\n(?![ \t])/;
const pickFields = (header: Uint8Array, wanted: RegExp): string =>
  decodeHeader(header)
    .split(FIELD_START)
    .filter((line) => wanted.test(line))
    .join('\r\n');

/** Comments go, and whatever is text and not HTML is read as it stands. */
const plainFields = (fields: string): string =>
  (dropComments(fields) ?? fields).replace(
    /^(content-type\s*:\s*)([^;\s]*)/im,
    (_, head: string, type: string) => `${head}${type.toLowerCase() === 'text/html' ? 'text/html' : 'text/plain'}`,
  );

const SAYS_NOTHING = /^(?:us-ascii|ascii|(?:x-)?unknown.*|binary|[78]bit|default)$/;

/** Many programs send UTF-8 and say nothing of it, or that it is ASCII. */
function fixCharset(fields: string, bytes: Uint8Array): string {
  const charset = /charset\s*=\s*"?([^\s";]+)/i.exec(fields)?.[1]?.toLowerCase();
  if (charset !== undefined && !SAYS_NOTHING.test(charset)) return fields;
  // The last sign may have been cut in two.
  const usual = [0, 1, 2, 3].some((less) => isUtf8(bytes.subarray(0, bytes.length - less))) ? 'utf-8' : 'windows-1252';
  const type = /^content-type\s*:\s*([^;\s]+)/im.exec(fields)?.[1] ?? 'text/plain';
  return `Content-Type: ${type}; charset=${usual}`;
}

/** Not left to the parser, whose reader of quoted-printable takes minutes for a long line of blanks. */
function decodeTransfer(field: string, body: Uint8Array): Buffer {
  const text = Buffer.from(body).toString('latin1');
  const encoding = /^[^:]*:\s*([\w-]+)/.exec(dropComments(field) ?? field)?.[1]?.toLowerCase();
  if (encoding === 'base64') return decodeBase64(text);
  if (encoding !== 'quoted-printable') return Buffer.from(body);
  const decoded = text
    .split('\n')
    .map(dropLastBlanks)
    .join('\r\n')
    .replaceAll('=\r\n', '')
    .replaceAll(/=([\dA-F]{2})/gi, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)));
  return Buffer.from(decoded, 'latin1');
}

/** Some programs put pieces behind each other that were encoded one by one: each ends with its own padding. */
const decodeBase64 = (text: string): Buffer => Buffer.concat(text.split(/=+/).map((piece) => Buffer.from(piece, 'base64')));

/** Blanks before a line's end were put there on the way. These are bytes still: half of a letter may look like another blank. */
function dropLastBlanks(line: string): string {
  let end = line.length;
  while (' \t\r'.includes(line[end - 1] ?? 'x')) end--;
  return line.slice(0, end);
}

/** Without what cannot be seen and only carries something else. */
const cleanText = (text: string): string =>
  text
    .replaceAll('\r\n', '\n')
    // oxlint-disable-next-line no-control-regex
    .replaceAll(/[\u0000-\u0008\u000B\u000C\u000E-\u001F\u007F]/g, '')
    .split('\n')
    // Not with a pattern: strangers write this, and one that looks for blanks before a line's end tries at each of them.
    .map((line) => line.trimEnd())
    .join('\n')
    .replaceAll(/\n{4,}/g, '\n\n\n')
    .trim();

import { encodeText, ENCODING_NAMES, type DecodedBytes, type FileEncoding } from './encoding.ts';

/** How a file is written: its encoding, how it ends its lines and whether it begins with a byte order mark. The model sees none of it. */
export interface TextFormat {
  readonly encoding: FileEncoding;
  readonly eol: 'lf' | 'crlf' | 'mixed';
  readonly bom: boolean;
}
export const PLAIN: TextFormat = { encoding: 'utf-8', eol: 'lf', bom: false };

const BOM = '\u{feff}';

export function detectTextFormat({ text, encoding }: DecodedBytes): TextFormat {
  const crlf = text.includes('\r\n');
  return { encoding, eol: !crlf ? 'lf' : /(?<!\r)\n/.test(text) ? 'mixed' : 'crlf', bom: text.startsWith(BOM) };
}

/** The text as tools work on it: line feeds only, unless the file itself is of two minds. */
export function stripFormat(text: string, format: TextFormat): string {
  const bare = format.bom ? text.slice(1) : text;
  return format.eol === 'crlf' ? bare.replaceAll('\r\n', '\n') : bare;
}

/** The text as it goes back into its file. */
export function applyFormat(text: string, format: TextFormat, shown: string): string | Buffer {
  const lines = format.eol === 'crlf' ? text.replace(/\r?\n/g, '\r\n') : text;
  const whole = format.bom && !lines.startsWith(BOM) ? BOM + lines : lines;
  return format.encoding === 'utf-8' ? whole : encodeText(whole, format.encoding, shown);
}

/** What of a format is not the plain one, in words. */
export const describeFormat = ({ encoding, eol, bom }: TextFormat): readonly string[] => [
  ...(encoding === 'utf-8' ? [] : [ENCODING_NAMES[encoding]]),
  ...(eol === 'crlf' ? ['CRLF line ends'] : []),
  ...(bom ? ['a byte order mark'] : []),
];

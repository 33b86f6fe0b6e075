/** How a file ends its lines and whether it begins with a byte order mark: both are kept, the model sees neither. */
export interface TextFormat {
  readonly eol: 'lf' | 'crlf' | 'mixed';
  readonly bom: boolean;
}

const BOM = '\u{feff}';

export function detectTextFormat(text: string): TextFormat {
  const crlf = text.includes('\r\n');
  return { eol: !crlf ? 'lf' : /(?<!\r)\n/.test(text) ? 'mixed' : 'crlf', bom: text.startsWith(BOM) };
}

/** The text as tools work on it: line feeds only, unless the file itself is of two minds. */
export function stripFormat(text: string, shape: TextFormat): string {
  const bare = shape.bom ? text.slice(1) : text;
  return shape.eol === 'crlf' ? bare.replaceAll('\r\n', '\n') : bare;
}

/** The text as it goes back into its file. */
export function applyFormat(text: string, shape: TextFormat): string {
  const lines = shape.eol === 'crlf' ? text.replace(/\r?\n/g, '\r\n') : text;
  return shape.bom && !lines.startsWith(BOM) ? BOM + lines : lines;
}

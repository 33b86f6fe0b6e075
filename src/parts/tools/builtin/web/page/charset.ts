/** How far into a page its own word on its encoding is looked for. */
const SNIFFED = 4_096;
const BOMS: readonly (readonly [bytes: readonly number[], label: string])[] = [
  [[0xef, 0xbb, 0xbf], 'utf-8'],
  [[0xfe, 0xff], 'utf-16be'],
  [[0xff, 0xfe], 'utf-16le'],
];

/** Bytes as text: by their mark, by the header, by what the page says of itself, by what they look like. */
export function decodeText(body: Buffer, contentType: string): string {
  const labels = [detectBom(body), charsetIn(contentType), declaredIn(body.subarray(0, SNIFFED).toString('latin1'))];
  for (const label of labels) {
    const decoder = label === undefined ? undefined : decoderFor(label);
    if (decoder !== undefined) return decoder.decode(body);
  }
  return looksLikeUtf8(body) ? body.toString('utf8').replace(/^\ufeff/, '') : new TextDecoder('windows-1252').decode(body);
}

export const detectBom = (body: Buffer): string | undefined =>
  BOMS.find(([bytes]) => bytes.every((byte, index) => body[index] === byte))?.[1];
const charsetIn = (header: string): string | undefined => /charset\s*=\s*["']?([\w:.-]+)/i.exec(header)?.[1];

/** What is readable as ASCII cannot be UTF-16, whatever it claims. */
function declaredIn(head: string): string | undefined {
  const label =
    /<meta\b[^>]{0,500}?charset\s*=\s*["']?([\w:.-]+)/i.exec(head)?.[1] ??
    /^<\?xml[^>]{0,200}?encoding\s*=\s*["']([\w:.-]+)/i.exec(head)?.[1];
  return label !== undefined && /^utf-?16/i.test(label) ? 'utf-8' : label;
}

function decoderFor(label: string): { decode(bytes: Buffer): string } | undefined {
  try {
    return new TextDecoder(label);
  } catch {
    return undefined;
  }
}

/** Only what is long may have been cut, and then within a character. */
const LONG = 1_000_000;
export function looksLikeUtf8(body: Buffer): boolean {
  try {
    new TextDecoder('utf-8', { fatal: true }).decode(body, { stream: body.length > LONG });
    return true;
  } catch {
    return false;
  }
}

import { ToolFailure } from '../../../../contracts/tool.ts';

/** Bytes looked at to tell text from binary. */
export const SNIFFED = 8_192;

const LOOK = 'Look at it with vision_analyze.';
/** How files of a kind begin; -1 is any byte. */
const SIGNATURES: readonly { readonly bytes: readonly number[]; readonly what: string; readonly advice?: string }[] = [
  { bytes: [0xff, 0xfe, 0, 0], what: 'UTF-32 text; convert it first, for example with `iconv -f UTF-32 -t UTF-8`' },
  { bytes: [0xff, 0xfe], what: 'UTF-16 text; convert it first, for example with `iconv -f UTF-16 -t UTF-8`' },
  { bytes: [0xfe, 0xff], what: 'UTF-16 text; convert it first, for example with `iconv -f UTF-16 -t UTF-8`' },
  { bytes: [0x25, 0x50, 0x44, 0x46, 0x2d], what: 'a PDF' },
  { bytes: [0x89, 0x50, 0x4e, 0x47], what: 'a PNG image', advice: LOOK },
  { bytes: [0xff, 0xd8, 0xff], what: 'a JPEG image', advice: LOOK },
  { bytes: [0x47, 0x49, 0x46, 0x38], what: 'a GIF image', advice: LOOK },
  { bytes: [0x52, 0x49, 0x46, 0x46, -1, -1, -1, -1, 0x57, 0x45, 0x42, 0x50], what: 'a WebP image', advice: LOOK },
  { bytes: [0x50, 0x4b, 0x03, 0x04], what: 'a ZIP archive (or an office document)' },
  { bytes: [0x1f, 0x8b], what: 'gzip data' },
  { bytes: [0x7f, 0x45, 0x4c, 0x46], what: 'a program' },
];
/** Share of control characters above which bytes are no text. */
const MAX_CONTROL = 0.1;

/** What a file is when it is not text, told from its first bytes; `undefined` for text in any encoding without NUL. */
export function detectBinaryKind(head: Uint8Array): string | undefined {
  const known = signatureOf(head);
  if (known !== undefined) return known.what;
  if (head.includes(0)) return 'binary data';
  return controlsIn(head) > head.length * MAX_CONTROL ? 'binary data' : undefined;
}

const signatureOf = (head: Uint8Array) => SIGNATURES.find(({ bytes }) => bytes.every((byte, index) => byte === -1 || head[index] === byte));

/** Throws for bytes that are no text, with the way to look at them. */
export function refuseBinary(shown: string, bytes: Buffer): void {
  const head = bytes.subarray(0, SNIFFED);
  const kind = detectBinaryKind(head);
  if (kind === undefined) return;
  const advice = signatureOf(head)?.advice ?? 'Look at it with a suitable command.';
  throw new ToolFailure(`Refused: ${shown} is not readable as text, it is ${kind}. ${advice}`);
}

function controlsIn(bytes: Uint8Array): number {
  let count = 0;
  for (let at = 0; at < bytes.length; at++) if (isControl(bytes[at] ?? 0)) count += 1;
  return count;
}

/** Below space and none of tab, line feed, form feed, carriage return, escape. */
const isControl = (byte: number): boolean => byte < 32 && byte !== 9 && byte !== 10 && byte !== 12 && byte !== 13 && byte !== 27;

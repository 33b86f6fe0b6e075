export interface PictureKind {
  readonly mime: string;
  readonly ending: string;
}

const PNG = { mime: 'image/png', ending: 'png' };
const JPEG = { mime: 'image/jpeg', ending: 'jpg' };
const GIF = { mime: 'image/gif', ending: 'gif' };
const WEBP = { mime: 'image/webp', ending: 'webp' };

/** What a picture is, by its first bytes: names and headers lie. Only kinds that models can see. */
export function detectPictureKind(bytes: Buffer): PictureKind | undefined {
  if (bytes.subarray(0, 8).equals(Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]))) return PNG;
  if (bytes.length > 3 && bytes.readUIntBE(0, 3) === 0xff_d8_ff) return JPEG;
  if (/^GIF8[79]a/.test(bytes.toString('latin1', 0, 6))) return GIF;
  return bytes.toString('latin1', 0, 4) === 'RIFF' && bytes.toString('latin1', 8, 12) === 'WEBP' ? WEBP : undefined;
}

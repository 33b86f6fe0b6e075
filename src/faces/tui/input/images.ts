import { readFileSync, statSync } from 'node:fs';
import { basename } from 'node:path';
import { fileURLToPath } from 'node:url';
import { toErrorMessage } from '../../../base/errors.ts';
import { toOneLine } from '../../../base/printable.ts';
import { fitWidth } from '../../../base/width.ts';
import type { ImageBlock } from '../../../contracts/message.ts';
import type { Widget } from '../contract.ts';

export type ImageFile = { readonly ok: true; readonly image: ImageBlock } | { readonly ok: false; readonly why: string };

/** What providers take. */
const MAX_IMAGE_BYTES = 5 * 1024 * 1024;
const TOO_LARGE: ImageFile = { ok: false, why: `it is larger than ${MAX_IMAGE_BYTES / 1024 / 1024} MB` };
const EXTENSION = /\.(?:png|jpe?g|gif|webp)$/i;
export const looksLikeImage = (path: string): boolean => EXTENSION.test(path);

/** By what is in it, not by its name. */
const KINDS: readonly { readonly mime: string; readonly starts: RegExp }[] = [
  { mime: 'image/png', starts: /^\x89PNG\r\n\x1a\n/ }, // oxlint-disable-line no-control-regex -- the first bytes of such a file
  { mime: 'image/jpeg', starts: /^\xff\xd8\xff/ },
  { mime: 'image/gif', starts: /^GIF8[79]a/ },
  { mime: 'image/webp', starts: /^RIFF[^]{4}WEBP/ },
];

export function toImage(bytes: Buffer): ImageFile {
  const start = bytes.toString('latin1', 0, 16);
  const kind = KINDS.find(({ starts }) => starts.test(start));
  if (kind === undefined) return { ok: false, why: 'it is no PNG, JPEG, GIF or WebP image' };
  if (bytes.length > MAX_IMAGE_BYTES) return TOO_LARGE;
  return { ok: true, image: { type: 'image', mime: kind.mime, data: bytes.toString('base64'), trust: 'owner' } };
}

export function readImageFile(path: string): ImageFile {
  try {
    const found = statSync(path, { throwIfNoEntry: false });
    if (found === undefined) return { ok: false, why: 'there is no such file' };
    if (!found.isFile()) return { ok: false, why: 'it is not a plain file' };
    return found.size > MAX_IMAGE_BYTES ? TOO_LARGE : toImage(readFileSync(path));
  } catch (error) {
    return { ok: false, why: toErrorMessage(error) };
  }
}

/** The path of one image file in what was pasted: terminals write a file that is dropped on them as its path. */
export function findDroppedImage(pasted: string): string | undefined {
  const text = pasted.trim();
  if (text.includes('\n') || text.length > 4_096) return undefined;
  const plain = text.replace(/^(['"])(.*)\1$/, '$2').replaceAll(/\\(?=[ ()'"&])/g, '');
  const path = plain.startsWith('file://') ? toPath(plain) : plain;
  if (path === undefined || !path.startsWith('/') || !looksLikeImage(path)) return undefined;
  return statSync(path, { throwIfNoEntry: false })?.isFile() === true ? path : undefined;
}
const toPath = (url: string): string | undefined => {
  try {
    return fileURLToPath(url);
  } catch {
    return undefined;
  }
};

/** The images that go with the next message. */
export interface ImageBar extends Widget {
  add(name: string, image: ImageBlock): void;
  /** Takes the newest one away; nothing when there is none. */
  removeLast(): boolean;
  /** Gives them to whoever sends the message, and is empty afterwards. */
  take(): readonly ImageBlock[];
}

export function createImageBar(): ImageBar {
  const images: { readonly name: string; readonly image: ImageBlock }[] = [];
  return {
    add: (name, image) => void images.push({ name: toOneLine(basename(name)), image }),
    removeLast: () => images.pop() !== undefined,
    take: () => images.splice(0).map(({ image }) => image),
    render: ({ columns, style }) => {
      if (images.length === 0) return [];
      const words = images.map(({ name, image }, index) => `[image ${index + 1}: ${name}, ${toKilobytes(image)} kB]`);
      return [style('accent', fitWidth(`${words.join(' ')} Backspace removes`, columns))];
    },
  };
}
const toKilobytes = ({ data }: ImageBlock): number => Math.max(1, Math.round((data.length * 3) / 4 / 1024));

import { extname } from 'node:path';
import type { OutboundMedia } from '../../../contracts/platform-adapter.ts';

export interface DetectedMedia {
  readonly kind: Exclude<OutboundMedia['kind'], 'voice'>;
  readonly mime: string;
}

/** How files of a type begin; a dot is any byte. */
const BEGINNINGS: readonly (readonly [begin: string, mime: string])[] = [
  ['\x89PNG\r\n\x1a\n', 'image/png'],
  ['\xff\xd8\xff', 'image/jpeg'],
  ['GIF87a', 'image/gif'],
  ['GIF89a', 'image/gif'],
  ['RIFF....WEBP', 'image/webp'],
  ['RIFF....WAVE', 'audio/wav'],
  ['OggS', 'audio/ogg'],
  ['fLaC', 'audio/flac'],
  ['ID3', 'audio/mpeg'],
  ['\xff\xfb', 'audio/mpeg'],
  ['....ftypM4A', 'audio/mp4'],
  ['....ftypqt', 'video/quicktime'],
  ['....ftyp', 'video/mp4'],
  ['\x1a\x45\xdf\xa3', 'video/webm'],
  ['%PDF-', 'application/pdf'],
];
/** For what does not say it by its beginning. */
const ENDINGS: Readonly<Record<string, string>> = {
  '.svg': 'image/svg+xml',
  '.txt': 'text/plain',
  '.log': 'text/plain',
  '.md': 'text/markdown',
  '.csv': 'text/csv',
  '.html': 'text/html',
  '.json': 'application/json',
  '.xml': 'application/xml',
  '.yaml': 'application/yaml',
  '.yml': 'application/yaml',
  '.zip': 'application/zip',
  '.gz': 'application/gzip',
  '.docx': 'application/vnd.openxmlformats-officedocument.wordprocessingml.document',
  '.xlsx': 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
  '.pptx': 'application/vnd.openxmlformats-officedocument.presentationml.presentation',
  '.epub': 'application/epub+zip',
};
/** What an ending promises to be shown or played must begin as such: a text called `.png` is a document. */
export function detectMediaType(name: string, bytes: Buffer): DetectedMedia {
  const head = bytes.subarray(0, 16).toString('latin1');
  const found = BEGINNINGS.find(([begin]) => begin.split('').every((sign, at) => sign === '.' || head[at] === sign))?.[1];
  const mime = found ?? ENDINGS[extname(name).toLowerCase()] ?? 'application/octet-stream';
  return { kind: KINDS[/^(image|audio|video)\//.exec(found ?? '')?.[1] ?? ''] ?? 'document', mime };
}
const KINDS: Readonly<Record<string, DetectedMedia['kind']>> = { image: 'image', audio: 'audio', video: 'video' };

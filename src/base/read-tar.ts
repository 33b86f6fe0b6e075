import { UsageError } from './errors.ts';

/** A file of an archive, under the name it has there. */
export interface TarFile {
  readonly path: string;
  readonly bytes: Uint8Array;
  readonly isExecutable: boolean;
}
const BLOCK = 512;

/**
 * The files of a tar archive. Folders are known by their files; a link, a device or anything else that is no plain file is refused,
 * and so is an archive that is cut off. Nothing is written; whoever writes looks at the names.
 */
export function* readTar(archive: Uint8Array): Generator<TarFile> {
  let longName: string | undefined;
  for (let at = 0; at + BLOCK <= archive.length;) {
    const header = archive.subarray(at, at + BLOCK);
    if (header.every((byte) => byte === 0)) return;
    const { name, size, type, isExecutable } = readHeader(header);
    const bytes = archive.subarray(at + BLOCK, at + BLOCK + size);
    if (bytes.length < size) throw broken('it is cut off');
    at += BLOCK + Math.ceil(size / BLOCK) * BLOCK;
    if (type === 'x') longName = readExtended(bytes) ?? longName;
    else if (type === 'L') longName = toText(bytes);
    else if (type !== 'g') {
      const path = longName ?? name;
      longName = undefined;
      if (type === '0' || type === '\0' || type === '7') yield { path, bytes, isExecutable };
      else if (type !== '5')
        throw new UsageError(
          `it holds ${JSON.stringify(path.slice(0, 120))}, which is ${type === '1' || type === '2' ? 'a link' : 'no plain file'}. Only files and folders are taken. Nothing was written.`,
        );
    }
  }
}

interface TarHeader extends Pick<TarFile, 'isExecutable'> {
  readonly name: string;
  readonly size: number;
  readonly type: string;
}

function readHeader(header: Uint8Array): TarHeader {
  const sum = header.reduce((total, byte, index) => total + (index >= 148 && index < 156 ? 32 : byte), 0);
  if (readOctal(header.subarray(148, 156)) !== sum) throw broken('a header is damaged');
  const name = toText(header.subarray(0, 100));
  const isUstar = toText(header.subarray(257, 262)) === 'ustar';
  const prefix = isUstar ? toText(header.subarray(345, 500)) : '';
  return {
    name: prefix === '' ? name : `${prefix}/${name}`,
    size: readOctal(header.subarray(124, 136)),
    type: String.fromCharCode(header[156] ?? 0),
    isExecutable: (Number.parseInt(toText(header.subarray(100, 108)).trim(), 8) & 0o100) !== 0,
  };
}

function readOctal(field: Uint8Array): number {
  const text = toText(field).trim();
  if (!/^[0-7]{1,11}$/.test(text)) throw broken('a header is damaged');
  return Number.parseInt(text, 8);
}

/** `LENGTH key=value` lines; one that gives another size or a link is refused with the file it stands for. */
function readExtended(bytes: Uint8Array): string | undefined {
  let path: string | undefined;
  for (let at = 0; at < bytes.length;) {
    const space = bytes.indexOf(32, at);
    const length = Number(toText(bytes.subarray(at, space)));
    if (space < 0 || !Number.isInteger(length) || length <= space - at || at + length > bytes.length) throw broken('a header is damaged');
    const [key = '', ...value] = Buffer.from(bytes.subarray(space + 1, at + length - 1))
      .toString('utf8')
      .split('=');
    if (key === 'size' || key === 'linkpath') throw broken(`it uses ${key}, which is not taken`);
    if (key === 'path') path = value.join('=');
    at += length;
  }
  return path;
}

const toText = (field: Uint8Array): string => {
  const end = field.indexOf(0);
  return Buffer.from(end < 0 ? field : field.subarray(0, end)).toString('utf8');
};
const broken = (why: string): UsageError => new UsageError(`the archive cannot be read: ${why}. Nothing was written.`);

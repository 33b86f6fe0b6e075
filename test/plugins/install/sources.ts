import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { after } from 'node:test';

export const root = mkdtempSync(join(tmpdir(), 'hermes-install-'));
after(() => rmSync(root, { recursive: true, force: true }));

/** Writes files below a folder of the test's own; gives the folder. */
export function writeFolder(name: string, files: Readonly<Record<string, string>>): string {
  for (const [file, text] of Object.entries(files)) {
    mkdirSync(dirname(join(root, name, file)), { recursive: true });
    writeFileSync(join(root, name, file), text);
  }
  return join(root, name);
}

/** A plugin whose every file says which version it is of. */
export const filesOf = (version: string, more = ''): Readonly<Record<string, string>> => ({
  'plugin.yaml': `name: small\nversion: ${version}\ndescription: x\napi: 1\nentry: index.js\n${more}`,
  'index.js': `export const version = '${version}';\n`,
  'lib/one.js': `export const one = '${version}';\n`,
});

export interface TarEntry {
  readonly path: string;
  readonly text?: string;
  readonly type?: string;
  readonly link?: string;
}

/** A tar archive, made by hand: no packer writes what an attacker does. */
export function packTar(entries: readonly TarEntry[]): Buffer {
  const blocks = entries.flatMap(({ path, text = '', type = '0', link = '' }) => {
    const bytes = Buffer.from(text);
    const header = Buffer.alloc(512);
    header.write(path, 0, 100);
    header.write('0000644\0', 100);
    header.write(`${bytes.length.toString(8).padStart(11, '0')}\0`, 124);
    header.write('        ', 148);
    header.write(type, 156);
    header.write(link, 157, 100);
    header.write('ustar\x0000', 257);
    const sum = header.reduce((total, byte) => total + byte, 0);
    header.write(`${sum.toString(8).padStart(6, '0')}\0 `, 148);
    return [header, bytes, Buffer.alloc((512 - (bytes.length % 512)) % 512)];
  });
  return Buffer.concat([...blocks, Buffer.alloc(1_024)]);
}

export function writeArchive(name: string, entries: readonly TarEntry[]): string {
  const path = join(root, name);
  writeFileSync(path, gzipSync(packTar(entries)));
  return path;
}

import { accessSync, constants, existsSync, readFileSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import type { HostFacts } from './failure.ts';

/** What this process may do and see at this machine, which is what a command outside could. */
export const hostFacts: HostFacts = {
  exists: existsSync,
  isFolder: (path) => statSync(path, { throwIfNoEntry: false })?.isDirectory() === true,
  canRead: (path) => can(path, constants.R_OK),
  canWrite: (path) => can(findExisting(path), constants.W_OK),
  listens: (port) => ['/proc/net/tcp', '/proc/net/tcp6'].some((table) => listensIn(readTable(table), port)),
};

function can(path: string, mode: number): boolean {
  try {
    accessSync(path, mode);
    return true;
  } catch {
    return false;
  }
}

const findExisting = (path: string): string => (existsSync(path) || dirname(path) === path ? path : findExisting(dirname(path)));

function readTable(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return '';
  }
}

/** Rows of the kernel's table: `0: 0100007F:1538 00000000:0000 0A …`; `0A` is a listener. Of addresses those the loopback reaches count. */
const REACHED = '(?:0+|[0-9A-F]{6}7F|0{24}01000000|0{16}FFFF0000[0-9A-F]{6}7F)';
export const listensIn = (table: string, port: number): boolean =>
  new RegExp(`^ *\\d+: ${REACHED}:${port.toString(16).toUpperCase().padStart(4, '0')} [0-9A-F]+:0000 0A `, 'm').test(table);

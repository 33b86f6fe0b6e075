import { relative, sep } from 'node:path';
import { toOneLine } from '../../../base/printable.ts';

/** A path as it may stand in a prompt or a notice: whoever named the file must not be able to write a line of their own there. */
export const showPath = (path: string): string => toOneLine(path).replaceAll(/\p{Cf}/gu, '?');

/** A path below a folder, with `/` on every system. */
export const toRelativePath = (folder: string, path: string): string => relative(folder, path).split(sep).join('/');

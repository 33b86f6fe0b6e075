import type { FileStat } from '../../../../contracts/files.ts';
import type { Location } from './locate.ts';

/** A note where a file has other names: it is replaced whole, and they keep what it held. */
export const reportHardLinks = ({ shown }: Location, before: FileStat | undefined): readonly string[] =>
  before?.links === undefined || before.links < 2
    ? []
    : [`${shown} was a hard link: ${before.links - 1} other ${before.links === 2 ? 'name' : 'names'} of the file still hold the old text.`];

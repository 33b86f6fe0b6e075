import type { FileStat } from '../../../../contracts/files.ts';
import type { Location } from './locate.ts';

/** A note where a file has other names: it is replaced whole, and they keep what it held. */
export const reportHardLinks = ({ shown }: Location, before: FileStat | undefined): readonly string[] =>
  before?.links === undefined || before.links < 2
    ? []
    : [
        `${shown} was a hard link: the old text stays under ${before.links === 2 ? '1 other name' : `${before.links - 1} other names`} of the file.`,
      ];

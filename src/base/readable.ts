import { access, constants } from 'node:fs/promises';

/** Whether this process may read a file now. */
export const isReadable = (path: string): Promise<boolean> =>
  access(path, constants.R_OK).then(
    () => true,
    () => false,
  );

import { dirname, join } from 'node:path';

/** Whether a folder is one that Hermes makes for a session below the profile: it goes when it is empty, and may be made again. */
export const isOwnWorkspace = (root: string, folder: string): boolean => dirname(folder) === join(root, 'workspaces');

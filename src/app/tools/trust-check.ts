import { resolveWritable } from '../../parts/terminals/sandbox/workspace.ts';

/** Folders that hold the homes of people. */
const HOMES: ReadonlySet<string> = new Set(['/home', '/Users']);

/**
 * Whether a folder may be trusted as a whole: what a sandbox would make writable may be. The home, the system, the profile and
 * folders whose files run when the owner does something else never are.
 */
export const createTrustCheck =
  (profile: string) =>
  (folder: string): boolean =>
    !HOMES.has(folder) && resolveWritable(folder, profile)[0] === folder;

import { statSync } from 'node:fs';
import { resolve } from 'node:path';
import { UsageError } from '../base/errors.ts';
import { isOwnWorkspace } from '../base/home.ts';
import type { Host, SessionOptions } from '../contracts/host.ts';
import type { Session } from '../contracts/session-store.ts';
import type { ChatValues } from './chat.ts';
import { findSession } from './find-session.ts';

/** What the options of `chat` say of the session, for every face they can be given to. */
export function toSessionOptions(values: ChatValues, allowed: string | undefined): SessionOptions {
  const { model, provider, baseUrl, apiMode, toolsets, maxTurns } = values;
  const allowAll = values.yolo === true ? '--yolo' : allowed;
  return {
    model: {
      ...(model !== undefined && { model }),
      ...(provider !== undefined && { provider }),
      ...(baseUrl !== undefined && { baseUrl }),
      ...(apiMode !== undefined && { apiMode }),
    },
    contextFiles: values.ignoreRules !== true,
    ...(toolsets !== undefined && { toolsets: toolsets.split(',').map((name) => name.trim()) }),
    ...(maxTurns !== undefined && { maxSteps: maxTurns }),
    ...(allowAll !== undefined && { allowAll }),
  };
}

export function resolveWorkingFolder(path: string): string {
  const folder = resolve(path);
  if (statSync(folder, { throwIfNoEntry: false })?.isDirectory() !== true)
    throw new UsageError(
      `the working directory ${folder} does not exist or is not a folder. Choose another one with --cwd or the setting terminal.cwd.`,
    );
  return folder;
}

/**
 * A session goes on in the folder it was started in, as its prompt says, unless the owner names another or it is gone. One that
 * Hermes made for it below the profile (`root`) is made again when the session is opened.
 */
export function resolveSessionFolder(values: ChatValues, earlier: Session | undefined, here: string, root: string): string {
  if (values.cwd !== undefined || earlier === undefined) return here;
  const isThere = statSync(earlier.cwd, { throwIfNoEntry: false })?.isDirectory() === true;
  return isThere || isOwnWorkspace(root, earlier.cwd) ? earlier.cwd : here;
}

/** Where the owner sits at a terminal of this machine: a session begun in one goes on in the other. */
const TERMINALS = ['cli', 'tui'] as const;

/** `--resume latest` means what `--continue` does, unless a session is called so. */
const LATEST = 'latest';

/** The stored session that `--resume` or `--continue` means. */
export async function findEarlierSession(values: ChatValues, cwd: string, { store }: Pick<Host, 'store'>): Promise<Session | undefined> {
  const { resume } = values;
  const isLatest = resume === LATEST && (await store.find(LATEST)).length === 0;
  if (resume !== undefined && !isLatest) return findSession(resume, store);
  if (!isLatest && values.continue !== true) return undefined;
  const found = await Promise.all(TERMINALS.map((platform) => store.list({ platform, cwd, limit: 1 })));
  const [newest] = found.flat().toSorted((one, other) => other.updatedAt - one.updatedAt);
  if (newest === undefined)
    throw new UsageError(
      `there is no earlier session in ${cwd}. To start one, leave out --continue. To list all sessions: hermes sessions list`,
    );
  return newest;
}

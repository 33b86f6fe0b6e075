import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { sha256 } from '../../../base/sha256.ts';
import type { AccountRef } from '../../../contracts/gateway-store.ts';
import type { NewSession } from '../../../contracts/session-store.ts';
import { nameFarReceived } from '../../../contracts/received-files.ts';
import { hasLocalFiles } from '../../../contracts/terminal.ts';

/** The folders of all chats. */
export const findWorkspaces = (root: string): string => join(root, 'workspaces');

/** The session that begins in a chat. Each chat has a folder of its own: what one leaves there no other sees. */
export function createChatSession(root: string, { platform }: AccountRef, routeKey: string): NewSession {
  const cwd = join(findWorkspaces(root), `${platform}-${sha256(routeKey).slice(0, 16)}`);
  mkdirSync(cwd, { recursive: true, mode: 0o700 });
  // Model and provider are known with its first prompt.
  return { source: 'gateway', platform, cwd, model: '', provider: '' };
}

/** Where commands of chats run. */
export interface TerminalPlace {
  readonly backend: string;
  /** Containers see the folder of a session. */
  readonly isMounted: boolean;
}

/** Where files that were sent to a chat are kept, on this machine. */
export const findReceived = (workspace: string): string => join(workspace, 'received');

/** What commands of a chat call that folder. */
export function findSeenReceived(workspace: string, { backend, isMounted }: TerminalPlace): string {
  const folder = findReceived(workspace);
  if (hasLocalFiles(backend)) return folder;
  return isMounted && (backend === 'docker' || backend === 'singularity') ? findReceived('/workspace') : nameFarReceived(folder);
}

import { realPath } from '../../../base/real-path.ts';
import { isWithin } from '../../../base/within.ts';
import type { TerminalInfo } from '../../../contracts/terminal.ts';
import type { WallProfile } from '../../../contracts/wall.ts';
import { resolveNamedPaths, resolveWorkspace, resolveWritable } from './workspace.ts';

export interface SandboxPlaceOptions {
  readonly settings: { readonly 'terminal.sandbox_paths': readonly string[]; readonly 'terminal.sandbox_network': boolean };
  readonly cwd: string;
  /** The profile's folder. */
  readonly home: string;
  readonly folders: { readonly workspace: string };
  readonly wall?: WallProfile;
  /** There is something that lets commands talk to others. */
  readonly openNetwork?: unknown;
}

/** What the model is told of a sandbox before it is open. Every session that has one needs this at its start: it loads little. */
export function describeSandbox({ settings, cwd, home, folders, wall, openNetwork }: SandboxPlaceOptions): TerminalInfo {
  const more = settings['terminal.sandbox_paths'];
  const place = {
    where: 'in a sandbox on this machine',
    onThisMachine: true,
    network: settings['terminal.sandbox_network'] || (openNetwork === undefined ? false : 'by_host'),
  } as const;
  if (wall !== 'attended') {
    const found = resolveWorkspace(cwd, home);
    const folder = 'workspace' in found ? found.workspace : folders.workspace;
    const writable = `${['the working directory', ...more].join(', ')} and a private /tmp and ~; the rest is read-only or hidden`;
    return { ...place, kept: [folder, ...resolveNamedPaths(more)], cwd: folder, writable };
  }
  const folder = realPath(cwd) ?? cwd;
  const kept = [...resolveWritable(cwd, home), ...resolveNamedPaths(more)];
  const isOpen = kept.some((path) => isWithin(path, folder));
  const writable = [...(isOpen ? ['the working directory'] : []), ...more, 'a private /tmp'].join(', ');
  return {
    ...place,
    kept,
    cwd: folder,
    ...(!isOpen && { cwdNote: 'read-only' }),
    writable: `${writable}; the rest is read-only`,
  };
}

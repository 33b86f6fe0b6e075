import { realPath } from '../../../base/real-path.ts';
import { isWithin } from '../../../base/within.ts';
import type { TerminalInfo } from '../../../contracts/terminal.ts';
import type { WallProfile, WallTierName } from '../../../contracts/wall.ts';
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
  readonly tier: WallTierName;
}

/** Where commands run, and what they have for temporary files: where nothing is mounted, `/tmp` is the owner's. */
const TIERS: Readonly<Record<WallTierName, readonly [where: string, temporary: string]>> = {
  bubblewrap: ['in a sandbox on this machine', 'a private /tmp'],
  floor: ['in a sandbox on this machine, where hidden files have names but cannot be opened', 'the private folder $TMPDIR (not /tmp)'],
  macos: ['in a sandbox on this machine', 'the private folder $TMPDIR (not /tmp)'],
};

/** What the model is told of a sandbox before it is open. Every session that has one needs this at its start: it loads little. */
export function describeSandbox({ settings, cwd, home, folders, wall, openNetwork, tier }: SandboxPlaceOptions): TerminalInfo {
  const more = settings['terminal.sandbox_paths'];
  const [where, temporary] = TIERS[tier];
  const place = {
    where,
    onThisMachine: true,
    network: settings['terminal.sandbox_network'] || (openNetwork === undefined ? false : 'by_host'),
  } as const;
  if (wall !== 'attended') {
    const found = resolveWorkspace(cwd, home);
    const folder = 'workspace' in found ? found.workspace : folders.workspace;
    const writable = `${['the working directory', ...more].join(', ')} and ${temporary} and ~; the rest is read-only or hidden`;
    return { ...place, kept: [folder, ...resolveNamedPaths(more)], cwd: folder, writable };
  }
  const folder = realPath(cwd) ?? cwd;
  const kept = [...resolveWritable(cwd, home), ...resolveNamedPaths(more)];
  const isOpen = kept.some((path) => isWithin(path, folder));
  const writable = [...(isOpen ? ['the working directory'] : []), ...more, temporary].join(', ');
  return {
    ...place,
    kept,
    cwd: folder,
    ...(!isOpen && { cwdNote: 'read-only' }),
    writable: `${writable}; the rest is read-only`,
  };
}

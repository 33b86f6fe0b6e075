import { isAbsolute, join, relative } from 'node:path';
import { lazy } from '../../base/lazy.ts';
import { realPath } from '../../base/real-path.ts';
import { hasLocalFiles, type Terminal } from '../../contracts/terminal.ts';
import type { HeldChange, WallProfile } from '../../contracts/wall.ts';
import type { GitMounts } from '../../parts/safety/guarded/git-mounts.ts';
import { createGuardedTerminal } from '../../parts/safety/guarded/terminal.ts';
import type { GuardWindow } from '../../parts/safety/guarded/window.ts';
import type { OwnBackendOptions } from '../../parts/terminals/backends.ts';

/** What guards the files of one session that run or instruct by themselves later. */
export interface SessionGuard {
  /** For a sandbox: its mounts, as the project was when the first was opened. */
  openMounts(profile: WallProfile): Promise<Required<Pick<OwnBackendOptions, 'guarded'>>>;
  guard(terminal: Terminal): Terminal;
}
export interface SessionGuardOptions {
  readonly kind: string;
  /** The session's folder on this machine. */
  readonly cwd: string;
  /** Further folders of this machine that commands in a sandbox may write to, as the owner named them. */
  readonly paths: readonly string[];
  /** A container sees the session's folder. */
  readonly isMounted: boolean;
  /** The owner's `PATH`. */
  readonly programs?: string;
  /** The home that remembers which remotes are the owner's; absent where nothing is remembered. */
  readonly home?: string;
  /** `terminal.allowed_hosts`. */
  readonly allowedHosts?: readonly string[];
  notice(words: string): void;
}

export function createSessionGuard(options: SessionGuardOptions): SessionGuard {
  const { kind, cwd, paths, isMounted, programs = '', home, allowedHosts = [], notice } = options;
  let git: GitMounts | undefined;
  let release = (): void => {};
  const open = async (terminal: Terminal): Promise<GuardWindow> => {
    const [
      { openGuardedFiles },
      { createGuardWindow, shareGuardWindow },
      { createLeftBehindCheck },
      { resolveNamedPaths },
      { fitsHostEntry },
      { openRemotesOfHome },
    ] = await loadGuard();
    const folder = hasLocalFiles(kind) ? (terminal.place?.cwd ?? cwd) : cwd;
    const roots = [realPath(folder) ?? folder, ...(kind === 'sandbox' ? resolveNamedPaths(paths) : [])];
    const remotes = home === undefined ? undefined : openRemotesOfHome(home);
    remotes?.begin(roots);
    const isNamedHost = (host: string): boolean => allowedHosts.some((line) => fitsHostEntry(line, host));
    const shared = shareGuardWindow(roots.join('\0'), async () =>
      createGuardWindow({
        files: openGuardedFiles({
          roots,
          gitFolders: git?.gitFolders ?? [],
          programs: [programs],
          isNamedHost,
          ...(remotes !== undefined && { remotes }),
          notice,
        }),
        leftBehind: createLeftBehindCheck(),
      }),
    );
    release = shared.release;
    const window = await shared.window;
    window.addPrograms(programs);
    return window;
  };
  const onHeld = ({ path, what }: HeldChange): void =>
    notice(`${path} (${what}) was changed while commands ran in the background. It was put back; the next command asks you about it.`);
  return {
    openMounts: async (profile) => {
      const { listGitMounts } = await import('../../parts/safety/guarded/git-mounts.ts');
      return { guarded: (workspace) => (git ??= listGitMounts(workspace, profile)).mounts };
    },
    guard: (terminal) => {
      if (!hasLocalFiles(kind) && !isMounted) return terminal;
      const mountedAt = terminal.place?.mountedAt;
      const toPathHere = (path: string): string => {
        const inside = mountedAt === undefined ? path : relative(mountedAt, path);
        return isAbsolute(inside) || inside.startsWith('..') ? path : join(realPath(cwd) ?? cwd, inside);
      };
      return createGuardedTerminal(terminal, { open: () => open(terminal), close: () => release(), toPathHere, onHeld });
    },
  };
}

const loadGuard = lazy(() =>
  Promise.all([
    import('../../parts/safety/guarded/guarded-files.ts'),
    import('../../parts/safety/guarded/window.ts'),
    import('../../parts/terminals/process/left-behind.ts'),
    import('../../parts/terminals/sandbox/workspace.ts'),
    import('../../parts/terminals/network/host-list.ts'),
    import('../../parts/safety/guarded/owner-remotes.ts'),
  ]),
);

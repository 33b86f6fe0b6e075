import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { encodeLaunchPlan } from '../launcher/plan.ts';
import { toNamespaceFlags } from '../launcher/seccomp.ts';
import type { SandboxPlan } from './mounts.ts';
import type { BubblewrapTools } from './tools.ts';

/** The words before a program that runs in a sandbox. */
export interface SandboxEntry {
  readonly file: string;
  readonly args: readonly string[];
  /** It shuts what we inherited itself, whatever the kernel. */
  readonly shutsInherited?: true;
}

/**
 * Into the namespaces of a holder, and there without any right: entering them gave all of those that count inside. `folder` is
 * one that commands do not see.
 */
export function createEntry(
  pid: number,
  { profile, network, uid }: Pick<SandboxPlan, 'profile' | 'network' | 'uid'>,
  { nsenter, launcher }: BubblewrapTools,
  folder: string,
): SandboxEntry {
  if (launcher !== undefined) {
    const plan = join(folder, 'entry');
    if (!existsSync(plan))
      writeFileSync(plan, encodeLaunchPlan({ machine: launcher.machine, dropRights: true, namespaces: profile === 'attended' }), {
        mode: 0o600,
      });
    return { file: launcher.launcher, args: ['run', plan, `${pid}:${toNamespaceFlags(network)}`] };
  }
  const spaces = ['--user', '--mount', '--pid', '--ipc', '--uts', ...(network ? [] : ['--net'])];
  // Only root keeps rights across the start of a program, and only root may and must give them up by name.
  const rights = ['--no-new-privs', '--inh-caps=-all', ...(uid === 0 ? ['--bounding-set=-all'] : [])];
  return { file: nsenter, args: ['--target', String(pid), ...spaces, '--preserve-credentials', '--', '/usr/bin/setpriv', ...rights] };
}

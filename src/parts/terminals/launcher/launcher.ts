import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { SeccompMachine } from './bpf.ts';

/** The program of `launcher.c`, which lies beside this file. */
export interface Launcher {
  readonly launcher: string;
  readonly machine: SeccompMachine;
}

export function findLauncher(): Launcher | undefined {
  const { arch, platform } = process;
  // Every session asks: the tables of filters are not loaded for it.
  if (platform !== 'linux' || (arch !== 'x64' && arch !== 'arm64')) return undefined;
  const launcher = join(import.meta.dirname, `launcher-${arch}`);
  return existsSync(launcher) ? { launcher, machine: arch } : undefined;
}

import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { isSeccompMachine, type SeccompMachine } from './bpf.ts';

/** The program of `launcher.c`, which lies beside this file. */
export interface Launcher {
  readonly launcher: string;
  readonly machine: SeccompMachine;
}

export function findLauncher(): Launcher | undefined {
  const { arch, platform } = process;
  if (platform !== 'linux' || !isSeccompMachine(arch)) return undefined;
  const launcher = join(import.meta.dirname, `launcher-${arch}`);
  return existsSync(launcher) ? { launcher, machine: arch } : undefined;
}

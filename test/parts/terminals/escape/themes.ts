import type { EscapeTheme } from './attempt.ts';
import { deferredAtHome } from './theme-home.ts';
import { ownMeans } from './theme-own.ts';
import { fileTools } from './theme-files.ts';
import { deferredInProject } from './theme-project.ts';
import { levels } from './theme-levels.ts';
import { limits } from './theme-limits.ts';
import { byTheProxy } from './theme-network.ts';
import { kernel } from './theme-kernel.ts';
import { processes } from './theme-processes.ts';
import { lostAtRemote } from './theme-push.ts';
import { secrets } from './theme-secrets.ts';
import { sockets } from './theme-sockets.ts';

export const THEMES: Readonly<Record<string, EscapeTheme>> = {
  secrets,
  home: deferredAtHome,
  sockets,
  processes,
  levels,
  kernel,
  own: ownMeans,
  project: deferredInProject,
  files: fileTools,
  network: byTheProxy,
  push: lostAtRemote,
  limits,
};

import type { CommandRule } from '../call/call.ts';
import { ask, toWordSet } from './rows.ts';

export const AS_OTHERS = toWordSet(
  'sudo su doas pkexec runuser run0 gosu su-exec kdesu gksudo setuidgid newgrp sg sudoedit visudo runas nsenter',
);

/** Acting as somebody else. */
export const PRIVILEGE: readonly CommandRule[] = [ask('privilege', 'it acts as another user', (name) => AS_OTHERS.has(name))];

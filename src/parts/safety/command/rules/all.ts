import type { Rule } from '../run/call.ts';
import { CLOUD } from './cloud.ts';
import { DATA } from './data.ts';
import { DELETION } from './deletion.ts';
import { FLOOR } from './floor.ts';
import { GIT } from './git.ts';
import { GUARDS } from './guards.ts';
import { NETWORK } from './network.ts';
import { PROCESSES } from './processes.ts';
import { RIGHTS } from './rights.ts';
import { SECRETS } from './secrets.ts';
import { WRITING } from './writing.ts';

/** Every class of danger; the hard floor first. Adding one is a row in its file. */
export const RULES: readonly Rule[] = [
  ...FLOOR,
  ...DELETION,
  ...WRITING,
  ...SECRETS,
  ...NETWORK,
  ...RIGHTS,
  ...PROCESSES,
  ...GIT,
  ...DATA,
  ...CLOUD,
  ...GUARDS,
];

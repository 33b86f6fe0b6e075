import type { CommandRule } from '../call/call.ts';
import { DATA } from './data.ts';
import { FLOOR } from './floor.ts';
import { GIT, GIT_REACH } from './git.ts';
import { OUTSIDE, OWN_FOLDER, PROJECT_LOSSES } from './outside.ts';
import { OWN } from './own.ts';
import { PLAIN, REMOTE } from './plain.ts';
import { SECRETS, WORKSPACE_SECRETS } from './secrets.ts';
import { SERVICE_LOSSES, SERVICE_USE } from './services.ts';

/** What decides before any wall: the floor, the agent's own, losses nothing brings back, and services with the owner's rights. */
const ALWAYS: readonly CommandRule[] = [...FLOOR, ...OWN, ...OWN_FOLDER, ...PROJECT_LOSSES, ...GIT, ...DATA, ...SERVICE_LOSSES, ...REMOTE];

/** Behind a wall nothing else is asked about: it is contained. */
export const WALLED_RULES: readonly CommandRule[] = [...ALWAYS, ...WORKSPACE_SECRETS];

/** Without one, whatever is not plainly reading or editing here. Adding a rule is a row in its file. */
export const RULES: readonly CommandRule[] = [...ALWAYS, ...OUTSIDE, ...SECRETS, ...GIT_REACH, ...SERVICE_USE, ...PLAIN];

import type { Call, CommandRule } from '../call/call.ts';
import { takesOwn } from '../run/makings.ts';
import { CARRIED } from './carried.ts';
import { CLOUD } from './cloud.ts';
import { CONTAINERS } from './containers.ts';
import { DATA } from './data.ts';
import { DELETION } from './deletion.ts';
import { FETCHED } from './fetched.ts';
import { FLOOR } from './floor.ts';
import { isForTests } from './for-tests.ts';
import { GIT } from './git.ts';
import { GUARDS } from './guards.ts';
import { LASTING } from './lasting.ts';
import { METADATA } from './metadata.ts';
import { NETWORK } from './network.ts';
import { OWN } from './own.ts';
import { PACKAGES } from './packages.ts';
import { PROCESSES } from './processes.ts';
import { PUBLISHING } from './publishing.ts';
import { REMOTE_CODE } from './remote-code.ts';
import { REQUESTS } from './requests.ts';
import { RIGHTS } from './rights.ts';
import { SECRETS } from './secrets.ts';
import { SECRET_SHAPES } from './shapes.ts';
import { SENDING } from './sending.ts';
import { SPYING } from './spying.ts';
import { TASKS } from './tasks.ts';
import { TOKENS } from './tokens.ts';
import { UNFAMILIAR } from './unfamiliar.ts';
import { WRITING } from './writing.ts';

/** Classes that speak of what is taken away: a line may take away what it has made, and some also what is there for tests. */
const SPARES: Readonly<Record<string, (call: Call) => boolean>> = {
  cloud_loss: (call) => takesOwn(call) || isForTests(call),
  container_loss: (call) => takesOwn(call) || isForTests(call),
  database_loss: (call) => takesOwn(call) || isForTests(call),
  database_script: isForTests,
  services: ({ name, args }) =>
    name === 'systemctl' && args.includes('--user') && args.some((word) => /^(?:restart|try-restart|reload)$/.test(word)),
  task_loss: isForTests,
};
function sparing(rule: CommandRule): CommandRule {
  const spares = SPARES[rule.key ?? ''];
  return spares === undefined
    ? rule
    : { ...rule, matches: (name, args, call, place) => rule.matches(name, args, call, place) && !spares(call) };
}

/** Every class of danger; the hard floor first. Adding one is a row in its file. */
const CLASSES: readonly CommandRule[] = [
  ...FLOOR,
  ...OWN,
  ...DELETION,
  ...WRITING,
  ...LASTING,
  ...SECRETS,
  ...SECRET_SHAPES,
  ...TOKENS,
  ...METADATA,
  ...SPYING,
  ...SENDING,
  ...NETWORK,
  ...REMOTE_CODE,
  ...FETCHED,
  ...RIGHTS,
  ...PROCESSES,
  ...GIT,
  ...DATA,
  ...REQUESTS,
  ...CONTAINERS,
  ...CLOUD,
  ...PACKAGES,
  ...PUBLISHING,
  ...GUARDS,
  ...TASKS,
  ...UNFAMILIAR,
  ...CARRIED,
];
export const RULES: readonly CommandRule[] = CLASSES.map(sparing);

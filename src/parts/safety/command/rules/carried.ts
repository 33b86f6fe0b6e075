import type { CommandRule } from '../call/call.ts';
import { MARK } from '../values/marks.ts';
import { ask, toWordSet } from './rows.ts';

/** Programs that only say or compare what they are given. */
const SAYS = toWordSet('echo printf test [ [[ : true false export declare local readonly typeset read return exit shift basename dirname');

const isUnseen = (words: readonly string[]): boolean => words.some((word) => word.includes(MARK.carried));

/** What nobody has seen before it runs: what earlier commands left in the shell, and commands that come out of a file. */
export const CARRIED: readonly CommandRule[] = [
  ask('unseen_command', 'the command it runs comes out of a file, a program or the network, and nobody has seen it', (name) =>
    name.includes(MARK.outside),
  ),
  ask(
    'carried_unknown',
    'it uses a variable that an earlier command set, and what that holds is only known when it runs',
    (name, args, { path, writes, reads }) => isUnseen([path, ...writes, ...reads]) || (!SAYS.has(name) && isUnseen(args)),
  ),
];

import type { Rule } from '../run/call.ts';
import { MARK } from '../values/marks.ts';
import { ask, oneOf } from './rows.ts';

/** Programs that only say or compare what they are given. */
const SAYS = oneOf('echo printf test [ [[ : true false export declare local readonly typeset read return exit shift basename dirname');

const isUnseen = (words: readonly string[]): boolean => words.some((word) => word.includes(MARK.carried));

/** What earlier commands left in the shell, where nobody can look at it. */
export const CARRIED: readonly Rule[] = [
  ask(
    'carried_unknown',
    'it uses a variable that an earlier command set, and what that holds is only known when it runs',
    (name, args, { path, writes, reads }) => isUnseen([path, ...writes, ...reads]) || (!SAYS.has(name) && isUnseen(args)),
  ),
];

import type { ScanRule } from '../match/rule.ts';
import { deceiving } from './deceiving.ts';
import { hiddenMarkup } from './hidden-markup.ts';
import { leaking } from './leaking.ts';
import { pairs } from './pairs.ts';
import { overriding } from './overriding.ts';
import { roles } from './roles.ts';
import { takingOver } from './taking-over.ts';

export const RULES: readonly ScanRule[] = [...overriding, ...roles, ...deceiving, ...hiddenMarkup, ...leaking, ...takingOver, ...pairs];

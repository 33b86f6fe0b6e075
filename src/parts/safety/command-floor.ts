import type { JudgeCommand } from '../../contracts/safety.ts';
import { createRuleJudge } from './command/judge.ts';
import { RULES, WALLED_RULES } from './command/rules/all.ts';

/** What is thought of a shell command before it runs where nothing keeps it in: fine, to be asked about, or refused. */
export const judgeCommand: JudgeCommand = createRuleJudge(RULES, true);
/** The same behind a wall: only what a wall does not stop. */
export const judgeWalledCommand: JudgeCommand = createRuleJudge(WALLED_RULES);

import type { JudgeCommand } from '../../contracts/safety.ts';
import { createRuleJudge } from './command/judge.ts';
import { RULES } from './command/rules/all.ts';

/** What is thought of a shell command before it runs: fine, to be asked about, or refused. */
export const judgeCommand: JudgeCommand = createRuleJudge(RULES, true);

import type { RequiredConsent } from '../../../../../contracts/consent.ts';
import { isProjectSource } from '../../../../../contracts/message.ts';
import { ONLY_LOOKING, type CommandLocation, type JudgeCommand } from '../../../../../contracts/safety.ts';
import { describeTaint, listTaintSources } from '../../../../../contracts/message.ts';
import { ToolRefusal, type AskContext } from '../../../../../contracts/tool.ts';
import { describeHeld, describeLeftBehind, findHeldState } from './held-state.ts';
import { parseLineParts } from '../../command-line/shell-line.ts';

export interface OutsideRequest {
  readonly tool: string;
  readonly command: string;
  readonly cwd: string;
  /** Why it is to run outside, as the end of "Asked because …". */
  readonly why: string;
}

/** What stands against running a command outside the wall: that it does, and all that it would be asked about where there is none. */
export function findOutsideObjection(
  { tool, command, cwd, why }: OutsideRequest,
  { terminal, taint }: Pick<AskContext, 'terminal' | 'taint'>,
  judgeOutside: JudgeCommand,
): RequiredConsent {
  const held = findHeldState(command, terminal.carried?.() ?? []);
  if (held.used.length > 0) throw new ToolRefusal(`Not run outside the sandbox: ${describeHeld(held.used)}.`);
  const verdict = judgeOutside(command, { cwd, home: terminal.files.home });
  if (verdict.type === 'refuse') throw new ToolRefusal(`Not run, and nobody can allow it: ${verdict.reason}.`);
  const { reason = '', key = 'run_outside', at = {}, read = [] } = verdict.type === 'ask' ? verdict : {};
  const looksOnly = key === 'run_outside' && at[key]?.every((act) => act.includes(` ${ONLY_LOOKING} `)) === true;
  // What only looks changes nothing, whoever had the idea.
  const foreign = looksOnly ? [] : taint.filter((source) => !isProjectSource(source));
  const reasons = [
    why,
    ...(held.exported.length > 0 ? [describeLeftBehind(held.exported)] : []),
    ...(foreign.length > 0
      ? [`This session has read ${describeTaint(foreign)} (${listTaintSources(foreign)}), and the text it read may have asked for this`]
      : []),
    ...(reason === '' ? [] : [`Outside, ${reason}`]),
  ];
  return {
    action: {
      tool,
      summary: command,
      cwd,
      // What the owner agreed to before was the agent's own idea.
      key: foreign.length > 0 ? `${key}+foreign_words` : key,
      reason: reasons.join('. '),
      ...(Object.keys(at).length > 0 && { at }),
      ...(read.length > 0 && { read }),
    },
    refusal: (said) => `Not run outside the sandbox: ${said}`,
  };
}

/** Programs that give a command the rights of somebody else. Behind a wall none of them can. */
const PRIVILEGED: ReadonlySet<string> = new Set(['sudo', 'su', 'doas', 'pkexec', 'run0']);
/** Programs that only run the next one. */
const RUNNERS: ReadonlySet<string> = new Set(['env', 'time', 'timeout', 'nice', 'ionice', 'nohup', 'xargs', 'exec', 'command']);

/** The program by which a line would act as another user. */
export function findPrivilegedProgram(line: string): string | undefined {
  const commands = parseLineParts(line).flatMap(({ pipeline }) => pipeline.map(({ words }) => words));
  return commands
    .map((words) => (RUNNERS.has(words[0] ?? '') ? words.find((word) => PRIVILEGED.has(word)) : words[0]))
    .find((name) => name !== undefined && PRIVILEGED.has(name));
}

/** Commands that no sandbox lets through, by the class they are asked about in: tried inside first, they would be asked about twice. */
const ONLY_OUTSIDE: readonly { readonly command: RegExp; readonly key: string; readonly why: string }[] = [
  {
    command: /^git (?:-C \S+ )?push /,
    key: 'git_history',
    why: 'a push that deletes or replaces what a remote has is sent only from outside the sandbox',
  },
  {
    command: /^(?:(?:npm|pnpm|cargo|poetry|uv) publish|twine upload|gem push)(?: |$)/,
    key: 'published',
    why: 'publishing needs your credentials, which commands in the sandbox do not have',
  },
];

/** Why a line with such a command runs outside as a whole: stopped half-way and run again, it would do what stands before it twice. */
export function findOnlyOutside(
  line: string,
  { judge, cwd, home }: { readonly judge: JudgeCommand } & CommandLocation,
): string | undefined {
  const commands = parseLineParts(line).flatMap(({ pipeline }) => pipeline);
  return ONLY_OUTSIDE.find(({ command, key }) =>
    commands.some(({ words, source }) => {
      const verdict = command.test(words.join(' ')) ? judge(source, { cwd, home }) : undefined;
      return verdict?.type === 'ask' && verdict.key.split('+').includes(key);
    }),
  )?.why;
}

/** Why a call is to run outside from its beginning; nothing for one that is tried inside first. */
export function explainOutside(command: string, asked: string | undefined, only?: string): string | undefined {
  const program = findPrivilegedProgram(command);
  const wants = asked === undefined || asked.trim() === '' ? '' : `the agent asks to run it outside the sandbox: "${asked.trim()}"`;
  const needs = program === undefined ? '' : `${program} works only outside the sandbox`;
  return [wants, needs, only ?? ''].filter((words) => words !== '').join('. ') || undefined;
}

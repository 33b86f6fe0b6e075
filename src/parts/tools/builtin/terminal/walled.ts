import { waitAtMost } from '../../../../base/waits.ts';
import type { RequiredConsent } from '../../../../contracts/consent.ts';
import type { JudgeCommand } from '../../../../contracts/safety.ts';
import type { Secrets } from '../../../../contracts/secrets.ts';
import type { RunOptions, RunningProcess, StartOptions } from '../../../../contracts/terminal.ts';
import { ToolRefusal, type AskContext, type ToolContext } from '../../../../contracts/tool.ts';
import type { SudoPasswords } from './at-wall/sudo.ts';
import type { WalledRun } from './at-wall/run.ts';
import { askObjection, type CommandConsentRequest } from '../command-line/consent.ts';

/** What commands need that meet the wall of their terminal; all of it is loaded where there is one. */
export interface WalledOptions {
  readonly judge: JudgeCommand;
  /** What stands against a command outside the wall; absent means what stands against any. */
  readonly judgeOutside?: JudgeCommand;
  /** Makes a password real for sudo; absent where none can be typed. */
  readonly restore?: Secrets['restore'];
  readonly passwords: SudoPasswords;
}
interface WalledCall extends CommandConsentRequest {
  /** Who agreed that it runs outside from its beginning. */
  readonly outsideBy: string | undefined;
}

/** How a command is asked about that does not even try the sandbox; nothing for all others, and where there is none. */
export async function findWayOutside(
  { why: asked, ...request }: CommandConsentRequest & { readonly why: string | undefined },
  context: AskContext,
  { judge, judgeOutside = judge }: WalledOptions,
): Promise<{ find(): RequiredConsent; ask(context: ToolContext): Promise<string> } | undefined> {
  if (context.terminal.wall === undefined || request.command.trim() === '') return undefined;
  const { explainOutside, findOutsideObjection, findOnlyOutside } = await import('./at-wall/outside.ts');
  const { command, cwd } = request;
  const why = explainOutside(command, asked, findOnlyOutside(command, { judge, cwd, home: context.terminal.files.home }));
  if (why === undefined) return undefined;
  const find = (): RequiredConsent => findOutsideObjection({ ...request, why }, context, judgeOutside);
  return {
    find,
    ask: async ({ approve }) => {
      const verdict = await askObjection(find, { approve });
      if (!verdict.allow) throw new ToolRefusal(find().refusal(verdict.reason));
      return verdict.by;
    },
  };
}

/** Runs a command where commands run. One that fails at the wall is offered to the owner; one the owner agreed to runs outside at once. */
export async function runWalled(call: WalledCall, context: ToolContext, options: WalledOptions, run: RunOptions): Promise<WalledRun> {
  const { terminal } = context;
  const { wall } = terminal;
  const { command, outsideBy } = call;
  if (wall === undefined) return { result: await terminal.run(command, run), notes: [] };
  const { AT_WALL, runAtWall } = await import('./at-wall/run.ts');
  // What it went to in its first run is not where it starts again.
  const again = (): RunOptions => (terminal.cwd === call.cwd ? run : { ...run, cwd: call.cwd });
  const outside = async (mayUse = false) => {
    const { openSudo } = await import('./at-wall/sudo.ts');
    using sudo = await openSudo(command, context, { ...options, wall, mayUse });
    return await wall.runOutside(`${sudo.prelude}${command}`, again());
  };
  if (outsideBy !== undefined) return { result: await outside(), notes: [AT_WALL.outside('ran', outsideBy)] };
  const inside = () => terminal.run(command, again());
  return runAtWall({ ...call, inside, outside }, context, { wall, judgeOutside: options.judgeOutside ?? options.judge });
}

/** How long a start behind a wall is watched: what the wall stops ends at once. */
const EARLY_END_MS = 150;

export async function startWalled(
  call: WalledCall,
  context: ToolContext,
  options: WalledOptions,
  start: StartOptions,
): Promise<{ readonly started: RunningProcess; readonly notes: readonly string[] }> {
  const { terminal } = context;
  const { wall } = terminal;
  const { command, outsideBy } = call;
  if (wall === undefined) return { started: await terminal.start(command, start), notes: [] };
  const { AT_WALL, describeStop, findWallBlocks } = await import('./at-wall/run.ts');
  if (outsideBy !== undefined) {
    const { openSudo } = await import('./at-wall/sudo.ts');
    const sudo = await openSudo(command, context, { ...options, wall });
    const started = await wall.startOutside(`${sudo.prelude}${command}`, start);
    void started.exited.finally(() => sudo[Symbol.dispose]());
    return { started: { ...started, command }, notes: [AT_WALL.outside('runs', outsideBy)] };
  }
  const started = await terminal.start(command, start);
  if (!(await waitAtMost(started.exited, EARLY_END_MS))) return { started, notes: [] };
  const { exitCode = null } = started.status();
  const blocks = findWallBlocks(call, { output: started.output(), exitCode, ended: 'exited' }, context, { wall });
  return { started, notes: blocks.length === 0 ? [] : [describeStop(blocks, AT_WALL.background)] };
}

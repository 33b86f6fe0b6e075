import { toErrorMessage } from '../../../../../base/errors.ts';
import { realPath } from '../../../../../base/real-path.ts';
import type { ApprovalVerdict, RequiredConsent } from '../../../../../contracts/consent.ts';
import type { JudgeCommand } from '../../../../../contracts/safety.ts';
import type { RunResult } from '../../../../../contracts/terminal.ts';
import { isToolRefusal, type ToolContext } from '../../../../../contracts/tool.ts';
import type { Wall } from '../../../../../contracts/terminal.ts';
import type { HeldChange } from '../../../../../contracts/wall.ts';
import { askObjection } from '../../command-line/consent.ts';
import type { HostFacts, RecognizedBlock } from './failure.ts';
import { hostFacts } from './host-facts.ts';
import { planOffer, type WallOffer } from './offer.ts';
import { findOutsideObjection } from './outside.ts';
import { recognizeWallBlocks } from './recognize.ts';
import { AT_WALL, explainHosts, explainOffer } from './words.ts';

export { AT_WALL } from './words.ts';

/** A command behind a wall, and how it runs on either side. */
export interface WalledCommand {
  readonly tool: string;
  readonly command: string;
  readonly cwd: string;
  inside(): Promise<RunResult>;
  /** `mayUse`: something in it wants the rights of another user. */
  outside(mayUse?: boolean): Promise<RunResult>;
}
export interface WalledRunDeps {
  readonly wall: Wall;
  readonly judgeOutside: JudgeCommand;
  readonly host?: HostFacts;
}
export interface WalledRun {
  readonly result: RunResult;
  /** For the model, after the result. */
  readonly notes: readonly string[];
}

/** Openings of the wall for one command; more would be a command that nobody understands. */
const MAX_OPENINGS = 3;

/**
 * Runs a command inside. One that fails at the wall is offered to the owner, once: to open the wall for what it needs, after
 * which it runs again inside, or to run it outside. The last run is what the model sees, and how it came to it.
 */
export async function runAtWall(walled: WalledCommand, context: ToolContext, deps: WalledRunDeps): Promise<WalledRun> {
  let result = await walled.inside();
  const [notes, met]: [string[], Set<string>] = [[], new Set()];
  for (let openings = 0; openings <= MAX_OPENINGS; openings++) {
    const blocks = findWallBlocks(walled, result, context, deps);
    if (blocks.length === 0) return { result, notes };
    // What ran out of time has run for long: nobody is asked to run it again.
    const isOver = openings >= MAX_OPENINGS || result.ended === 'timeout';
    const offer = isOver ? NONE : await offerFor(blocks, context, deps);
    const isNew = blocks.some(({ block }) => !met.has(JSON.stringify(block)));
    for (const { block } of blocks) met.add(JSON.stringify(block));
    if (offer.type === 'none' || !isNew || context.signal.aborted)
      return { result, notes: [...notes, describeStop(blocks, '', isDone(result))] };
    const verdict = await askFor(offer, blocks, walled, context, deps);
    if (!verdict.allow) return { result, notes: [...notes, AT_WALL.stopped(blocks, verdict.reason)] };
    if (offer.type === 'outside')
      return {
        result: keepHeld(result, await keepNamed(await walled.outside(blocks.some(({ block }) => block.type === 'privilege')), blocks)),
        notes: [...notes, AT_WALL.ranOutside(blocks, verdict.by)],
      };
    const trouble = await open(offer, deps.wall);
    if (trouble !== undefined) return { result, notes: [...notes, trouble] };
    notes.push(AT_WALL.widened(blocks, verdict.by));
    result = keepHeld(result, await walled.inside());
  }
  return { result, notes };
}
const NONE: WallOffer = { type: 'none' };

const offerFor = async (
  blocks: readonly RecognizedBlock[],
  { terminal }: Pick<ToolContext, 'terminal'>,
  { wall }: Pick<WalledRunDeps, 'wall'>,
): Promise<WallOffer> =>
  planOffer(blocks, {
    home: terminal.files.home,
    workspace: wall.writable[0] ?? terminal.cwd,
    hides: (path) => wall.hides(path),
    canOpenPaths: blocks.some(({ block }) => block.type === 'write') && (await wall.canOpenPaths()),
  });

/** A file that the question named as what could not be written to was agreed to with it. One that cannot be kept is asked about. */
async function keepNamed({ held = [], ...result }: RunResult, blocks: readonly RecognizedBlock[]): Promise<RunResult> {
  const named = new Set(blocks.flatMap(({ block }) => (block.type === 'write' ? [realPath(block.path) ?? block.path] : [])));
  const asked: HeldChange[] = [];
  for (const change of held) {
    const isKept =
      named.has(change.path) &&
      (await change.apply().then(
        () => true,
        () => false,
      ));
    if (!isKept) asked.push(change);
  }
  return asked.length === 0 ? result : { ...result, held: asked };
}

/** What an earlier run changed and was put back is asked about as well. */
const keepHeld = (earlier: RunResult, { held = [], ...result }: RunResult): RunResult => {
  const all = [...(earlier.held ?? []), ...held];
  return all.length === 0 ? result : { ...result, held: all };
};

/** What the wall stopped of a command that came to its end. */
export function findWallBlocks(
  { command, cwd }: Pick<WalledCommand, 'command' | 'cwd'>,
  { output, exitCode, ended, blocked }: Pick<RunResult, 'output' | 'exitCode' | 'ended' | 'blocked'>,
  { terminal }: Pick<ToolContext, 'terminal'>,
  { wall, host = hostFacts }: Pick<WalledRunDeps, 'wall' | 'host'>,
): readonly RecognizedBlock[] {
  if (ended !== 'exited' && ended !== 'timeout') return [];
  return recognizeWallBlocks({
    command,
    output,
    exitCode,
    blocked,
    cwd,
    home: terminal.files.home,
    writable: wall.writable,
    hasNetwork: terminal.place?.network === true,
    hides: (path) => wall.hides(path),
    socketAt: (inside) => wall.socketAt?.(inside),
    host,
  });
}

/** For the model: what stopped it, where nobody is asked about it. */
export const describeStop = (blocks: readonly RecognizedBlock[], more = '', done = false): string =>
  AT_WALL[done ? 'meanwhile' : 'stopped'](blocks, [explainHosts(blocks), more].filter((words) => words !== '').join(' '));
/** It did what it was to do: what was turned away meanwhile did not stop it. */
const isDone = ({ ended, exitCode }: RunResult): boolean => ended === 'exited' && exitCode === 0;

async function askFor(
  offer: Exclude<WallOffer, { type: 'none' }>,
  blocks: readonly RecognizedBlock[],
  { tool, command, cwd }: WalledCommand,
  context: ToolContext,
  { judgeOutside }: WalledRunDeps,
): Promise<ApprovalVerdict> {
  const why = explainOffer(offer, blocks);
  const find = (): RequiredConsent =>
    offer.type === 'outside'
      ? findOutsideObjection({ tool, command, cwd, why }, context, judgeOutside)
      : { action: { tool, summary: command, cwd, key: offer.key, at: { [offer.key]: offer.at }, reason: why }, refusal: AT_WALL.denied };
  try {
    const verdict = await askObjection(find, context);
    return verdict.allow ? verdict : { ...verdict, reason: AT_WALL.denied(verdict.reason) };
  } catch (error) {
    if (isToolRefusal(error))
      return {
        allow: false,
        by: 'policy',
        reason: AT_WALL.refused(error.message.replace(/^Not run, and nobody can allow it: /, '').replace(/\.$/, '')),
      };
    throw error;
  }
}

async function open({ grants }: Extract<WallOffer, { type: 'widen' }>, wall: Wall): Promise<string | undefined> {
  try {
    for (const grant of grants) await wall.grant(grant);
    return undefined;
  } catch (error) {
    return AT_WALL.notWidened(toErrorMessage(error));
  }
}

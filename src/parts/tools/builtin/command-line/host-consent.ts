import { toVisibleLine } from '../../../../base/visible.ts';
import type { ApprovalRequest } from '../../../../contracts/consent.ts';
import { formatHostKey, type GitQuestion, type HostAnswer, type HostRequest } from '../../../../contracts/wall.ts';
import type { ToolContext } from '../../../../contracts/tool.ts';
import { describeTaint, isProjectSource, listTaintSources } from '../../../../contracts/message.ts';

/** What the user said no to, of one turn: the same command is not asked about again for the same host. */
export interface RefusedHosts {
  turnId: string;
  readonly whys: Map<string, string>;
}

/** Asks whether a command may talk to a host that is not known, or push. A longer yes is kept by the approver, for this host alone. */
export const askAboutHost =
  (tool: string, { approve, taint, turnId }: Pick<ToolContext, 'approve' | 'taint' | 'turnId'>, command = '', refused?: RefusedHosts) =>
  async (request: HostRequest): Promise<HostAnswer> => {
    const action = describeRequest(request, taint);
    if (action === undefined) return true;
    const asked = `${action.summary} ${command}`;
    const before = refused?.turnId === turnId ? refused.whys.get(asked) : undefined;
    if (before !== undefined) return { why: `${before} The user was asked before in this task and is not asked again.` };
    const verdict = await approve({ tool, ...action });
    if (verdict.allow) return true;
    const why = verdict.reason.replace(/(?<![.!?])$/, '.');
    if (refused !== undefined && verdict.by === 'the owner') {
      if (refused.turnId !== turnId) refused.whys.clear();
      refused.turnId = turnId;
      refused.whys.set(asked, why);
    }
    return { why };
  };

/** What is asked; nothing where nothing stands against it. */
function describeRequest(request: HostRequest, taint: readonly string[]): Omit<ApprovalRequest, 'tool'> | undefined {
  const { git } = request;
  if (git !== undefined) return git.type === 'remote' ? describeRemote(git) : describePush(git, taint);
  const host = formatHostKey(request);
  const isRemote = request.isRemote === true;
  if (isRemote && taint.every(isProjectSource)) return undefined;
  const why = isRemote
    ? 'a command connects to a remote of the project, and may push there'
    : 'a command tries to connect to a host that is not on the list of known hosts';
  return {
    summary: `connect to ${host}`,
    reason: `${why}${taint.length === 0 ? ', and could send it what it can read' : `. ${explainTaint(taint, ';')}`}`,
    key: 'network_host',
    at: { network_host: [`host:${host}`] },
  };
}
const explainTaint = (taint: readonly string[], join: string): string =>
  `This session has read ${describeTaint(taint)} (${listTaintSources(taint)})${join} the text it read may have asked for this`;

const describeRemote = ({ remote }: Extract<GitQuestion, { type: 'remote' }>): Omit<ApprovalRequest, 'tool'> => ({
  summary: `let git use the remote ${toVisibleLine(remote)}`,
  reason:
    'the settings of the repository name this remote, and a command may have added it: it was not there when Hermes first worked here. A yes is remembered for this repository',
  key: 'git_remote',
});

/** A push of ordinary commits asks nobody; text from outside must not be what decides that there is one. */
function describePush(
  { remote, refs, holds }: Extract<GitQuestion, { type: 'push' }>,
  taint: readonly string[],
): Omit<ApprovalRequest, 'tool'> | undefined {
  const foreign = taint.filter((source) => !isProjectSource(source));
  if (holds.length === 0 && foreign.length === 0) return undefined;
  const shown = [...holds.slice(0, MAX_SHOWN), ...(holds.length > MAX_SHOWN ? [`${holds.length - MAX_SHOWN} more`] : [])].map(
    toVisibleLine,
  );
  return {
    summary: [`push ${refs.map(toVisibleLine).join(', ')} to ${toVisibleLine(remote)}`, ...shown.map((each) => `with ${each}`)].join('\n'),
    reason: [
      ...(holds.length > 0 ? ['its commits hold what people seldom mean to publish'] : ['a command pushes to this remote']),
      ...(foreign.length > 0 ? [explainTaint(foreign, ',')] : []),
    ].join('. '),
    key: foreign.length > 0 ? 'git_push+foreign_words' : 'git_push',
  };
}
const MAX_SHOWN = 10;

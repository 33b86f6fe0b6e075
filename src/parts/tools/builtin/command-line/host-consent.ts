import { formatHostKey, type HostAnswer, type HostRequest } from '../../../../contracts/wall.ts';
import type { ToolContext } from '../../../../contracts/tool.ts';
import { describeTaint, listTaintSources } from '../../../../contracts/message.ts';

/** What the user said no to, of one turn: the same command is not asked about again for the same host. */
export interface RefusedHosts {
  turnId: string;
  readonly whys: Map<string, string>;
}

/** Asks whether a command may talk to a host that is not known. A longer yes is kept by the approver, for this host alone. */
export const askAboutHost =
  (tool: string, { approve, taint, turnId }: Pick<ToolContext, 'approve' | 'taint' | 'turnId'>, command = '', refused?: RefusedHosts) =>
  async (request: HostRequest): Promise<HostAnswer> => {
    const host = formatHostKey(request);
    const asked = `${host} ${command}`;
    const before = refused?.turnId === turnId ? refused.whys.get(asked) : undefined;
    if (before !== undefined) return { why: `${before} The user was asked before in this task and is not asked again.` };
    const verdict = await approve({
      tool,
      summary: `connect to ${host}`,
      reason: explainHostQuestion(taint),
      key: 'network_host',
      at: { network_host: [`host:${host}`] },
    });
    if (verdict.allow) return true;
    const why = verdict.reason.replace(/(?<![.!?])$/, '.');
    if (refused !== undefined && verdict.by === 'the owner') {
      if (refused.turnId !== turnId) refused.whys.clear();
      refused.turnId = turnId;
      refused.whys.set(asked, why);
    }
    return { why };
  };

const explainHostQuestion = (taint: readonly string[]): string =>
  taint.length === 0
    ? 'a command tries to connect to a host that is not on the list of known hosts, and could send it what it can read'
    : `a command tries to connect to a host that is not on the list of known hosts. This session has read ${describeTaint(taint)} (${listTaintSources(taint)}); the text it read may have asked for this`;

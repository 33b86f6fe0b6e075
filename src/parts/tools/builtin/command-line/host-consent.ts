import { formatHostKey, type HostRequest } from '../../../../contracts/wall.ts';
import type { ToolContext } from '../../../../contracts/tool.ts';
import { describeTaint, listTaintSources } from '../../../../contracts/message.ts';

/** Asks whether a command may talk to a host that is not known. A longer yes is kept by the approver, for this host alone. */
export const askAboutHost =
  (tool: string, { approve, taint }: Pick<ToolContext, 'approve' | 'taint'>) =>
  async (request: HostRequest): Promise<boolean> => {
    const host = formatHostKey(request);
    const verdict = await approve({
      tool,
      summary: `connect to ${host}`,
      reason: explainHostQuestion(taint),
      key: 'network_host',
      at: { network_host: [`host:${host}`] },
    });
    return verdict.allow;
  };

const explainHostQuestion = (taint: readonly string[]): string =>
  taint.length === 0
    ? 'a command tries to connect to a host that is not on the list of known hosts, and could send it what it can read'
    : `a command tries to connect to a host that is not on the list of known hosts. This session has read ${describeTaint(taint)} (${listTaintSources(taint)}); the connection may be their idea`;

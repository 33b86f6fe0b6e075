import type { MemoryScope, MemorySessionSwitch } from '../../contracts/memory-provider.ts';

type SwitchFacts = Pick<MemorySessionSwitch, 'fromSessionId' | 'reason'>;

export interface SwitchWatch {
  /** A session is opened; gives what it goes on from, when it does. */
  attached(scope: MemoryScope, opened: OpenedSession): SwitchFacts | undefined;
  /** Nobody is at this session any more. */
  left(sessionId: string): void;
}
export interface OpenedSession {
  /** Something was said in it before. */
  readonly isResumed: boolean;
  readonly parent: { readonly sessionId: string; readonly kind: string } | undefined;
}

/**
 * Tells when a person goes on in another session: in a branch of the one they were in, or in another after they left it. Sessions
 * of one person at one place follow each other; those that are open side by side do not.
 */
export function createSwitchWatch(): SwitchWatch {
  /** The session that was opened last at each place, and whether it was left. */
  const latest = new Map<string, { readonly sessionId: string; readonly isLeft: boolean }>();
  return {
    attached: (scope, { isResumed, parent }) => {
      const { sessionId } = scope;
      const place = [scope.platform, scope.chatId ?? '', scope.userId ?? ''].join('\n');
      const before = latest.get(place);
      latest.set(place, { sessionId, isLeft: false });
      if (before?.sessionId === sessionId) return undefined;
      if (parent?.kind === 'branch' && before?.sessionId === parent.sessionId) return { fromSessionId: parent.sessionId, reason: 'branch' };
      return before?.isLeft === true ? { fromSessionId: before.sessionId, reason: isResumed ? 'resume' : 'reset' } : undefined;
    },
    left: (sessionId) => {
      for (const [place, known] of latest) if (known.sessionId === sessionId) latest.set(place, { sessionId, isLeft: true });
    },
  };
}

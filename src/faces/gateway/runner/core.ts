import { toErrorMessage } from '../../../base/errors.ts';
import type { AccountRef, ChatTarget } from '../../../contracts/gateway-store.ts';
import type { ChatPlace } from '../../../contracts/platform-adapter.ts';
import { createAuthoriser } from '../access/authoriser.ts';
import type { RunningAccount } from '../accounts/account.ts';
import { createConversations, type Conversations } from '../chats/conversations.ts';
import { createHookEvents } from '../chats/hook-events.ts';
import { createMove } from '../chats/move-chat.ts';
import { openChatSession } from '../chats/open-chat-session.ts';
import { isSameAccount } from '../contract.ts';
import { createQuestions } from '../questions/questions.ts';
import { createAnswerPlanner } from '../send/answers.ts';
import { keepBlocks } from '../send/kept-blocks.ts';
import { createRates } from '../send/rates.ts';
import { createDeliverPort, findTarget } from '../send/sends.ts';
import type { AccountLinks } from './account-links.ts';
import type { GatewayOptions } from './contract.ts';

export type GatewayCore = ReturnType<typeof createCore>;

/** What all work stands on. */
export function createCore(options: GatewayOptions, { running, apply }: Pick<AccountLinks, 'running' | 'apply'>) {
  const { clock, log, onEvent, approvals, findOwner, blobs } = options;
  const { store } = options.host;
  // By a clock that nobody sets: a day that begins again must not keep a message waiting.
  const rates = keepBlocks(
    createRates(() => performance.now()),
    { store, clock },
  );
  const hookEvents = createHookEvents(options.emit);
  const findAccount = (ref: AccountRef): RunningAccount | undefined => running().find((account) => isSameAccount(account.ref, ref));
  const conversations: Conversations = createConversations({
    store,
    openSession: (session) => openChatSession(session, { ...options, conversations, ask: questions.ask, planAnswer, deliver, findAccount }),
    findAccount,
    rates,
    clock,
    log,
    onEvent: (event, context) => {
      hookEvents.onEvent(event, context);
      onEvent?.(event, context);
    },
  });
  const sends = {
    store,
    get accounts() {
      return options.accounts.all();
    },
    root: options.root,
    clock,
    blobs,
  };
  const deliver = createDeliverPort(sends, running);
  const questions = createQuestions({ store: store.gateway, sessions: store, findAccount, approvals, findOwner, wake: conversations.wake });
  const moveRows = createMove(store.gateway);
  const planAnswer = createAnswerPlanner({ store: store.gateway, findAccount, pauseView: conversations.pauseView, blobs, clock });
  return {
    conversations,
    questions,
    rates,
    hookEvents,
    findAccount,
    authorise: createAuthoriser(store.gateway),
    findTarget: (wanted: string) => findTarget(wanted, sends),
    move: async (from: ChatTarget, to: ChatPlace, isNewId: boolean): Promise<void> => {
      if (isNewId) options.accounts.follow(from, { from: from.chatId, to: to.chatId });
      await moveRows(from, to, isNewId);
      if (!isNewId) return;
      await options.onMoved?.(from, to);
      // Its adapter may know chats by their ids, too.
      void apply().catch((error: unknown) => log(`an account could not be opened again: ${toErrorMessage(error)}`));
    },
  };
}

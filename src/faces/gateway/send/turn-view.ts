import type { Clock } from '../../../base/clock.ts';
import { takeStart } from '../../../base/text.ts';
import { describeToolCall } from '../../../commands/tool-words.ts';
import type { GatewayStore } from '../../../contracts/gateway-store.ts';
import type { AgentEvent } from '../../../contracts/event.ts';
import type { ToolCall } from '../../../contracts/message.ts';
import type { Reaction } from '../../../contracts/platform-adapter.ts';
import type { AccountDisplay } from '../accounts/account-display.ts';
import type { ChatDisplay } from '../accounts/chat-display.ts';
import type { ReplyAddress } from '../contract.ts';
import type { RunningAccount } from '../accounts/account.ts';
import { openPreview } from './preview.ts';
import type { SendRates } from './rates.ts';

/** What a chat shows of a turn while it runs: that somebody types, what is being done, the words so far. Nothing of it is the answer. */
export interface TurnView {
  event(event: AgentEvent): void;
  /** What is shown stays as it is from now on; the answer takes its place. */
  end(): Promise<void>;
}
export interface TurnViewOptions {
  readonly address: ReplyAddress;
  readonly sessionId: string;
  readonly turnId: string;
  readonly display: ChatDisplay;
}
export interface TurnViewDeps {
  readonly store: Pick<GatewayStore, 'remember' | 'route' | 'deliveries'>;
  readonly account: RunningAccount;
  readonly rates: SendRates;
  readonly clock: Clock;
  /** Whether the turn only waits for a person: the chat has the card then and needs no typing sign. */
  readonly isWaiting?: () => boolean;
}

/** A service that does not say how long its typing sign stays shows it for about this long. */
const TYPING_MS = 5_000;
const MAX_TYPING_CALL_MS = 1_500;
const MAX_SHOWN_CALL = 80;

export function openTurnView(deps: TurnViewDeps, options: TurnViewOptions): TurnView {
  const { account, clock } = deps;
  const { address, display } = options;
  const { traits } = account.kind;
  const over = new AbortController();
  let shown: ShownTurn = { words: '', calls: [], thinking: '' };
  const preview =
    display.streaming === false
      ? undefined
      : openPreview(deps, { address, sessionId: options.sessionId, turnId: options.turnId, ...display.streaming });
  const type = async (): Promise<void> => {
    for (; !over.signal.aborted; await clock.sleep((traits.typingMs ?? TYPING_MS) * 0.8, over.signal)) {
      if (deps.isWaiting?.() === true || deps.rates.take({ target: address.target, traits, canWait: true, isSign: true }) > 0) continue;
      await account.sender.showTyping?.(address.target, AbortSignal.timeout(MAX_TYPING_CALL_MS)).catch(() => undefined);
    }
  };
  const typing = display.typing ? type() : undefined;
  return {
    event: (event) => {
      const before = shown;
      shown = showEvent(shown, event, display);
      // Rendered when it is sent: a long answer comes in thousands of pieces.
      const now = shown;
      if (now !== before) preview?.show({ length: countShown(now), render: () => renderShown(now) });
    },
    end: async () => {
      over.abort('over');
      await Promise.all([typing, preview?.end()]);
    },
  };
}

/** Shows at the message itself what becomes of it, where the account is set so. */
export function reactTo(account: RunningAccount, address: ReplyAddress, reaction: Reaction, rates: SendRates): void {
  const { sender, config, kind } = account;
  const { target, messageId } = address;
  if (!config.display.reactions || messageId === undefined) return;
  // Where the service asked to wait it is left out.
  if (rates.take({ target, traits: kind.traits, canWait: true, isSign: true }) > 0) return;
  void sender.react?.({ ...target, messageId }, reaction, AbortSignal.timeout(MAX_TYPING_CALL_MS)).catch(() => undefined);
}

/** The words since the last call, and the calls since the last words. */
interface ShownTurn {
  readonly words: string;
  readonly calls: readonly string[];
  /** The end of what the model thinks, where the chat shows it. */
  readonly thinking: string;
}
const MAX_THINKING = 600;

/** Pure: what is shown after an event. */
export function showEvent(
  shown: ShownTurn,
  event: AgentEvent,
  { toolProgress: progress, showsReasoning }: Pick<ChatDisplay, 'toolProgress' | 'showsReasoning'>,
): ShownTurn {
  switch (event.type) {
    case 'text_delta':
      return shown.calls.length > 0
        ? { words: event.delta, calls: [], thinking: '' }
        : { ...shown, words: shown.words + event.delta, thinking: '' };
    case 'thinking_delta':
      return showsReasoning ? { ...shown, thinking: (shown.thinking + event.delta).slice(-MAX_THINKING) } : shown;
    // Words of a call that failed are void.
    case 'recovering':
      return { ...shown, words: '' };
    case 'tool_started':
      return progress === 'off' ? shown : { ...shown, calls: addCall(shown.calls, describeCall(event.call), progress) };
    default:
      return shown;
  }
}

const MAX_CALLS = 8;
function addCall(calls: readonly string[], line: string, progress: AccountDisplay['toolProgress']): readonly string[] {
  const isSameTool = calls.at(-1)?.split(' ')[0] === line.split(' ')[0];
  return progress === 'new' && isSameTool ? [...calls.slice(0, -1), line] : [...calls, line].slice(-MAX_CALLS);
}

function describeCall(call: ToolCall): string {
  const { verb, object } = describeToolCall(call);
  return object === '' ? verb : `${verb} ${takeStart(object, MAX_SHOWN_CALL).replaceAll('`', "'")}`;
}

const countShown = ({ words, calls, thinking }: ShownTurn): number => words.length + calls.join('').length + thinking.length;
const renderShown = ({ words, calls, thinking }: ShownTurn): string =>
  [words.trim(), ...calls.map((line) => `\`${line}\``), ...(thinking.trim() === '' ? [] : [`> ${thinking.trim().replaceAll(/\s+/g, ' ')}`])]
    .filter((part) => part !== '')
    .join('\n');

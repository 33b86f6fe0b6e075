import type { Clock } from '../../../base/clock.ts';
import type { Json } from '../../../base/json-types.ts';
import type { AgentEvent } from '../../../contracts/event.ts';
import type { Route } from '../../../contracts/gateway-store.ts';
import type { Reaction } from '../../../contracts/platform-adapter.ts';
import type { Session, SessionStore } from '../../../contracts/session-store.ts';
import type { FindAccount } from '../accounts/account.ts';
import { readAddress } from '../addresses/reply-address.ts';
import type { ReplyAddress } from '../contract.ts';
import type { SendRates } from '../send/rates.ts';
import { readChatDisplay } from '../accounts/chat-display.ts';
import { openTurnView, reactTo, type TurnView } from '../send/turn-view.ts';

/** The turns of a session, each shown where it was asked from. */
export interface ShownTurns {
  /** Where the turn that runs was asked from. */
  readonly address: ReplyAddress | undefined;
  begin(turnId: string, replyTo: Json | undefined): Promise<void>;
  event(event: AgentEvent): Promise<void>;
  /** Nothing is shown any more, until the turn says something new. */
  end(): Promise<void>;
}
export interface ShownTurnsDeps {
  readonly store: SessionStore;
  readonly findAccount: FindAccount;
  readonly rates: SendRates;
  readonly clock: Clock;
  /** Whether the turn only waits for a person. */
  readonly isWaiting?: () => boolean;
  /** Every event of every turn, for hooks. */
  readonly onEvent?: (event: AgentEvent, context: { readonly session: Session; readonly address: ReplyAddress | undefined }) => void;
}

export function createShownTurns(session: Session, deps: ShownTurnsDeps): ShownTurns {
  let view: TurnView | undefined;
  let address: ReplyAddress | undefined;
  let route: Route | undefined;
  let turnId = '';
  const end = async (): Promise<void> => {
    const ending = view;
    view = undefined;
    await ending?.end();
  };
  const react = (reaction: Reaction): void => {
    const account = address && deps.findAccount(address.target);
    if (account !== undefined && address !== undefined) reactTo(account, address, reaction, deps.rates);
  };
  const begin = async (id: string, replyTo: Json | undefined): Promise<void> => {
    await end();
    [turnId, address] = [id, readAddress(replyTo)];
    route = address && (await deps.store.gateway.route(address.routeKey));
    view = openView(session.id, turnId, address, route, deps);
    react('seen');
  };
  return {
    get address() {
      return address;
    },
    begin,
    end,
    event: async (event) => {
      // A message that opens a turn of its own tells where that one was asked from.
      if (event.type === 'inbox' && (event.fate === 'turn' || event.fate === 'interrupted')) {
        const state = await deps.store.turn(session.id);
        if (state !== undefined && state.turnId !== turnId) await begin(state.turnId, state.replyTo);
      }
      if (event.type === 'text_delta' || event.type === 'tool_started') view ??= openView(session.id, turnId, address, route, deps);
      view?.event(event);
      deps.onEvent?.(event, { session, address });
      if (event.type !== 'settled') return;
      await end();
      react(event.outcome.type === 'failed' ? 'failed' : 'done');
    },
  };
}

/** Nothing is shown of a turn that nobody waits for. */
function openView(
  sessionId: string,
  turnId: string,
  address: ReplyAddress | undefined,
  route: Route | undefined,
  { store, rates, clock, findAccount, isWaiting }: ShownTurnsDeps,
): TurnView | undefined {
  if (address === undefined || address.label !== undefined || address.unasked !== undefined) return undefined;
  const account = findAccount(address.target);
  if (account === undefined) return undefined;
  const display = readChatDisplay(route, account.config.display);
  return openTurnView(
    { store: store.gateway, account, rates, clock, ...(isWaiting !== undefined && { isWaiting }) },
    { address, sessionId, turnId, display },
  );
}

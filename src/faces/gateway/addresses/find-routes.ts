import type { ChatTarget, GatewayStore, Route } from '../../../contracts/gateway-store.ts';
import { nameTarget } from './targets.ts';
import { listChatKeys } from './session-key.ts';

/** The chat of this id at an account, of whatever type, and all its threads. */
export const findChatRoutes = (
  store: Pick<GatewayStore, 'routes'>,
  { platform, account, chatId }: Omit<ChatTarget, 'threadId'>,
): Promise<readonly Route[]> => store.routes({ under: listChatKeys({ platform, account }, chatId) });

/** What leads to one chat or thread. */
export const findTargetRoute = async (store: Pick<GatewayStore, 'routes'>, target: ChatTarget): Promise<Route | undefined> =>
  (await findChatRoutes(store, target)).find((route) => nameTarget(route.target) === nameTarget(target));

import { readChatType } from '../addresses/reply-address.ts';
import type { ReplyAddress } from '../contract.ts';
import { isOwnersChat } from './access.ts';

/** Whether the owner alone reads what is said there: only then may it name servers, paths, sessions and settings. */
export const isReadByOwnerAlone = (address: Pick<ReplyAddress, 'routeKey' | 'role'>): boolean =>
  isOwnersChat({ type: readChatType(address) }, address.role);

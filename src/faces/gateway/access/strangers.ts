import type { AccountRef, Arrival, PairingRedemption } from '../../../contracts/gateway-store.ts';
import { placeOf, type KeptEvent } from '../contract.ts';
import type { AccessSettings } from './access.ts';
import { confirmCode, decideStranger, describeOffer, findInvitation, offerCode, tellPaired, type PairingStore } from './pairing.ts';

/** What the words of a stranger do when they are a code of the owner's; nothing is changed before the message is kept. */
export async function readStrangersCode(
  store: PairingStore,
  { platform, account }: AccountRef,
  event: KeptEvent,
): Promise<PairingRedemption | undefined> {
  if (event.type !== 'message') return undefined;
  const found = await findInvitation(store, { platform, account }, event.text);
  if (found.type !== 'found') return undefined;
  const { id: userId, name } = event.sender;
  return {
    pairingId: found.pairingId,
    person: { platform, account, userId, ...(name !== undefined && { name }) },
    deliveries: [tellPaired({ platform, account }, placeOf(event.chat), event.key)],
  };
}

/** What somebody who may not speak is told. */
export interface StrangerAnswer {
  /** Makes the code; not before it can be sent, since a code that is not sent keeps its place for a while. Nothing when there is none. */
  offer(): Promise<OfferedWords | undefined>;
}
export interface OfferedWords {
  readonly words: string;
  /** They have it. */
  delivered(): Promise<void>;
}

/** A code for the owner to approve, or nothing. */
export async function offerStranger(
  store: PairingStore,
  { ref, config }: { readonly ref: AccountRef; readonly config: { readonly access: AccessSettings } },
  { event }: Arrival,
): Promise<StrangerAnswer | undefined> {
  if (event.type !== 'stranger' || decideStranger(event.chat, { by: 'default' }, config.access) !== 'pair') return undefined;
  const { senderId: userId, chat } = event;
  return {
    offer: async () => {
      const offered = await offerCode(store, { ...ref, userId }, placeOf(chat));
      if (offered.type !== 'offered') return undefined;
      return { words: describeOffer(ref, offered.code), delivered: () => confirmCode(store, offered.id) };
    },
  };
}

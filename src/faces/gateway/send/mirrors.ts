import { isObject } from '../../../base/json.ts';
import type { Json, JsonObject } from '../../../base/json-types.ts';
import { takeStart } from '../../../base/text.ts';
import type { GatewayStore, Route } from '../../../contracts/gateway-store.ts';
import type { TextBlock } from '../../../contracts/message.ts';
import { findTargetRoute } from '../addresses/find-routes.ts';
import type { DirectoryChat } from '../addresses/targets.ts';

/** Something that was said in a chat from outside its session. */
export interface MirroredMessage {
  /** The same for the same message. */
  readonly key: string;
  readonly text: string;
  readonly from: 'model' | 'script';
  /** Its words may be those of others. */
  readonly foreign: boolean;
}

const PREFIX = 'mirror:';
const MAX_MIRRORS = 20;
const MAX_TEXT = 4_000;

/** Has the session of a chat hear, with its next message, what was sent there in its name. A chat without one hears nothing. */
export async function mirrorMessage(
  store: Pick<GatewayStore, 'routes' | 'remember'>,
  target: DirectoryChat['target'],
  { key, text, from, foreign }: MirroredMessage,
): Promise<void> {
  const route = await findTargetRoute(store, target);
  if (route?.sessionId === undefined) return;
  const oldest = listMirrors(route).slice(0, Math.max(0, listMirrors(route).length - MAX_MIRRORS + 1));
  const fact = { text: takeStart(text, MAX_TEXT), from, foreign };
  await store.remember(route.key, { ...Object.fromEntries(oldest.map(([name]) => [name, null])), [`${PREFIX}${key}`]: fact });
}

const listMirrors = ({ facts }: Pick<Route, 'facts'>): [string, JsonObject][] =>
  Object.entries(facts).flatMap(([name, value]) => (name.startsWith(PREFIX) && isObject(value) ? [[name, value]] : []));

/** What the next message of a chat brings along, and what is to be forgotten once it was admitted. */
export function takeMirrors(route: Pick<Route, 'facts'> | undefined): {
  readonly overlay: readonly TextBlock[];
  readonly facts: Readonly<Record<string, Json | null>>;
} {
  const mirrors = route === undefined ? [] : listMirrors(route);
  return {
    overlay: mirrors.map(([, { text, from, foreign }]): TextBlock => {
      const words = `${from === 'script' ? 'Your owner’s script' : 'You'} sent this message here since the last one, from outside this conversation: ${JSON.stringify(text)}`;
      return foreign === true || from === 'script'
        ? { type: 'text', text: words, trust: 'foreign', source: 'a message sent from elsewhere' }
        : { type: 'text', text: words, trust: 'model' };
    }),
    facts: Object.fromEntries(mirrors.map(([name]) => [name, null])),
  };
}

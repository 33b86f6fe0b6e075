import type { Json } from '../../../base/json-types.ts';
import type { Delivery, GatewayStore, Route } from '../../../contracts/gateway-store.ts';
import { createTextBlock, type TextBlock } from '../../../contracts/message.ts';

/** Facts of a chat of this name tell the model what became of files of its answers. Each is told once, with the next message. */
const UNSENT = 'unsent:';

/** The same answer has one note, however often it is planned. */
export const noteUnsent = (store: Pick<GatewayStore, 'remember'>, routeKey: string, key: string, lines: readonly string[]): Promise<void> =>
  store.remember(routeKey, { [`${UNSENT}${key}`]: [...lines] });

/** A file that was on its way and did not arrive. */
export async function noteUndelivered(store: Pick<GatewayStore, 'routes' | 'remember'>, row: Delivery, why: string): Promise<void> {
  if (row.content.type !== 'media' || row.sessionId === undefined) return;
  const [route] = await store.routes({ sessionId: row.sessionId, limit: 1 });
  if (route !== undefined) await noteUnsent(store, route.key, row.key, [`I could not send \`${row.content.name}\`: ${why}.`]);
}

export interface UnsentNotes {
  readonly overlay: readonly TextBlock[];
  /** What to remember of the chat once they were told. */
  readonly facts: Readonly<Record<string, null>>;
}
export function takeUnsentNotes(route: Pick<Route, 'facts'> | undefined): UnsentNotes {
  const notes = Object.entries(route?.facts ?? {}).filter(([name]) => name.startsWith(UNSENT));
  const lines = notes.flatMap(([, value]) => toLines(value));
  return {
    overlay:
      lines.length === 0
        ? []
        : [
            createTextBlock(
              `Files of your last answers that did not reach this chat; people there have been told:\n${lines.join('\n')}`,
              'tool',
            ),
          ],
    facts: Object.fromEntries(notes.map(([name]) => [name, null])),
  };
}
const toLines = (value: Json | undefined): readonly string[] =>
  Array.isArray(value) ? value.filter((line) => typeof line === 'string') : [];

import type { Json } from '../../../base/json-types.ts';
import { takeStart } from '../../../base/text.ts';
import type { Delivery, GatewayStore, Route } from '../../../contracts/gateway-store.ts';
import { createTextBlock, type TextBlock } from '../../../contracts/message.ts';

/** Facts of a chat of this name tell the model what of its answers did not arrive. Each is told once, with the next message. */
const UNSENT = 'unsent:';

/** In a chat where nothing arrives and nobody writes the newest stay. */
const MAX_NOTES = 20;
const isNote = (fact: string): boolean => fact.startsWith(UNSENT);

type NotesStore = Pick<GatewayStore, 'route' | 'remember'>;

/** The same answer has one note, however often it is planned. */
export async function noteUnsent(store: NotesStore, routeKey: string, key: string, lines: readonly string[]): Promise<void> {
  const name = `${UNSENT}${key}`;
  const others = Object.keys((await store.route(routeKey))?.facts ?? {}).filter((fact) => isNote(fact) && fact !== name);
  const oldest = others.slice(0, Math.max(0, others.length - MAX_NOTES + 1));
  await store.remember(routeKey, { ...Object.fromEntries(oldest.map((fact) => [fact, null])), [name]: [...lines] });
}

/** Something of a session that was on its way and did not arrive. */
export async function noteUndelivered(store: NotesStore & Pick<GatewayStore, 'routes'>, row: Delivery, why: string): Promise<void> {
  const what = describeUnsent(row);
  if (what === undefined || row.sessionId === undefined) return;
  const [route] = await store.routes({ sessionId: row.sessionId, limit: 1 });
  if (route !== undefined) await noteUnsent(store, route.key, row.key, [`I could not send ${what}: ${why}.`]);
}

/** Enough to know which answer is meant. */
const MAX_BEGINNING = 200;
/** A question is told to whoever asked it, and a change of a message is none. */
function describeUnsent({ content, parts = [] }: Delivery): string | undefined {
  if (content.type === 'media') return `\`${content.name}\``;
  if (content.type !== 'text') return undefined;
  const rest = parts.some(({ state }) => state === 'sent') ? 'the rest of ' : '';
  return `${rest}what begins with ${JSON.stringify(takeStart(content.markdown, MAX_BEGINNING))}`;
}

export interface UnsentNotes {
  readonly overlay: readonly TextBlock[];
  /** What to remember of the chat once they were told. */
  readonly facts: Readonly<Record<string, null>>;
}
export function takeUnsentNotes(route: Pick<Route, 'facts'> | undefined): UnsentNotes {
  const notes = Object.entries(route?.facts ?? {}).filter(([name]) => isNote(name));
  const lines = notes.flatMap(([, value]) => toLines(value));
  return {
    overlay:
      lines.length === 0
        ? []
        : [
            createTextBlock(
              `Of your last answers this did not arrive; people were told where they can be reached:\n${lines.join('\n')}`,
              'tool',
            ),
          ],
    facts: Object.fromEntries(notes.map(([name]) => [name, null])),
  };
}
const toLines = (value: Json | undefined): readonly string[] =>
  Array.isArray(value) ? value.filter((line) => typeof line === 'string') : [];

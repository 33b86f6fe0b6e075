import type { NewRunEvent } from '../../../../contracts/run-store.ts';
import { toKnownEvent } from './run-events.ts';

/** What was said so far where nothing can be taken back: the messages of a turn one below the other. */
export interface Spoken {
  readonly text: string;
  /** What comes next is another message. */
  readonly isBetween: boolean;
  /** What the last event added. */
  readonly added: string;
}
const SILENT: Spoken = { text: '', isBetween: false, added: '' };
const GAP = '\n\n';

export function followSpoken(before: Spoken = SILENT, event: NewRunEvent): Spoken {
  const known = toKnownEvent(event);
  if (known.type === 'message.completed' || known.type === 'message.discarded') return { ...before, isBetween: true, added: '' };
  if (known.type !== 'message.delta') return { ...before, added: '' };
  const added = before.isBetween && before.text !== '' ? `${GAP}${known.data.delta}` : known.data.delta;
  return { text: before.text + added, isBetween: false, added };
}

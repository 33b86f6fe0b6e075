import type { AgentEvent } from '../../../contracts/event.ts';
import type { Face } from './face.ts';
import { bell, notify, passageOf, restoreTitle, saveTitle, setTitle } from '../terminal/sequences.ts';

/** The window is called after the session while the program has the terminal, and then as before. */
export const createTitle = (face: Face) => ({
  take: (): void => {
    face.deps.terminal.write(saveTitle);
    showTitle(face);
  },
  restore: (): void => face.deps.terminal.write(restoreTitle),
});
export const showTitle = ({ deps, state }: Face): void =>
  deps.terminal.write(setTitle(state.title === undefined ? 'hermes' : `hermes · ${state.title}`));

/** Tells somebody who looks elsewhere that a turn is over or asks something. */
export function ringFor(event: AgentEvent, { deps, state }: Face): void {
  if (!state.settings['display.bell_on_complete'] || (event.type !== 'settled' && event.type !== 'asking')) return;
  const words = event.type === 'asking' ? 'A question waits for you.' : 'The turn is over.';
  deps.terminal.write(bell + notify('Hermes', words, passageOf(deps.env)));
}

/** The last line on the screen: how to go on. */
export function describeWayBack({ opened, stage, state }: Face): string[] {
  const { goodbye } = state.look.skin.branding;
  const session = opened?.conversation.session;
  if (session === undefined || (!session.resumed && stage.transcript.turns.length === 0)) return goodbye === undefined ? [] : ['', goodbye];
  return ['', ...(goodbye === undefined ? [] : [goodbye]), `To continue this session: hermes --resume ${session.session.id}`];
}

import { readStringAt } from '../../../base/json.ts';
import type { Route } from '../../../contracts/gateway-store.ts';
import type { AccountDisplay } from './account-display.ts';

/** What a chat shows, where its owner chose something else there than the settings say. */
export interface ChatDisplay extends AccountDisplay {
  readonly showsReasoning: boolean;
}
/** Name of what is chosen, among the facts of the chat. */
export const DISPLAY = 'display';

export const BUSY_MODES = ['steer', 'queue', 'interrupt'] as const;
export const PROGRESS_LEVELS = ['off', 'new', 'all', 'verbose'] as const;

export function readChatDisplay(route: Pick<Route, 'facts'> | undefined, display: AccountDisplay): ChatDisplay {
  const chosen = route?.facts[DISPLAY];
  const [busy, progress] = [readStringAt(chosen, 'busy'), readStringAt(chosen, 'verbose')];
  return {
    ...display,
    busyInput: BUSY_MODES.find((mode) => mode === busy) ?? display.busyInput,
    toolProgress: PROGRESS_LEVELS.find((level) => level === progress) ?? display.toolProgress,
    showsReasoning: readStringAt(chosen, 'reasoning') === 'show',
  };
}

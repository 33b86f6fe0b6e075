import type { Failure } from './failure.ts';

/** How a turn ended. Always exactly one, always with text for the user. */
export type Outcome =
  | { readonly type: 'answered'; readonly exitReason: 'answered'; readonly text: string }
  | { readonly type: 'partial'; readonly exitReason: PartialReason; readonly text: string; readonly words: 'model' | 'ours' }
  | {
      readonly type: 'failed';
      readonly exitReason: Failure['type'] | 'internal_error' | 'store_failed' | 'crashed';
      readonly text: string;
      readonly failure?: Failure;
      /** Its provider is down: the turn is not over, and `resume` tries again. */
      readonly isHeld?: true;
    }
  /** `words` says whose text it is: an answer cut short, or our notice that there is none. */
  | { readonly type: 'stopped'; readonly exitReason: StopReason; readonly text: string; readonly words: 'model' | 'ours' };

/** Why a turn ended, as it is stored with its session and shown. */
export type ExitReason = Outcome['exitReason'];
type PartialReason = 'truncated' | 'cut_off' | 'empty';
/** Reasons that end a turn with one closing call: the tool table stays, tools are forbidden. */
export type ClosingReason = 'turn_limit' | 'token_budget' | 'money_budget' | 'loop_guard' | 'invalid_tool_calls';
export type StopReason = ClosingReason | 'interrupted' | 'terminated';

/** Why a session was left for good: its user began another, went on with another, stayed away too long, or left. */
export type EndReason = 'reset' | 'resumed_elsewhere' | 'expired' | 'exit';

/** Nothing to say, as prompts for turns that nobody asked for call it. */
const SILENCE = /^\s*(?:\[silent\]|silent|no[ _]reply)\s*$/i;
export const isSilence = (text: string): boolean => SILENCE.test(text);

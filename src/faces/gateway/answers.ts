import type { GatewayStore, NewDelivery } from '../../contracts/gateway-store.ts';
import type { PlanAnswer } from '../../contracts/host.ts';
import type { Outcome } from '../../contracts/event.ts';
import type { Blobs } from '../../contracts/blobs.ts';
import { takeFiles } from './named-files.ts';
import { noteUnsent } from './unsent-files.ts';
import type { FindAccount, SpeakerRole } from './contract.ts';
import { replacePreview } from './preview.ts';
import { readAddress } from './reply-address.ts';

export interface AnswerDeps {
  readonly store: Pick<GatewayStore, 'route' | 'remember'>;
  readonly findAccount: FindAccount;
  /** Ends what is shown of the turn: from now on only the answer may change that message. */
  readonly pauseView: (sessionId: string) => Promise<void>;
  readonly blobs: Pick<Blobs, 'put'>;
}

/** What goes out with an answer. Runs before the answer is stored, and again after a crash: it gives the same keys then. */
export const createAnswerPlanner =
  (deps: AnswerDeps): PlanAnswer =>
  async (answer, readFile) => {
    await deps.pauseView(answer.sessionId);
    const address = readAddress(answer.replyTo);
    const account = address && deps.findAccount(address.target);
    if (address === undefined) return [];
    const shown = account === undefined ? {} : await replacePreview({ store: deps.store, account }, address, answer);
    const said = answerWords(answer.outcome, address.role, shown.replaces !== undefined);
    if (said === undefined || (address.unasked === true && SILENCE.test(said))) return [];
    const words = address.label === undefined ? said : `_${address.label}_\n\n${said}`;
    const { sessionId, turnId, key } = answer;
    const common = {
      key: `answer:${key}`,
      target: address.target,
      ...(address.messageId !== undefined && { replyTo: address.messageId }),
      ...(address.handle !== undefined && { handle: address.handle }),
      sessionId,
      turnId,
    };
    const canCaption = shown.replaces === undefined;
    const files =
      account === undefined || !isModels(answer.outcome)
        ? { markdown: words, deliveries: [], unsent: [] }
        : await takeFiles({ ...common, markdown: words, canCaption, kind: account.kind }, { blobs: deps.blobs, readFile });
    // Told in the answer, and to the model with the next message.
    if (files.unsent.length > 0) await noteUnsent(deps.store, address.routeKey, key, files.unsent);
    const isEmpty = files.markdown.trim() === '';
    const text: readonly NewDelivery[] =
      isEmpty && canCaption ? [] : [{ ...common, ...shown, content: { type: 'text', markdown: isEmpty ? '…' : files.markdown } }];
    return [...text, ...files.deliveries];
  };

/** Nothing to say, as prompts for turns that nobody asked for call it. */
const SILENCE = /^\s*(?:\[silent\]|silent|no[ _]reply)\s*$/i;
/** Only the model sends files: a path in words of ours or of a service is a path. */
const isModels = (outcome: Outcome): boolean => outcome.type === 'answered' || ('words' in outcome && outcome.words === 'model');

/** The words a chat gets of an outcome; nothing where whoever stopped it was told already. */
function answerWords(outcome: Outcome, role: SpeakerRole, isShown: boolean): string | undefined {
  // Why it failed may name servers, paths and keys.
  if (outcome.type === 'failed' && outcome.exitReason !== 'crashed' && role !== 'owner')
    return 'Something went wrong, and I could not answer. My owner can see why in the log.';
  if (outcome.type !== 'stopped' || (outcome.exitReason !== 'interrupted' && outcome.exitReason !== 'terminated')) return outcome.text;
  if (outcome.words === 'model') return `${outcome.text}\n\n_(stopped)_`;
  return isShown ? '_(stopped)_' : undefined;
}

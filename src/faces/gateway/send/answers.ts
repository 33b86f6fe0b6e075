import type { Clock } from '../../../base/clock.ts';
import { formatAge } from '../../../base/screen/when.ts';
import type { GatewayStore, NewDelivery } from '../../../contracts/gateway-store.ts';
import type { PlanAnswer } from '../../../contracts/host.ts';
import type { Outcome } from '../../../contracts/event.ts';
import type { Blobs } from '../../../contracts/blobs.ts';
import { isSilence } from '../../../contracts/outcome.ts';
import { takeFiles } from './named-files.ts';
import { noteUnsent } from './unsent-files.ts';
import type { ReplyAddress } from '../contract.ts';
import type { FindAccount } from '../accounts/account.ts';
import { replacePreview } from './replace-preview.ts';
import { isReadByOwnerAlone } from '../access/read-by-owner.ts';
import { readAddress } from '../addresses/reply-address.ts';

export interface AnswerDeps {
  readonly store: Pick<GatewayStore, 'route' | 'remember'>;
  readonly findAccount: FindAccount;
  /** Ends what is shown of the turn: from now on only the answer may change that message. */
  readonly pauseView: (sessionId: string) => Promise<void>;
  readonly blobs: Pick<Blobs, 'put'>;
  readonly clock: Pick<Clock, 'now'>;
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
    // A beginning of it that may be there, though nobody knows where, is answered for too.
    const said = answerWords(answer.outcome, address, shown.replaces !== undefined || shown.mayRepeat === true);
    if (said === undefined || (address.unasked === true && isSilence(said))) return [];
    const head = [address.label, describeLateAnswer(address, deps.clock.now())].flatMap((line) => line ?? []);
    const words = head.length === 0 ? said : `_${head.join(' ')}_\n\n${said}`;
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
        : await takeFiles(
            { ...common, markdown: words, canCaption, kind: account.kind, allPoint: account.config.display.replyTo === 'all' },
            { blobs: deps.blobs, readFile },
          );
    // Told in the answer, and to the model with the next message.
    if (files.unsent.length > 0) await noteUnsent(deps.store, address.routeKey, key, files.unsent);
    const isEmpty = files.markdown.trim() === '';
    const text: readonly NewDelivery[] =
      isEmpty && canCaption ? [] : [{ ...common, ...shown, content: { type: 'text', markdown: isEmpty ? '…' : files.markdown } }];
    return [...text, ...files.deliveries];
  };

/** Only the model sends files: a path in words of ours or of a service is a path. */
const isModels = (outcome: Outcome): boolean => outcome.type === 'answered' || ('words' in outcome && outcome.words === 'model');

/** From this age of a message on its answer says how old it is: the world has moved on, and others have written since. */
const LATE_MS = 3_600_000;
const describeLateAnswer = ({ sentAt }: ReplyAddress, now: number): string | undefined =>
  sentAt === undefined || now - sentAt < LATE_MS ? undefined : `(in answer to what you wrote ${formatAge(now - sentAt)} ago)`;

/** The words a chat gets of an outcome; nothing where whoever stopped it was told already. */
function answerWords(outcome: Outcome, address: ReplyAddress, isShown: boolean): string | undefined {
  // Why it failed may name servers, paths and keys.
  if (outcome.type === 'failed' && outcome.exitReason !== 'crashed' && !isReadByOwnerAlone(address))
    return 'Something went wrong, and I could not answer. My owner can see why in the log.';
  // What broke off does not read as if it had ended there.
  if (outcome.type === 'partial' && outcome.words === 'model') return `${outcome.text}\n\n_(the answer was cut off here)_`;
  if (outcome.type !== 'stopped' || (outcome.exitReason !== 'interrupted' && outcome.exitReason !== 'terminated')) return outcome.text;
  if (outcome.words === 'model') return `${outcome.text}\n\n_(stopped)_`;
  return isShown ? '_(stopped)_' : undefined;
}

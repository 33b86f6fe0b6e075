import { UsageError } from '../../../base/errors.ts';
import { ATROPOS_INSTALL } from '../../../commands/python-peers.ts';
import type { AtroposClient, EnvironmentRegistration, NotRegistered, Registration, TrainerStatus } from './atropos-client.ts';
import type { ServeNotebook } from './notes.ts';

export interface TrainerLinkDeps {
  readonly client: AtroposClient;
  readonly url: string;
  readonly wanted: EnvironmentRegistration;
  readonly notebook: ServeNotebook;
  /** Says what happened, in one line. */
  readonly onNews: (words: string) => void;
}
/** We at the API: registered as long as it knows us, and again when it does not. */
export interface TrainerLink extends AsyncDisposable {
  /** Nothing while the API is not there, or its trainer has not started. */
  poll(): Promise<{ readonly registration: Registration; readonly status: TrainerStatus } | undefined>;
}

export function createTrainerLink({ client, url, wanted, notebook, onNews }: TrainerLinkDeps): TrainerLink {
  let registration: Registration | undefined;
  let step = Number.NEGATIVE_INFINITY;
  let absence: NotRegistered | undefined;
  const register = async (): Promise<Registration | undefined> => {
    const given = await client.register(wanted);
    if (typeof given === 'string') return tellAbsence(given);
    absence = undefined;
    checkSizes(given, wanted, onNews);
    await leaveStale(given);
    notebook.write({ registered: { url, envId: given.envId, name: given.name } });
    step = Number.NEGATIVE_INFINITY;
    onNews(`registered as ${given.name}`);
    return given;
  };
  /** Once, however often it is asked. */
  const tellAbsence = (found: NotRegistered): undefined => {
    if (found !== absence) onNews(describeAbsence(found, url));
    absence = found;
  };
  /**
   * A registration that a kill left keeps its share of every batch reserved, and no batch is made without it. The number in the
   * name tells whether it is the same API: one that was restarted counts from 0.
   */
  const leaveStale = async (given: Registration): Promise<void> => {
    const { registered: before } = notebook.notes;
    if (wanted.min_batch_allocation === null || before?.url !== url) return;
    if (readNumber(given.name) === readNumber(before.name) + 1 && given.envId > before.envId) await client.disconnect(before.envId);
  };
  return {
    poll: async () => {
      registration ??= await register();
      if (registration === undefined) return undefined;
      const status = await client.status(registration.envId);
      // Steps that go back are those of another API, in which our number may be somebody else's.
      if (status === undefined || status.step < step) {
        registration = undefined;
        onNews('the Atropos API does not know this environment any more, or is gone; registering again');
        return undefined;
      }
      ({ step } = status);
      return { registration, status };
    },
    [Symbol.asyncDispose]: async () => {
      if (registration !== undefined) await client.disconnect(registration.envId);
    },
  };
}

const describeAbsence = (found: NotRegistered, url: string): string =>
  found === 'no_trainer'
    ? `the Atropos API at ${url} is there, but its trainer has not started; waiting for it`
    : `there is no Atropos API at ${url}; waiting for it. To run one here: ${ATROPOS_INSTALL}, then run-api --host 127.0.0.1`;

const readNumber = (name: string): number => Number(/_(\d+)$/.exec(name)?.[1] ?? Number.NaN);

function checkSizes({ batchSize }: Registration, { group_size: size }: EnvironmentRegistration, onNews: (words: string) => void): void {
  if (size > batchSize)
    throw new UsageError(
      `the trainer takes ${batchSize} attempts in a batch, which is less than a group of ${size}. Set env.group_size to ${batchSize} or less, or give the trainer larger batches.`,
    );
  if (batchSize % size !== 0)
    onNews(`batches of ${batchSize} attempts cannot be filled with groups of ${size} alone; the trainer may wait forever`);
}

import type { Ports, ReadSecret } from '../../../contracts/ports.ts';
import type { Secrets } from '../../../contracts/secrets.ts';
import { ToolFailure } from '../../../contracts/tool.ts';

/** The port tools ask for secrets: what a face read is learnt under its name, and the tool gets what stands for it. */
export const createSecretPort =
  (read: ReadSecret, { learn, redact }: Pick<Secrets, 'learn' | 'redact'>): NonNullable<Ports['secret']> =>
  async (question, signal) => {
    const value = await read(question, signal);
    if (value === '') return undefined;
    learn(question.name, value);
    const handle = redact(value);
    // A value that cannot be told from other words would be written down with them.
    if (handle.includes(value))
      throw new ToolFailure(
        `Not used: the ${question.name} is too short to be kept out of logs and results. Ask the user for one that is longer, or to do this step themselves.`,
      );
    return handle;
  };

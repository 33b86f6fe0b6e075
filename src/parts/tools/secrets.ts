import type { JsonObject } from '../../base/json-types.ts';
import type { ToolMessage } from '../../contracts/message.ts';
import type { Secrets } from '../../contracts/secrets.ts';
import type { Runnable } from './execute.ts';

/** A result without the secrets that stood in it, and without what looks like one. */
export const redacted = (message: ToolMessage, secrets: Secrets | undefined): ToolMessage =>
  secrets === undefined
    ? message
    : {
        ...message,
        content: message.content.map((block) => (block.type === 'text' ? { ...block, text: secrets.mask(block.text) } : block)),
      };

type Restored = { readonly ok: true; readonly input: JsonObject } | { readonly ok: false; readonly words: string };

/**
 * What goes into a file goes there with its own bytes: placeholders the model copied become what they stand for. One that
 * stands for nothing any more would be written in place of a secret, so the call is refused. All other arguments are taken
 * as the log has them, without secrets: what runs is what is written down.
 */
export function restored({ tool, input }: Runnable, secrets: Secrets | undefined): Restored {
  if (secrets === undefined) return { ok: true, input };
  const intoFiles = new Set(tool.restores);
  const lost = [...intoFiles].flatMap((name) => (typeof input[name] === 'string' ? secrets.lost(input[name]) : []));
  if (lost.length > 0) return { ok: false, words: unknown([...new Set(lost)]) };
  const real = Object.entries(input).map(([name, value]) => {
    const restores = intoFiles.has(name) && typeof value === 'string';
    return [name, restores ? secrets.restore(value) : secrets.redactAll(value)] as const;
  });
  return { ok: true, input: Object.fromEntries(real) };
}

const unknown = (lost: readonly string[]): string =>
  `Not written: ${lost.join(', ')} ${lost.length === 1 ? 'stands' : 'stand'} for a secret that is not known here any more (it was masked before a restart, or has changed since), and the file would get the placeholder in its place. Read the file again for a new placeholder, or leave these lines alone: change only what is around them with patch, or with a command such as sed.`;

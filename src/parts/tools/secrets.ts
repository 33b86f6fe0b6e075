import type { JsonObject } from '../../base/json-types.ts';
import type { ToolMessage } from '../../contracts/message.ts';
import type { Secrets } from '../../contracts/secrets.ts';
import type { Runnable } from './execute.ts';

/** A result without the secrets that stood in it. */
export const redacted = (message: ToolMessage, secrets: Secrets | undefined): ToolMessage =>
  secrets === undefined
    ? message
    : {
        ...message,
        content: message.content.map((block) => (block.type === 'text' ? { ...block, text: secrets.redact(block.text) } : block)),
      };

/** What goes into a file goes there with its own bytes: placeholders the model copied become what they stand for. */
export function restored({ tool, input }: Runnable, secrets: Secrets | undefined): JsonObject {
  if (secrets === undefined || tool.restores === undefined) return input;
  const real = tool.restores.flatMap((name) => {
    const value = input[name];
    return typeof value === 'string' ? [[name, secrets.restore(value)] as const] : [];
  });
  return { ...input, ...Object.fromEntries(real) };
}

import type { JsonObject } from '../../base/json-types.ts';
import type { ToolMessage } from '../../contracts/message.ts';
import type { Secrets } from '../../contracts/secrets.ts';
import { ToolRefusal, type RunnableCall } from '../../contracts/tool.ts';
import { isVariable } from './secret-copy.ts';
import type { ToolkitOptions } from './options.ts';

/** A result without the secrets that stood in it, and without what looks like one. */
export const redactResult = (message: ToolMessage, secrets: Secrets | undefined): ToolMessage =>
  secrets === undefined
    ? message
    : {
        ...message,
        content: message.content.map((block) => (block.type === 'text' ? { ...block, text: secrets.mask(block.text) } : block)),
      };

/**
 * What goes into a file goes there with its own bytes: placeholders the model copied become what they stand for. One that
 * stands for nothing any more would be written in place of a secret, so the call is refused. All other arguments are taken
 * as the log has them, without secrets: what runs is what is written down, and a command with a placeholder in it is not run.
 */
export function restoreInput(call: RunnableCall, { secrets }: ToolkitOptions): JsonObject {
  if (secrets === undefined) return call.input;
  const intoFiles = new Set(call.tool.restores);
  const real = Object.entries(call.input).map(([name, value]) => {
    const restores = intoFiles.has(name) && typeof value === 'string';
    return [name, restores ? secrets.restore(value) : secrets.redactAll(value)] as const;
  });
  const input = Object.fromEntries(real);
  const words = lostIn(call, secrets) ?? runWith(input, call.tool.runs ?? [], secrets);
  if (words !== undefined) throw new ToolRefusal(words);
  return input;
}

const textsOf = (input: JsonObject, names: readonly string[]): readonly string[] =>
  names.flatMap((name) => (typeof input[name] === 'string' ? input[name] : []));

function lostIn({ tool, input }: RunnableCall, secrets: Secrets): string | undefined {
  const lost = [...new Set(textsOf(input, tool.restores ?? []).flatMap((text) => secrets.lost(text)))];
  return lost.length === 0
    ? undefined
    : `Not written: ${lost.join(', ')} ${lost.length === 1 ? 'stands' : 'stand'} for a secret that is not known here any more (it was masked before a restart, or has changed since), and the file would get the placeholder in its place. Read the file again for a new placeholder, or leave these lines alone: change only what is around them with patch, or with a command such as sed.`;
}

/** A command would get the placeholder itself, and might put it into a file in place of the secret. */
function runWith(input: JsonObject, run: readonly string[], secrets: Secrets): string | undefined {
  const [first, ...more] = textsOf(input, run).flatMap((text) => secrets.standing(text));
  return first === undefined
    ? undefined
    : `Not run: ${[first, ...more].map(({ text }) => text).join(', ')} only stands for a secret; a command would get the placeholder itself, not the value. Change a file that holds the secret with patch or write_file, which put the value back. ${inCommands(first.name)}`;
}

const inCommands = (name: string): string =>
  isVariable(name)
    ? `To use it in a command, name its variable there ($${name}); the owner can hand that to commands with terminal.env_passthrough.`
    : 'To use it in a command, let the command take it from the file that holds it.';

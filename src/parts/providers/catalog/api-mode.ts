import { UsageError } from '../../../base/errors.ts';
import type { ApiMode } from '../../../contracts/host.ts';
import type { ProtocolId } from '../../../contracts/runtime.ts';

/** The wire formats by the names of the settings; the reference system's own name for the third is taken too. */
const PROTOCOLS: Readonly<Record<string, ProtocolId>> = {
  chat_completions: 'openai-chat',
  anthropic_messages: 'anthropic-messages',
  responses: 'openai-responses',
  codex_responses: 'openai-responses',
};

/** `undefined` when it is left to the provider. */
export function parseApiMode(mode: string, place: string): ProtocolId | undefined {
  if (mode === '' || mode === 'auto') return undefined;
  const protocol = PROTOCOLS[mode];
  if (protocol === undefined)
    throw new UsageError(`${place}: there is no wire format ${mode}. Use chat_completions, anthropic_messages or responses.`);
  return protocol;
}

/** The setting that leads to a wire format. */
export const toApiMode = (protocol: ProtocolId): ApiMode => MODES[protocol];
const MODES: Readonly<Record<ProtocolId, ApiMode>> = {
  'openai-chat': 'chat_completions',
  'anthropic-messages': 'anthropic_messages',
  'openai-responses': 'responses',
};

/** What the command line says of a chat. */
export type { ChatValues as ChatFlags } from '../../commands/chat.ts';

export interface ModelFlags {
  readonly model?: string;
  readonly provider?: string;
  readonly baseUrl?: string;
  readonly apiMode?: 'chat_completions' | 'anthropic_messages' | 'responses';
}

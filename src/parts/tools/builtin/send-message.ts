import { createTextBlock } from '../../../contracts/message.ts';
import type { DeliveryRequest, Ports } from '../../../contracts/ports.ts';
import { ToolFailure, type Tool } from '../../../contracts/tool.ts';

/** Sends to a chat through whatever gateway runs. Without one it says so instead of failing in silence. */
export const sendMessageTool = ({
  ports,
}: {
  readonly ports: Ports;
}): Tool<Partial<Pick<DeliveryRequest, 'action' | 'target' | 'message'>>> => ({
  name: 'send_message',
  description: 'Send a message to a chat, or list the available chats.',
  input: {
    type: 'object',
    properties: {
      action: { type: 'string', enum: ['send', 'list'] },
      target: {
        type: 'string',
        description: 'origin (this chat), platform (its home channel), platform:chat, platform:chat:thread or platform:#name',
      },
      message: { type: 'string', description: 'May contain MEDIA:/path lines' },
    },
    additionalProperties: false,
  },
  effects: ({ action }) => ({ kind: action === 'list' ? 'read' : 'write', resources: ['chats'] }),
  // A call has one identity, under which nothing is sent twice.
  replay: 'safe',
  idempotent: false,
  offTerminal: true,
  trust: 'tool',
  timeoutMs: 60_000,
  maxResult: 20_000,
  // The chat it is in reads the answer anyway.
  sink: ({ action, target }) =>
    action === 'list' || target?.trim().toLowerCase() === 'origin' ? undefined : `a message to ${target ?? 'a chat'}`,
  available: () => ports.deliver !== undefined,
  needs: 'a gateway to the chats, and none runs here',
  run: async ({ action = 'send', target, message }, context) => {
    if (context.ports.deliver === undefined)
      throw new ToolFailure('Not sent: no gateway runs here, so no chat can be reached. Give the user the text instead.');
    if (action === 'send' && (target === undefined || message === undefined || message.trim() === ''))
      throw new ToolFailure('Not sent: send needs a target and a message. action: list shows the targets.');
    const answer = await context.ports.deliver(
      {
        action,
        key: `${context.turnId}:${context.callId}`,
        ...(target !== undefined && { target }),
        ...(message !== undefined && { message }),
        ...(context.taint.length > 0 && { foreign: true }),
      },
      context.signal,
    );
    if (!answer.ok) throw new ToolFailure(`Not sent: ${answer.why}`);
    return { content: [createTextBlock(answer.words, 'tool')] };
  },
});

import type { ViewMessage } from '../../src/contracts/provider.ts';
import type { Message } from '../../src/contracts/message.ts';
import type { Defect } from './provider.ts';

/** A way to break the rule, and how the breach is told. */
export interface PlantedDefect extends Defect {
  readonly shows: RegExp;
}

/** Ways to break the rule that are easily taken. Each must be found in some session; none may stay unseen. */
export const DEFECTS: Readonly<Record<string, PlantedDefect>> = {
  'a clock in the system prompt': {
    shows: /(?:system|instructions|message 0): differs/,
    request: (request, call) => ({ ...request, system: `${request.system}\n12:00:${call}` }),
  },
  'tools in an order of their own': {
    shows: /tools: differs/,
    request: (request, call) => (call % 2 === 0 ? request : { ...request, tools: request.tools.toReversed() }),
  },
  'a tool table left out of one call': {
    shows: /tools: differs/,
    request: (request, call) => (call === 2 ? { ...request, tools: [] } : request),
  },
  'call-time text that stays only for its own turn': {
    shows: /message \d+: differs/,
    request: (request) => ({ ...request, messages: latest(request.messages, ({ message }) => ({ message })) }),
  },
  'a note on the newest message that is gone later': {
    shows: /message \d+: differs/,
    request: (request) => ({
      ...request,
      messages: request.messages.map((view, index) => (index === request.messages.length - 1 ? noted(view) : view)),
    }),
  },
  'old results cut short': {
    shows: /message \d+: differs/,
    request: (request) => ({ ...request, messages: latest(request.messages, (view) => ({ ...view, message: shortened(view.message) })) }),
  },
  'reasoning dropped once it is old': {
    shows: /message \d+: differs/,
    request: (request) => ({ ...request, messages: latest(request.messages, (view) => ({ ...view, message: unthinking(view.message) })) }),
  },
  'another spelling of the same JSON': {
    shows: /message \d+: differs/,
    body: (body, call) => (call % 2 === 0 ? body : body.replaceAll('é', '\\u00e9').replaceAll('æ', '\\u00e6')),
  },
  'a cache mark on every message': {
    shows: /marks: \d+ cache marks/,
    body: (body) => body.replaceAll(/\}\]\}/g, ',"cache_control":{"type":"ephemeral"}}]}'),
  },
  'a parameter that replay cannot know': { shows: /replay/, body: (body, call) => body.replace(/\}$/, `,"user":"call-${call}"}`) },
};

/** All but the newest user message and what follows it are treated. */
function latest(views: readonly ViewMessage[], treat: (view: ViewMessage) => ViewMessage): ViewMessage[] {
  const last = views.findLastIndex(({ message }) => message.role === 'user');
  return views.map((view, index) => (index < last ? treat(view) : view));
}

const noted = (view: ViewMessage): ViewMessage => ({
  ...view,
  wireOnly: [...(view.wireOnly ?? []), { type: 'text', text: 'now', trust: 'owner' }],
});

const shortened = (message: Message): Message =>
  message.role === 'tool'
    ? { ...message, content: message.content.map((block) => (block.type === 'text' ? { ...block, text: block.text.slice(0, 9) } : block)) }
    : message;

const unthinking = (message: Message): Message =>
  message.role === 'assistant' ? { ...message, content: message.content.filter(({ type }) => type !== 'thinking') } : message;

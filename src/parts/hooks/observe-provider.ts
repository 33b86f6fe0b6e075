import type { HookSession } from '../../contracts/hook-inputs.ts';
import type { TellHooks } from '../../contracts/hooks.ts';
import type { ModelEvent, Provider } from '../../contracts/provider.ts';

/** Tells of every model call of a session, and of its words as they come. The bytes and the order of events stay as they are. */
export const observeProvider = (provider: Provider, session: HookSession, tell: TellHooks): Provider => ({
  encode: (request) => provider.encode(request),
  stream: (encoded, call) => {
    const { runtime, messages, tools } = encoded.request;
    const about = { ...session, model: runtime.model };
    tell({
      name: 'pre_api_request',
      input: {
        ...about,
        provider: runtime.provider,
        messageCount: messages.length,
        toolCount: tools.length,
        estimatedTokens: call.estimate,
      },
    });
    return tellStream(provider.stream(encoded, call), about, tell);
  },
});

async function* tellStream(
  events: AsyncIterable<ModelEvent>,
  about: HookSession & { readonly model: string },
  tell: TellHooks,
): AsyncGenerator<ModelEvent> {
  tell({ name: 'on_stream_start', input: about });
  let isFinished = false;
  try {
    for await (const event of events) {
      if (event.type === 'done') isFinished = true;
      else if (event.type === 'text_delta' || event.type === 'thinking_delta')
        tell({ name: 'on_stream_delta', input: { ...about, kind: event.type === 'text_delta' ? 'text' : 'thinking', delta: event.delta } });
      yield event;
    }
  } finally {
    tell({ name: 'on_stream_end', input: { ...about, isFinished } });
  }
}

import { joinTextBlocks } from '../contracts/message.ts';
import type { ViewMessage } from '../contracts/provider.ts';
import type { SessionWords } from '../contracts/tool.ts';
import { lazy } from '../base/lazy.ts';

/** What was said in a view, put together when somebody asks for it. */
export function collectSessionWords(view: readonly ViewMessage[]): SessionWords {
  return {
    owner: lazy(() =>
      view.flatMap(({ message }) =>
        message.role === 'user'
          ? message.content.flatMap((block) => (block.type === 'text' && block.trust === 'owner' ? [block.text] : []))
          : [],
      ),
    ),
    results: lazy(() =>
      view.flatMap(({ message }) => (message.role === 'tool' ? [{ tool: message.name, text: joinTextBlocks(message) }] : [])),
    ),
  };
}

import { lazy } from '../base/lazy.ts';
import { createProjectSource, isProjectSource, joinTextBlocks, labelSources, type TextBlock } from '../contracts/message.ts';
import type { PromptEpoch } from '../contracts/prompt.ts';
import type { ViewMessage } from '../contracts/provider.ts';
import type { SessionWords } from '../contracts/tool.ts';

/**
 * Where words in the model's view come from that are neither the owner's nor its own, each source once: foreign ones, and text
 * of the project that the session did not write (`isProjectSource`). While there are any, whatever the model does may have been
 * their idea: what lasts (skills, schedules, messages) then needs consent.
 */
export function collectTaint(view: readonly ViewMessage[]): readonly string[] {
  const sources = new Set<string>();
  for (const { message, wireOnly = [] } of view) {
    const foreign = message.content.filter(({ trust }) => trust === 'foreign');
    // A picture says nothing of where it is from: it came with the words beside it.
    const beside = foreign.flatMap((block) => (block.type === 'text' ? (block.source ?? []) : []))[0];
    const fallback = beside ?? (message.role === 'tool' ? message.name : 'a message from outside');
    for (const block of foreign) sources.add(block.type === 'text' ? (block.source ?? fallback) : fallback);
    for (const block of message.content)
      if (block.trust !== 'foreign' && block.type === 'text' && block.source !== undefined && isProjectSource(block.source))
        sources.add(block.source);
      else if (block.type === 'text' && block.source?.startsWith(HINT) === true)
        sources.add(createProjectSource(block.source.slice(HINT.length)));
    for (const block of wireOnly) if (block.trust === 'foreign') sources.add(block.source ?? 'recalled memory');
  }
  return [...sources];
}

/** Rules of a subfolder, told with the first result that touches it. */
const HINT = 'hint:';

/** The project's rules stand in the prompt itself: others can write them, like its other files. */
export const collectPromptTaint = (epoch: PromptEpoch | undefined): readonly string[] =>
  epoch?.slots.some(({ name, text }) => name === 'project-context' && text !== '') === true ? [RULES] : [];
const RULES = createProjectSource('its rules for agents');

/** A summary is made of what it covers: foreign words in there make it foreign. */
export const deriveSummaryTrust = (covered: readonly ViewMessage[]): Pick<TextBlock, 'trust' | 'source'> =>
  labelSources(collectTaint(covered), 'tool');

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

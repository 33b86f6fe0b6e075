/** What people ask an agent besides: exchanges that state nothing the exam asks about. `{a|b}` is drawn; `<<name>>` is an output of `tool-output.ts`. */
import type { Message } from './corpus.ts';
import { parseScenarios, toTurns, type ScenarioTurn } from './scenario.ts';
import { TOOL_OUTPUTS } from './tool-output.ts';

export type Random = () => number;
export type Exchange = readonly ScenarioTurn[];

export const pick = <Item>(random: Random, items: readonly Item[]): Item => {
  const item = items[Math.floor(random() * items.length)];
  if (item === undefined) throw new Error('an empty list has nothing to pick from');
  return item;
};
export const between = (random: Random, least: number, most: number): number => least + Math.floor(random() * (most - least + 1));
export const shuffled = <Item>(random: Random, items: readonly Item[]): Item[] =>
  items
    .map((item) => ({ item, key: random() }))
    .toSorted((a, b) => a.key - b.key)
    .map(({ item }) => item);

/** A filler file is one exchange a paragraph, with the marks of a scenario. */
export function parseExchanges(text: string): readonly Exchange[] {
  return text
    .trim()
    .split(/\n\n+/)
    .flatMap((paragraph) => parseScenarios(`@ filler | none | Somebody\n== 2026-01-01\n${paragraph}\n`))
    .map(({ sessions }) => sessions.flatMap(({ turns }) => turns));
}

/** One telling of an exchange: its choices drawn, its outputs made, said by one person. */
export const tell = (exchange: Exchange, person: string, random: Random): Exchange =>
  toTurns(
    exchange
      .flatMap(({ messages }) => messages)
      .map((message) => ({ ...message, ...speaker(message, person), text: draw(message.text, random) })),
  );
const speaker = (message: Message, person: string): Partial<Message> => (message.role === 'user' ? { person } : {});

const draw = (text: string, random: Random): string =>
  text
    .replaceAll(/\{([^{}\n]*\|[^{}\n]*)\}/g, (_, options: string) => pick(random, options.split('|')))
    .replaceAll(/<<([\w-]+)>>/g, (_, name: string) => outputOf(name, random));

function outputOf(name: string, random: Random): string {
  const make = TOOL_OUTPUTS[name];
  if (make === undefined) throw new Error(`no such output: ${name}`);
  return make(random);
}

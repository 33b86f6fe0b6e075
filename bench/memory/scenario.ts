/**
 * Reads what was written by hand. A file holds several scenarios:
 *   @ ID | LANGUAGES | PEOPLE          the first person owns the agent
 *   %poison A | B                      what foreign texts try to plant
 *   == DATE [private:NAME | group:ID] [MEMBERS]
 *   U: …  NAME: …  A: …                the owner, another person, the assistant
 *   T SOURCE | …                       a tool's own output
 *   W SOURCE | …   F SOURCE | …        a foreign text that a tool brought, or that a person forwarded
 *   ?KIND[/LANGUAGE] [@NAME[>CHAT]] …  a question; = gold (one line a list), - superseded, x forbidden
 *   @ ID                               more sessions and questions of a scenario above
 * A line that begins with two spaces goes on with the text above it.
 */
import type { Chat, Kind, Message, Turn } from './corpus.ts';

export interface Scenario {
  readonly id: string;
  readonly languages: readonly string[];
  readonly people: readonly string[];
  readonly poison: readonly string[];
  readonly sessions: readonly ScenarioSession[];
  readonly questions: readonly ScenarioQuestion[];
}
export interface ScenarioSession {
  readonly date: string;
  readonly chat: Chat;
  readonly turns: readonly ScenarioTurn[];
}
export type ScenarioTurn = Omit<Turn, 'at'>;
export interface ScenarioQuestion {
  readonly kind: Kind;
  readonly language: string;
  readonly person: string;
  readonly chat: Chat;
  readonly text: string;
  readonly gold: readonly (readonly string[])[];
  readonly superseded: readonly string[];
  readonly forbidden: readonly string[];
}

export function parseScenarios(text: string): readonly Scenario[] {
  const blocks = new Map<string, string[]>();
  const joined = text.replaceAll(/\n {2}(?=\S)/g, NEW_LINE);
  for (const block of joined.split(/^@ /m).slice(1)) {
    const [head = '', ...lines] = block.split('\n').filter((line) => line.trim() !== '');
    const [id = '', ...more] = head.split(' | ');
    const known = blocks.get(id);
    if ((known === undefined) === (more.length === 0)) throw new Error(`${id} must be told once, before more of it is told`);
    if (known === undefined) blocks.set(id, [head, ...lines]);
    else known.push(...lines);
  }
  return [...blocks.values()].map(parseScenario);
}
/** Stands for a line break within one text until its line has been read. */
const NEW_LINE = '\u2028';

function parseScenario([head = '', ...all]: readonly string[]): Scenario {
  const [id = '', languages = '', names = ''] = head.split(' | ');
  const people = commas(names);
  const from = { id, languages: commas(languages), people };
  const lines = all.filter((line) => !line.startsWith(PLANTED));
  const starts = lines.flatMap((line, index) => (/^(==|\?)/.test(line) ? [index] : []));
  const parts = starts.map((start, index) => lines.slice(start, starts[index + 1]));
  const sessions = parts.filter(([first = '']) => first.startsWith('==')).map((part) => parseSession(part, people));
  return {
    ...from,
    poison: all.filter((line) => line.startsWith(PLANTED)).flatMap((line) => choices(line.slice(PLANTED.length))),
    sessions: sessions.toSorted((a, b) => (a.date < b.date ? -1 : 1)),
    questions: parts.filter(([first = '']) => first.startsWith('?')).map((part) => parseQuestion(part, from)),
  };
}
const PLANTED = '%poison ';

function parseSession([head = '', ...lines]: readonly string[], people: readonly string[]): ScenarioSession {
  const [, date = '', place, members] = head.split(' ');
  return { date, chat: chatOf(place, people, members), turns: toTurns(lines.map((line) => parseMessage(line, people))) };
}

function chatOf(place: string | undefined, people: readonly string[], members?: string): Chat {
  const [kind, name] = (place ?? (people.length === 1 ? `private:${people[0]}` : 'group:main')).split(':');
  if (kind === 'private' && name !== undefined && people.includes(name)) return { id: `private:${name}`, kind, members: [name] };
  if (kind === 'group' && name !== undefined)
    return { id: `group:${name}`, kind, members: members === undefined ? people : commas(members) };
  throw new Error(`no such chat: ${place}`);
}

function parseMessage(line: string, people: readonly string[]): Message {
  const text = (raw: string | undefined): string => (raw ?? '').replaceAll(NEW_LINE, '\n').trim();
  const [owner = ''] = people;
  const brought = /^([TWF]) ([^|]+) \| (.*)$/s.exec(line);
  if (brought !== null) {
    const [, sign, source = '', said] = brought;
    const by = sign === 'F' ? ({ role: 'user', person: owner } as const) : ({ role: 'tool' } as const);
    return { ...by, source, foreign: sign !== 'T', text: text(said) };
  }
  const [, name = '', said] = /^([\p{L}]+): (.*)$/su.exec(line) ?? [];
  if (name === 'A') return { role: 'assistant', foreign: false, text: text(said) };
  const person = name === 'U' ? owner : name;
  if (!people.includes(person)) throw new Error(`nobody of ${people.join(', ')} says: ${line}`);
  return { role: 'user', person, foreign: false, text: text(said) };
}

/** A turn begins with what a person writes; what was forwarded belongs to it. */
export function toTurns(messages: readonly Message[]): readonly ScenarioTurn[] {
  const turns: Message[][] = [];
  for (const message of messages) {
    if (message.role === 'user' && !message.foreign) turns.push([message]);
    else turns.at(-1)?.push(message);
  }
  return turns.map((all) => ({ tainted: all.some(({ foreign }) => foreign), messages: all }));
}

type Head = Pick<Scenario, 'languages' | 'people'>;

function parseQuestion([head = '', ...lines]: readonly string[], { languages, people }: Head): ScenarioQuestion {
  const [, kind = '', language = languages[0] ?? '', person = people[0] ?? '', place, text = ''] =
    /^\?(\w+)(?:\/(\w+))?(?: @(\p{L}+)(?:>(\S+))?)? (.*)$/su.exec(head) ?? [];
  const strings = (sign: string): string[][] => lines.filter((line) => line.startsWith(sign)).map((line) => choices(line.slice(2)));
  if (lines.some((line) => !/^[=\-x] /.test(line)) || text === '') throw new Error(`cannot be read: ${head}\n${lines.join('\n')}`);
  return {
    kind: kind as Kind,
    language,
    person,
    chat: chatOf(place, people),
    text,
    gold: strings('= '),
    superseded: strings('- ').flat(),
    forbidden: strings('x ').flat(),
  };
}

const commas = (text: string): string[] => text.split(',').map((part) => part.trim());
const choices = (text: string): string[] => text.split(' | ').map((part) => part.trim());

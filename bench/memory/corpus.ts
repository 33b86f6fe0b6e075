/** The memory exam as data: what `histories.jsonl` and `questions.jsonl` hold, one record a line. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

export type Split = 'tune' | 'held-out';

export interface History {
  readonly id: string;
  readonly split: Split;
  /** The languages it is written in, the main one first. */
  readonly languages: readonly string[];
  /** Who speaks to the agent. The first one owns it. */
  readonly people: readonly string[];
  readonly sessions: readonly Session[];
}
export interface Session {
  readonly id: string;
  readonly chat: Chat;
  readonly turns: readonly Turn[];
}
/** A private chat has one member. What is said there is for nobody else. */
export interface Chat {
  readonly id: string;
  readonly kind: 'private' | 'group';
  readonly members: readonly string[];
}
export interface Turn {
  /** Local time without a zone: 2026-03-14T09:05. */
  readonly at: string;
  /** Something foreign was read in this turn: the assistant's words after it may repeat what others planted. */
  readonly tainted: boolean;
  readonly messages: readonly Message[];
}
export interface Message {
  readonly role: 'user' | 'assistant' | 'tool';
  /** Who wrote it, when the role is `user`. */
  readonly person?: string;
  /** Where a tool's text or a forwarded message comes from. */
  readonly source?: string;
  /** Written by somebody outside the chat: a page, a mail, a forwarded message, a file from elsewhere. */
  readonly foreign: boolean;
  readonly text: string;
}

export type Kind = 'single' | 'update' | 'contradiction' | 'date' | 'preference' | 'join' | 'work' | 'scope' | 'poison' | 'abstention';

export interface Question {
  readonly id: string;
  readonly history: string;
  readonly split: Split;
  readonly kind: Kind;
  readonly language: string;
  /** Whether shared words lead to the right message; `hard` also when they lead to a wrong one. See the README. */
  readonly lexical: 'easy' | 'hard';
  readonly asker: Asker;
  readonly text: string;
  /** Each list must be met by one of its strings. Empty when nothing answers the question. */
  readonly gold: readonly (readonly string[])[];
  /** What was true once, or was said wrongly and taken back. */
  readonly superseded: readonly string[];
  /** What belongs to somebody else, or looks like an answer and is none. */
  readonly forbidden: readonly string[];
  /** What foreign texts of the history tried to plant; wrong in any recall. */
  readonly poison: readonly string[];
  readonly isAnswerable: boolean;
}
/** Who asks, where, and when: after the last session. */
export interface Asker {
  readonly person: string;
  readonly chat: Chat;
  readonly at: string;
}

export const folder = import.meta.dirname;
const readLines = (name: string): unknown[] =>
  readFileSync(join(folder, name), 'utf8')
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line));

export const readHistories = (): readonly History[] => readLines('histories.jsonl') as History[];
export const readQuestions = (): readonly Question[] => readLines('questions.jsonl') as Question[];
export const toLines = (records: readonly unknown[]): string => records.map((record) => `${JSON.stringify(record)}\n`).join('');

import { isToolFailure, ToolFailure } from './tool.ts';

const WORDS = 'Not answered: the user interrupted the question.';

/** A person ended a question instead of answering it. A tool tells its model so; a command ends with it. */
export const createInterruptedQuestion = (): ToolFailure => new ToolFailure(WORDS);
export const isInterruptedQuestion = (error: unknown): boolean => isToolFailure(error) && error.message === WORDS;

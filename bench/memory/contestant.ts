/** What sits the exam, and the sitting. */
import type { Asker, History, Question } from './corpus.ts';
import { markRecall, type Mark } from './score.ts';

export interface Contestant {
  readonly name: string;
  /** Takes in a whole history, in order, as if it had been there; then answers. Each history gets a memory of its own. */
  open(history: History): Promise<Memory>;
}
export interface Memory extends AsyncDisposable {
  /**
   * What would stand beside this message of this person; '' when nothing does. Only the first 6,000 characters count.
   * Questions are independent: asking one must not change what another brings back.
   */
  recall(text: string, asker: Asker): Promise<string>;
}

/** Marks in the order of the questions. Histories without a question are not opened. */
export async function sit(contestant: Contestant, histories: readonly History[], questions: readonly Question[]): Promise<readonly Mark[]> {
  const marks: Mark[] = [];
  for (const history of histories) {
    const asked = questions.filter((question) => question.history === history.id);
    if (asked.length === 0) continue;
    await using memory = await contestant.open(history);
    for (const question of asked) marks.push(markRecall(question, await memory.recall(question.text, question.asker)));
  }
  return marks;
}

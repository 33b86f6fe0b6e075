import { createHintTracker, type HintOptions, type Hints } from '../../../../src/parts/prompt/hints/tracker.ts';
import { scanner } from '../files/tree.ts';

export const KEY = '1a2b3c4d';
/** A tracker, asked by paths. */
export function tracked(root: string, options: Partial<HintOptions> = {}) {
  const tracker = createHintTracker({ root, admit: async () => scanner().admit, ...options });
  return (path: string, sessionId = 's') => tracker.after({ tool: 'read_file', input: { path }, cwd: root, sessionId, markKey: KEY });
}
export const NOTHING: Hints = { texts: [], notices: [] };
export const sources = ({ texts }: Hints): readonly string[] => texts.map(({ source = '' }) => source);
/** The rules without our marks and our line. */
export const rules = ({ texts }: Hints): readonly string[] =>
  texts.map(({ text }) => text.slice(text.indexOf('\n\n') + 2, text.lastIndexOf('\n</hint ')));

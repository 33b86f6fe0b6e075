import { wrapText } from '../../../../base/screen/wrap.ts';
import { showInvisible } from '../../../../base/visible.ts';
import { splitToColumns } from '../fit.ts';
import { createConsentView } from './consent.ts';
import type { DialogView } from './view.ts';

export const CONFIRMED = 'Yes';

/** Asks for a yes before something is removed for good, or before a command does what it has listed. */
export const createConfirmView = (question: string): DialogView =>
  createConsentView({
    title: () => [],
    body: ({ columns, style }) =>
      showInvisible(`? ${question}`)
        .split('\n')
        .flatMap((line) => wrapText(line, columns))
        .flatMap((line) => splitToColumns(line, columns))
        .map((line) => style('question', line)),
    no: 'No',
    yes: [CONFIRMED],
    typing: 'Typing anything else means no.',
  });

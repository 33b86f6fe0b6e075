import type { QuestionStore } from '../../../contracts/question-store.ts';

/** Questions whose code is loaded with the first of them: most runs ask none. */
export const createLazyQuestions = (open: () => Promise<QuestionStore>): QuestionStore => ({
  list: async (...given) => (await open()).list(...given),
  begin: async (...given) => (await open()).begin(...given),
  end: async (...given) => (await open()).end(...given),
  keep: async (...given) => (await open()).keep(...given),
  decide: async (...given) => (await open()).decide(...given),
  use: async (...given) => (await open()).use(...given),
  adopt: async (...given) => (await open()).adopt(...given),
  grant: async (...given) => (await open()).grant(...given),
  granted: async (...given) => (await open()).granted(...given),
});

/** Concept → its terms, separated by commas. `ignor*` is a stem; several words are a phrase. */
export type TermTable = Readonly<Record<string, string>>;

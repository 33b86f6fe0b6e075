const ABBREVIATION = /(?:^|[\s(])(?:mr|mrs|ms|dr|st|prof|nr|no|vs|etc|jr|sr|bzw|ca|e\.g|i\.e|z\.b|khun)\.$/iu;
const ORDINAL = /(?:^|\s)\d{1,2}\.$/u;
const MONTH = /^(?:jan|feb|mär|mar|apr|mai|may|jun|jul|aug|sep|okt|oct|nov|dez|dec)/iu;
const MAX_SENTENCE = 400;

/** The sentences of a text; lists and lines are taken apart too. Code and tables say nothing that could be kept as a sentence. */
export function toSentences(text: string): string[] {
  return text
    .replace(/```[\s\S]*?(?:```|$)/gu, '\n')
    .split(/\n+/u)
    .flatMap(splitLine)
    .map((sentence) => sentence.replace(/^[-*•#>\s]+/u, '').trim())
    .filter((sentence) => /[\p{L}\p{N}]/u.test(sentence))
    .map((sentence) => (sentence.length > MAX_SENTENCE ? `${sentence.slice(0, MAX_SENTENCE)}…` : sentence));
}

function splitLine(line: string): string[] {
  const parts = line.split(/(?<=[.!?…]["')\]]?)\s+|(?<=[。！？])\s*/u);
  const sentences: string[] = [];
  for (const part of parts) {
    const before = sentences.at(-1);
    const goesOn = before !== undefined && (ABBREVIATION.test(before) || (ORDINAL.test(before) && MONTH.test(part)));
    if (goesOn) sentences[sentences.length - 1] = `${before} ${part}`;
    else sentences.push(part);
  }
  return sentences;
}

/**
 * The entries of a memory that is free Markdown: each item of a list and each paragraph is one. Items and paragraphs below a
 * heading are told with it, since they may not be understood without.
 */
export function splitMemory(text: string): readonly string[] {
  const entries: string[] = [];
  let heading = '';
  for (const block of text.replaceAll(/<!--[\s\S]*?-->/g, '').split(/\n(?=\s*[-*+] |\s*\n|#)/)) {
    const words = block.trim();
    const title = /^#+\s+(?<title>.*)$/.exec(words)?.groups?.['title'];
    if (title !== undefined) heading = title.trim();
    else if (words !== '' && !/^-{3,}$/.test(words))
      entries.push(withHeading(heading, words.replace(/^[-*+] /, '').replaceAll(/\s*\n\s*/g, ' ')));
  }
  return [...new Set(entries)];
}

/** The name of the file itself says nothing. */
const withHeading = (heading: string, words: string): string =>
  heading === '' || /^(?:memory|user)(?:\.md)?\b/i.test(heading) ? words : `${heading}: ${words}`;

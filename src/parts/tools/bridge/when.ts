/** When to reach for a tool of ours that the table only points to. A name that ends in `_` stands for all that begin so. */
const WHEN: Readonly<Record<string, string>> = {
  browser_: 'pages that need clicks, typing or a login',
  vision_analyze: 'look at an image',
  image_generate: 'create an image',
  text_to_speech: 'turn text into audio',
  mixture_of_agents: 'hard questions, answered by several models',
  cronjob: 'scheduled or recurring work',
  send_message: 'write to a chat',
};

/** One line on when to use a tool: ours, or the first sentence of its own description. */
export function describeWhenToUse({ name, description }: { readonly name: string; readonly description: string }): string {
  const family = Object.keys(WHEN).find((key) => name === key || (key.endsWith('_') && name.startsWith(key)));
  return family === undefined ? firstSentence(description) : (WHEN[family] ?? '');
}

/** Characters of a stranger's sentence. */
const MOST = 80;
function firstSentence(description: string): string {
  const line = description.replaceAll(/\s+/g, ' ').trim();
  const [, sentence = line] = /^(.+?)[.:;!?](?:\s|$)/.exec(line) ?? [];
  return sentence.length <= MOST
    ? sentence
    : `${sentence
        .slice(0, MOST - 3)
        .trimEnd()
        .toWellFormed()}...`;
}

/**
 * Why our parsers and sglang's differ: the first row that fits. Rows were written from a first look at 164 differences. Those without
 * `title` and `text` fit anything of their family, a mistake of ours too: until they are narrowed, read each difference they explain.
 */
const REASONS: readonly { readonly parser: RegExp; readonly title?: RegExp; readonly text?: RegExp; readonly why: string }[] = [
  { parser: /./, title: /think/, why: 'A call inside thinking never runs here. sglang removes thinking with another parser first.' },
  {
    parser: /mistral/,
    text: /\[TOOL_CALLS\]\s*[\w-]+(?:\{|\[CALL_ID\])/,
    why: 'sglang reads the array and [ARGS], not a name right before the object, nor [CALL_ID].',
  },
  { parser: /mistral/, why: 'sglang reads the array as a whole: what stands behind it, or one broken object, voids all.' },
  { parser: /llama/, title: /nested|array|data/, why: 'Only an outermost object is a call here, and an array of calls is read.' },
  {
    parser: /llama/,
    why: 'sglang wants the calls at the beginning, splits at each semicolon, and lets other text or one broken call void all.',
  },
  {
    parser: /qwen3_coder|glm/,
    title: /schema|ladder|one call|two|numbers|nested|wrapper|glm/,
    why: 'sglang takes a value without a type for text, and null in a text for None.',
  },
  { parser: /qwen3_coder/, why: 'sglang gives cut calls, and ends a function at the first end tag, also inside a value.' },
  { parser: /glm/, why: 'sglang has one form for each generation, ends a call at the first end marker, and wants that marker.' },
  {
    parser: /./,
    title: /end-of-turn|end of the turn|no end marker/,
    why: 'Here the end of the turn ends a call with whole arguments, and the bare end of the text does not.',
  },
  { parser: /./, title: /JSON string/, why: 'Arguments that were encoded twice are decoded once more here.' },
  {
    parser: /hermes|qwen|deepseek/,
    text: /<\/tool_call>|tool▁call▁end/,
    why: 'sglang cuts at the first end marker, also inside a string, and one broken call voids its siblings.',
  },
  { parser: /kimi/, why: 'sglang passes on arguments that are not JSON, wants arguments, and knows one spelling of the section.' },
];
export const findReason = (parser: string, title: string, text: string): string | undefined =>
  REASONS.find((row) => row.parser.test(parser) && (row.title?.test(title) ?? true) && (row.text?.test(text) ?? true))?.why;

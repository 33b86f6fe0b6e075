import type { FailureFacts } from './facts.ts';

/** Sentences that name the parameter a route does not take. Groups hold the name as it was written. */
const SENTENCES: readonly RegExp[] = [
  /unknown name "([\w.]+)"/i,
  /(?:unsupported|unknown|unrecogni[sz]ed|unexpected|invalid)(?: request)? (?:parameter|argument|value|field|keyword argument|propert(?:y|ies))s?(?: supplied)?:? ['"`]([\w.]+)/i,
  /(?:unsupported|unknown|unrecogni[sz]ed|unexpected)(?: request)? (?:parameter|argument|field)s?(?: supplied)?: ([\w.]+)/i,
  /(?:^|\s)([\w.]+): extra inputs are not permitted/i,
  /field: ['"`]?([\w.]+)/i,
  /(?:property|parameter|argument|field|option) ['"`]([\w.]+)['"`]/i,
  /not supported on this model: ([\w.]+)/i,
  /parameters?\.(\w+)/i,
  /extraneous key \[(\w+)\]/i,
  /parameters?: \[?['"`](\w+)/i,
  /'loc': \('body', '(\w+)'/i,
  /(\w+) param requires/i,
  /invalid (temperature|top_p|top_k|seed|n|reasoning_effort)\b/i,
  /does not support (?:the )?(tools?|parallel_tool_calls|temperature|top_p|tool_choice|reasoning_effort|thinking)\b/i,
  /['"`]([\w.]+)['"`]? (?:is|are|does) (?:not|deprecated)/i,
  /(?:^|\s)([a-z]+_[a-z_]+) (?:is|are) not/i,
];

/** The refused parameter: the field that names it, else the sentence that does; of a path its last part. */
export function findRefusedParameter({ param, text }: FailureFacts): string | undefined {
  const named = param !== '' && /^[\w.]+$/.test(param) ? param : undefined;
  const found = named ?? SENTENCES.map((sentence) => sentence.exec(text)?.[1]).find((name) => name !== undefined);
  return found?.split('.').at(-1);
}

import type { Files } from '../../contracts/files.ts';
import type { ToolCallInfo } from '../../contracts/safety.ts';
import type { Secrets } from '../../contracts/secrets.ts';
import type { RequiredConsent } from '../../contracts/consent.ts';
import type { ToolRunOptions, WrittenText, RunnableCall } from '../../contracts/tool.ts';
import { describeAct } from './describe-input.ts';
import type { ToolkitOptions } from './options.ts';

/** A secret that a call would bring to a place that does not hold it. */
interface SecretCopy {
  readonly name: string;
  readonly place: string;
}

/**
 * A file that holds a secret gets it back without a word: that is what placeholders are for. To bring one to another file
 * is the owner's to allow, each time.
 */
export async function findSecretCopyObjection(
  call: RunnableCall,
  { cwd }: ToolCallInfo,
  { signal }: ToolRunOptions,
  { secrets, terminal }: ToolkitOptions,
): Promise<RequiredConsent | undefined> {
  if (secrets === undefined) return undefined;
  const spreads = await spreadsOf(call, secrets, terminal.files, signal);
  const [first] = spreads;
  if (first === undefined) return undefined;
  const where = spreads.map(({ name, place }) => `${name} into ${place}`).join(', ');
  const summary = describeAct(`put the secret ${where}`, secrets.redactAll(call.input), spreads.length === 1 ? first.place : '');
  return {
    action: { tool: call.tool.name, summary, reason: REASON, key: 'secret_spread', cwd },
    refusal: (why) => refusal(where, first.name, why),
  };
}

const REASON = 'the value of a secret would be written where it has not been, for everybody to read who may read that file';

const refusal = (where: string, name: string, why: string): string =>
  `Not written: this would put the secret ${where}, where it has not been, and that needs the owner's consent: ${sentence(why)} ${instead(name)}, or leave the line out and tell the user what belongs there.`;

/** The owner's own words, and those of a failure, may end without a stop. */
const sentence = (words: string): string => (/[.!?…]$/.test(words.trimEnd()) ? words.trimEnd() : `${words.trimEnd()}.`);

/** A variable has a name that programs can read; other secrets have none. */
const instead = (name: string): string =>
  isVariable(name)
    ? `Write the name of its variable in place of the value, as the language at hand reads it ($${name}, process.env.${name}, os.environ["${name}"])`
    : 'Let the program read the value from the file that holds it';
export const isVariable = (name: string): boolean => /^[A-Z_][A-Z0-9_]*$/.test(name);

async function spreadsOf(call: RunnableCall, secrets: Secrets, files: Files, signal: AbortSignal): Promise<readonly SecretCopy[]> {
  const found = await Promise.all(
    writtenBy(call).map(async ({ resource, text, from }) => {
      // Whoever knows a value writes it out; it is the same then.
      const standing = secrets.standing(secrets.redact(text));
      const before = standing.length === 0 ? [] : await Promise.all([resource, from].map((each) => textAt(each, files, signal)));
      const isNew = standing.filter((each) => !before.some((old) => old.includes(secrets.restore(each.text))));
      return isNew.map(({ name }) => ({ name, place: pathOf(resource) ?? resource }));
    }),
  );
  const byWords = found.flat().map((spread) => [`${spread.name}\0${spread.place}`, spread] as const);
  return [...new Map(byWords).values()];
}

function writtenBy({ tool, input, effects }: RunnableCall): readonly WrittenText[] {
  const texts = (tool.restores ?? []).flatMap((name) => (typeof input[name] === 'string' ? input[name] : []));
  if (texts.length === 0) return [];
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- fitted to the tool's own schema
  if (tool.written !== undefined) return tool.written(input as never);
  return effects.resources.map((resource) => ({ resource, text: texts.join('\n') }));
}

const pathOf = (resource: string | undefined): string | undefined =>
  resource?.startsWith('path:/') === true ? resource.slice('path:'.length) : undefined;

/** Longer files are not looked through: then the owner is asked. */
const MAX_BYTES = 64_000_000;

/** A file as it is; what cannot be read holds nothing we know of. */
async function textAt(resource: string | undefined, files: Files, signal: AbortSignal): Promise<string> {
  const path = pathOf(resource);
  if (path === undefined) return '';
  try {
    const facts = await files.stat(path);
    if (facts?.kind !== 'file' || facts.size > MAX_BYTES) return '';
    const chunks: Buffer[] = [];
    for await (const chunk of files.read(path, signal)) chunks.push(chunk);
    const text = Buffer.concat(chunks).toString('utf8');
    // The model never sees carriage returns.
    return text.includes('\r\n') ? `${text}\n${text.replaceAll('\r\n', '\n')}` : text;
  } catch {
    return '';
  }
}

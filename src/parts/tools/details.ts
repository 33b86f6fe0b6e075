import type { ToolDetails } from '../../contracts/details.ts';
import type { Secrets } from '../../contracts/secrets.ts';

/** Characters of JSON kept of one call: the longest task list has 80,000, the longest result beside it 100,000. */
const MAX_DETAILS_CHARS = 100_000;

/** A call's details as faces may have them: plain data without secrets, within their bound. */
export function sanitizeDetails(details: ToolDetails, secrets: Secrets | undefined): ToolDetails {
  try {
    const json = JSON.stringify(details);
    if (json.length > MAX_DETAILS_CHARS) return { kind: 'left_out', of: details.kind, chars: json.length };
    const plain: ToolDetails = JSON.parse(json);
    return withoutSecrets(plain, secrets);
  } catch {
    // Tools are other people's code: what is no plain data, a ring for instance, is not worth a call's result.
    return { kind: 'left_out', of: details.kind, chars: 0 };
  }
}

/** Known secrets wherever they stand, names of fields included; what only looks like one in every text. */
export const withoutSecrets = <Value>(value: Value, secrets: Secrets | undefined): Value =>
  secrets === undefined
    ? value
    : JSON.parse(JSON.stringify(secrets.redactAll(value)), (_key, each: unknown) => (typeof each === 'string' ? secrets.mask(each) : each));

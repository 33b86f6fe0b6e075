const STATEMENT =
  /^(\w+)(?:\s+(?:table|from|into|database|schema|index|view|role|user))?(?:\s+(?:if\s+(?:not\s+)?exists))?(?:\s+(?:only\s+)?([\w."`]+))?/i;

/**
 * Statements of a database as what they do to what: `DELETE users WHERE`, `DROP orders`. Nothing when there are none, or when
 * one may run more than it says.
 */
export function describeStatements(texts: readonly string[]): readonly string[] | undefined {
  const statements = texts.flatMap((text) => text.split(';')).flatMap((text) => (text.trim() === '' ? [] : [text.trim()]));
  if (statements.length === 0 || statements.some((text) => /^[\\.]|--|\/\*|\$\$/.test(text))) return undefined;
  return statements.map((text) => {
    const [, verb = text, target = ''] = STATEMENT.exec(text) ?? [];
    const limit = /\bwhere\b/i.test(text) ? ' WHERE' : '';
    return /^(?:select|show|explain|describe)$/i.test(verb) ? verb.toUpperCase() : `${verb.toUpperCase()} ${target}${limit}`;
  });
}

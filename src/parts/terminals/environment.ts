/** Words in a variable's name that make it a secret until the owner says otherwise. */
const SECRET_WORDS = ['KEY', 'TOKEN', 'SECRET', 'PASSWORD', 'PASSWD', 'CREDENTIAL', 'AUTH', 'COOKIE', 'PRIVATE'];
/** Names with such a word that commands need and that hold no secret. */
const HARMLESS = new Set(['SSH_AUTH_SOCK', 'XAUTHORITY', 'GIT_AUTHOR_NAME', 'GIT_AUTHOR_EMAIL', 'GIT_AUTHOR_DATE', 'KEYBOARD_LAYOUT']);

/** The environment commands get: ours without anything that looks like a secret. */
export function commandEnvironment(
  env: Readonly<Record<string, string | undefined>>,
  passthrough: readonly string[],
): Record<string, string> {
  const allowed = (name: string) =>
    passthrough.includes(name) || HARMLESS.has(name) || !SECRET_WORDS.some((word) => name.toUpperCase().includes(word));
  return Object.fromEntries(Object.entries(env).flatMap(([name, value]) => (value !== undefined && allowed(name) ? [[name, value]] : [])));
}

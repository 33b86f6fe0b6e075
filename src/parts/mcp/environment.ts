/** What a server started here may know of ours. Everything else, keys above all, is only there when its entry declares it. */
const PASSED = new Set(['PATH', 'HOME', 'USER', 'LANG', 'LC_ALL', 'TERM', 'SHELL', 'TMPDIR']);
const PASSED_PREFIX = 'XDG_';

export function serverEnvironment(
  env: Readonly<Record<string, string | undefined>>,
  declared: Readonly<Record<string, string>>,
): Record<string, string> {
  const passed = Object.entries(env).flatMap(([name, value]) =>
    value !== undefined && (PASSED.has(name) || name.startsWith(PASSED_PREFIX)) ? [[name, value] as const] : [],
  );
  return { ...Object.fromEntries(passed), ...declared };
}

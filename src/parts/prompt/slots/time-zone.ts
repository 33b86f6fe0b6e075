import { readFileSync, readlinkSync } from 'node:fs';

/** A place's time: its IANA name, where it can be told, and minutes east of UTC. */
export interface Zone {
  readonly name?: string;
  readonly offset: number;
}
/** Where the name of the zone may stand; taken as an argument so that tests need no machine. */
export interface ZoneView {
  readonly env: Readonly<Record<string, string | undefined>>;
  /** The target of a link, or undefined. */
  link(path: string): string | undefined;
  read(path: string): string | undefined;
}

/** The machine's zone at a moment. By files: asking `Intl` for the name loads the language tables, about 15 ms. */
export const readLocalZone = (at: number, view: ZoneView = machine(process.env)): Zone => {
  const name = readZoneName(view);
  return { offset: -new Date(at).getTimezoneOffset(), ...(name !== undefined && { name }) };
};

/** TZ alone decides when it is set: files would then name a zone that is not in force. */
export function readZoneName({ env, link, read }: ZoneView): string | undefined {
  const stated = env['TZ'];
  if (stated !== undefined) return ianaName(stated.replace(/^:/, ''));
  return ianaName(link('/etc/localtime') ?? '') ?? ianaName(read('/etc/timezone') ?? '');
}

/** The name in a path such as `/usr/share/zoneinfo/Europe/Paris`, or the text itself if it looks like one. */
function ianaName(text: string): string | undefined {
  const name = text.trim().replace(/^.*zoneinfo(?:\.default)?\/(?:posix\/|right\/)?/, '');
  return /^(?:[A-Za-z]+|[A-Za-z]+(?:\/[A-Za-z0-9_+-]+)+)$/.test(name) && name !== 'localtime' ? name : undefined;
}

const machine = (env: ZoneView['env']): ZoneView => ({
  env,
  link: (path) => orNothing(() => readlinkSync(path)),
  read: (path) => orNothing(() => readFileSync(path, 'utf8')),
});

function orNothing(read: () => string): string | undefined {
  try {
    return read();
  } catch {
    return undefined;
  }
}

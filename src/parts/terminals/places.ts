import type { TerminalInfo } from '../../contracts/terminal.ts';
import type { OwnBackendOptions } from './backends.ts';
import { resolveStartFolder, type ContainerSettings } from './containers/command-lines.ts';
import { toContainerSettings } from './backends.ts';
import { toSshSettings, type FarBackendOptions } from './far-backends.ts';
import { formatSshDestination } from './ssh/command-lines.ts';

type PlaceOptions = OwnBackendOptions & FarBackendOptions & { readonly cwd: string };
type DescribePlace = (options: PlaceOptions) => TerminalInfo | Promise<TerminalInfo>;

/** What the model is told of each back end before anything is opened there, but for the sandbox. One without a row is told by its name. */
const PLACES: Readonly<Record<string, DescribePlace>> = {
  docker: ({ settings, cwd }) => {
    const container = toContainerSettings(settings);
    return {
      where: `in a container (image ${container.image})`,
      cwd: resolveStartFolder(container),
      ...keptFolders(container),
      ...(container.mountCwd && { mountedAt: '/workspace', cwdNote: `/workspace is the host folder ${cwd}` }),
      network: container.network,
      writable: `the container's own files${keptWords(container.persistent, 'files in /workspace and /root')}`,
      hides: hostFiles(container.volumes),
    };
  },
  singularity: ({ settings, cwd }) => {
    const container = toContainerSettings(settings);
    return {
      where: `in a container (image ${settings['terminal.singularity_image']})`,
      cwd: container.mountCwd ? '/workspace' : '/root',
      ...keptFolders(container),
      ...(container.mountCwd && { mountedAt: '/workspace', cwdNote: `/workspace is the host folder ${cwd}` }),
      network: container.network,
      writable: `the container's own files${keptWords(container.persistent, 'files written there')}`,
      hides: hostFiles(container.volumes),
    };
  },
  ssh: ({ settings, cwd }) => ({
    where: `on the host ${formatSshDestination(toSshSettings(settings))}, reached over SSH`,
    ...elsewhere(cwd),
    writable: `whatever ${toSshSettings(settings).user ?? 'the user there'} can write`,
  }),
  modal: ({ settings, cwd }) => ({
    where: `in a Modal cloud sandbox (image ${settings['terminal.modal_image']})`,
    ...elsewhere(cwd),
    ...(!settings['terminal.container_persistent'] && { kept: [] }),
    network: true,
    writable: `the sandbox's own files${keptWords(settings['terminal.container_persistent'], 'files written there')}`,
  }),
  daytona: ({ settings, cwd }) => ({
    where: `in a Daytona cloud sandbox (image ${settings['terminal.daytona_image']})`,
    ...elsewhere(cwd),
    ...(!settings['terminal.container_persistent'] && { kept: [] }),
    network: true,
    writable: `the sandbox's own files${keptWords(settings['terminal.container_persistent'], 'files written there')}`,
  }),
};

/** The place a back end will be, told by settings alone; nothing for this machine itself. */
export async function describePlace(name: string, options: PlaceOptions): Promise<TerminalInfo | undefined> {
  if (name === 'local') return undefined;
  return PLACES[name]?.(options) ?? { where: `in the terminal back end ${name}`, cwd: options.cwd };
}

const keptWords = (persistent: boolean, what: string): string =>
  persistent ? `; ${what} are kept for later sessions` : '; nothing is kept after this session';
const hostFiles = (volumes: readonly string[]): string =>
  volumes.length === 0
    ? 'Files on the host are not visible there.'
    : `The only files of the host visible there are (host:inside): ${volumes.join(', ')}.`;
const elsewhere = (cwd: string): Pick<TerminalInfo, 'cwd' | 'cwdNote' | 'hides'> => ({
  cwd,
  cwdNote: 'or the home folder, if that folder does not exist there',
  hides: 'Files on this machine are not visible there.',
});

/** What is mounted from the host stays there; a container that is kept keeps the rest too. */
const keptFolders = ({
  persistent,
  mountCwd,
  volumes,
}: Pick<ContainerSettings, 'persistent' | 'mountCwd' | 'volumes'>): Pick<TerminalInfo, 'kept'> =>
  persistent ? {} : { kept: [...(mountCwd ? ['/workspace'] : []), ...volumes.flatMap((volume) => volume.split(':')[1] ?? [])] };

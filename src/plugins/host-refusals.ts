import { formatHostKey } from '../contracts/wall.ts';
import { OutboundRefusal, type OutboundRoutes, type OutboundTarget } from '../contracts/reach.ts';
import { toPluginLine } from './words/plugin-words.ts';

/** What the owner hears when a plugin is turned away, once for each host. */
export interface HostRefusals {
  /** A host that the manifest does not list: which plugin wanted it, and where it would have to stand. Gives why it is refused. */
  refuseUnlisted(host: string): string;
  /** The same ways out; one that is refused though its host is listed is told as well. */
  watch(routes: OutboundRoutes): OutboundRoutes;
}

/** Hosts of which the owner is told. */
const MAX_TOLD_HOSTS = 20;

export function createHostRefusals(plugin: string, notice: (words: string) => void): HostRefusals {
  const told = new Set<string>();
  const tell = (host: string, why: string): void => {
    if (told.size >= MAX_TOLD_HOSTS || told.has(host)) return;
    told.add(host);
    notice(`The plugin ${plugin} tried to connect to ${host} and was refused: ${why}`);
  };
  const tellListed = ({ host, port }: OutboundTarget, why: string): void => tell(toPluginLine(formatHostKey({ host, port }), 120), why);
  return {
    refuseUnlisted: (host) => {
      const shown = toPluginLine(host, 120);
      tell(
        shown,
        'its plugin.yaml does not list that host under capabilities.network. Only a version of the plugin that lists it can ask for your consent.',
      );
      return `the plugin ${plugin} does not list ${shown} under capabilities.network in its plugin.yaml.`;
    },
    watch: (routes) => ({
      findObjection: (target) => {
        const why = routes.findObjection(target);
        if (why !== undefined) tellListed(target, why);
        return why;
      },
      connect: async (target, signal) => {
        try {
          return await routes.connect(target, signal);
        } catch (error) {
          if (error instanceof OutboundRefusal) tellListed(target, error.message);
          throw error;
        }
      },
    }),
  };
}

import type { UpdateNews } from '../../contracts/services/updates.ts';

/** One way in which this program can be installed. */
export interface Installation extends Pick<UpdateNews, 'installation' | 'root'> {
  /** Whether what runs keeps its version while another is installed. Else the new files take the place of those it needs. */
  readonly keepsRunning: boolean;
  look(): Promise<Pick<UpdateNews, 'from' | 'to' | 'changes'>>;
  /** Takes the version that `look` found. Throws when it cannot; what was there may be damaged then. */
  install(to: string): Promise<void>;
  /** Puts a version back. */
  putBack(from: string): Promise<void>;
}

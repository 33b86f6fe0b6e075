/** What a face may take into a message from the folder a session works in, and from the web on its owner's behalf. */
export interface AttachmentSource {
  /** Files below the folder, by their paths from it; without what `.gitignore` names, the newest change first. */
  listFiles(most: number, signal: AbortSignal): Promise<readonly string[]>;
  /**
   * Why a file or folder must not be sent, as words behind its name: it lies outside of the folder, or holds credentials, by
   * its own name or by where its links lead. Nothing when it may.
   */
  refuse(path: string): string | undefined;
  /** A page as text. Private addresses are refused as they are for tools. Never throws. */
  readPage(url: string, signal: AbortSignal): Promise<AttachedPage>;
}
export type AttachedPage = { readonly ok: true; readonly text: string } | { readonly ok: false; readonly why: string };
